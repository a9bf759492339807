import CratesInterface
import Glibc
import LibraryModel
import LogSupport
import Platform
import ProgramSupport
import Synchronization
import TestSupport
import Testing
import VarlinkServer

@testable import DaemonCore

/// Calls without "more" for more than a batch. Where it matters whose turn it is, the turns are
/// taken by hand.
@Suite("Listings that have to be in one reply", .limited)
struct ListingGatheringTests {
  private static let songs = 1_000
  private static let batchBytes = 20_000

  private let folder: TemporaryFolder
  private let pool: WorkPool
  private let listings: Listings
  private let server: VarlinkServer
  /// Answers to all that was called, in the order in which it was added.
  private let called: Monitor<[Answer]>

  private final class Client {
    let raw: RawClient
    init(_ raw: consuming RawClient) { self.raw = raw }
  }

  /// Without threads: turns are taken by hand.
  init() throws { try self.init(threads: 0) }

  private init(threads: Int) throws {
    folder = try TemporaryFolder()
    pool = WorkPool("turns", threads: threads)
    let published = PublishedLibrary(LibrarianFixture.library(songs: Self.songs))
    let listings = Listings(
      on: pool.lane(width: Listings.width), published: published,
      naming: Naming(published: published), logger: SaidLines().logger,
      limits: ListingLimits(batchBytes: Self.batchBytes))
    let called = Monitor<[Answer]>([])
    server = VarlinkServer(
      identity: ServiceIdentity(vendor: "Crated", product: "crated", version: "0", url: "")
    ) { request in
      listings.add(request)
      called.withLock { $0.append(request.answer) }
    }
    try server.start(path: folder.path("socket"))
    (self.listings, self.called) = (listings, called)
  }

  /// Returns when the call waits for its turn.
  private func begin(more: Bool = false, count: Int? = nil) throws -> Client {
    let client = Client(try RawClient(socket: folder.path("socket")))
    let call = Call.listSongs(crate: nil, album: nil, gone: false, first: nil, count: count)
    let message: JSON = [
      "method": .string(call.method.fullName), "parameters": call.parameters, "more": .bool(more),
    ]
    let before = called.withLock { $0.count }
    client.raw.send(message.bytes + [0])
    called.wait { $0.count > before ? () : nil }
    return client
  }

  /// How many songs are in the next reply.
  private func count(_ client: Client) throws -> Int? {
    try client.raw.reply()?["parameters"]?["songs"]?.array?.count
  }

  /// Takes turns until that is so. False where none is left before.
  private func takeTurns(until isSo: () -> Bool) -> Bool {
    while !isSo() {
      if !pool.takeTurn() { return false }
    }
    return true
  }

  /// Takes so many turns, or as many as there are.
  private func takeTurns(_ count: Int) {
    for _ in 0..<count where !pool.takeTurn() { return }
  }

  private func stop() {
    // What was never answered is let go of while there is a server.
    called.withLock { $0 = [] }
    server.stop()
  }

  @Test("One is gathered at a time, and all are answered in their order")
  func oneAtATime() throws {
    let clients = try (1...6).map { _ in try begin() }
    var (most, replyBytes) = (0, 0)
    for client in clients {
      // What is gathered grows until one is answered.
      var before = -1
      #expect(
        takeTurns {
          let now = listings.gatheredBytes
          defer { (before, most) = (max(before, now), max(most, now)) }
          return now < before
        })
      replyBytes = 0
      let reply = try client.raw.reply(behind: [], counting: &replyBytes)
      #expect(reply?["parameters"]?["songs"]?.array?.count == Self.songs)
    }
    // Roughly one reply, and not six.
    #expect(most > replyBytes && most < replyBytes * 2)
    #expect(!pool.takeTurn() && listings.gatheredBytes == 0)
    stop()
  }

  @Test("What an item takes is guessed at less than twice, and long texts are counted")
  func guessed() {
    var song = Interface.Song(
      id: "abcdefghijkl", album: "abcdefghijkl", albumTitle: "", albumArtist: "", crate: "A",
      position: 1, title: "", artist: "", disc: nil, track: nil, seconds: 1, format: "mp3",
      added: "2026-01-01T00:00:00Z", presence: .present, path: "/", uri: "file:///")
    func isClose(_ guess: Int, _ json: JSON) -> Bool {
      guess < 2 * json.bytes.count && guess > json.bytes.count * 3 / 4
    }
    #expect(isClose(ListedSongs.bytes(of: song), song.json))
    for text in [\Interface.SongDetails.genre, \.composer, \.recording, \.release, \.evidence] {
      song.details[keyPath: text] = String(repeating: "x", count: 10_000)
      #expect(isClose(ListedSongs.bytes(of: song), song.json))
    }
    var album = Interface.Album(
      id: "abcdefghijkl", crate: "A", position: 1, title: "", artist: "", year: nil, songs: 1,
      seconds: 1, added: "2026-01-01T00:00:00Z", arranged: false, presence: .present)
    #expect(isClose(ListedAlbums.bytes(of: album), album.json))
    album.because = String(repeating: "x", count: 10_000)
    #expect(isClose(ListedAlbums.bytes(of: album), album.json))
  }

  @Test("Short answers, and those in many replies, wait for a batch of another and no longer")
  func others() throws {
    let gathered = try begin()
    let waiting = try begin()
    // Both have begun, and one is gathered.
    takeTurns(4)
    #expect(listings.gatheredBytes > 2 * Self.batchBytes)
    let short = try begin(count: 3)
    takeTurns(2)
    #expect(try count(short) == 3)
    let many = try begin(more: true)
    var sent = 0
    for _ in 1...3 {
      takeTurns(2)
      sent += try count(many) ?? 0
    }
    #expect(sent > 0 && sent < Self.songs && listings.gatheredBytes > 5 * Self.batchBytes)
    // It pauses where it is not read.
    let isRead = Atomic(false)
    let turns = BlockingThread("turns") { [pool] in
      while !isRead.load(ordering: .relaxed) { if !pool.takeTurn() { sched_yield() } }
    }
    while sent < Self.songs { sent += try #require(try count(many)) }
    isRead.store(true, ordering: .relaxed)
    turns.join()
    takeTurns(.max)
    #expect(sent == Self.songs)
    #expect(try count(gathered) == Self.songs && count(waiting) == Self.songs)
    stop()
  }

  @Test("A client that leaves gives its place to the next, whether it was gathered or waited")
  func leaves() throws {
    var clients = try (1...4).map { _ in try begin() }
    takeTurns(6)
    #expect(listings.gatheredBytes > 2 * Self.batchBytes)
    // The one that is gathered, and two of those that wait.
    clients.removeFirst(3)
    #expect(happensInTime { called.withLock { $0[..<3].allSatisfy(\.isAbandoned) } })
    #expect(takeTurns { listings.gatheredBytes == 0 })
    // The last one's turn is the next: nobody else's is.
    takeTurns(2)
    #expect(listings.gatheredBytes > Self.batchBytes)
    clients.append(try begin())
    takeTurns(.max)
    #expect(try clients.map(count) == [Self.songs, Self.songs])
    // Nothing is left of them.
    clients.append(try begin())
    takeTurns(.max)
    #expect(try count(clients[2]) == Self.songs)
    stop()
  }

  @Test("All are answered by the threads, also those that wait when the daemon stops")
  func threads() throws {
    let other = try Self(threads: 2)
    let clients = try (1...12).map { _ in try other.begin() }
    let short = try other.begin(count: 1)
    other.pool.stop()
    #expect(try other.count(short) == 1)
    for client in clients { #expect(try other.count(client) == Self.songs) }
    other.stop()
    stop()
  }
}
