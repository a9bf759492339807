import CratesInterface
import Glibc
import LibraryModel
import LogSupport
import Platform
import ProgramSupport
import TestSupport
import Testing
import VarlinkServer

@testable import DaemonCore

@Suite("Listings whose clients take their time", .limited)
struct ListingPauseTests {
  private let folder: TemporaryFolder
  private let log = SaidLines()
  private let pool = WorkPool("listing", threads: 2)
  private let published: PublishedLibrary
  private var library: Library

  /// A library of more songs than the kernel and a queue take.
  init() throws {
    folder = try TemporaryFolder()
    library = LibrarianFixture.library(songs: 4_000)
    published = PublishedLibrary(library)
  }

  private func serve(_ listings: Listings) throws -> VarlinkServer {
    var limits = ServerLimits()
    (limits.queueBytes, limits.drainedBytes) = (100_000, 10_000)
    let server = VarlinkServer(
      limits: limits,
      identity: ServiceIdentity(vendor: "Crated", product: "crated", version: "0", url: "")
    ) { listings.add($0) }
    try server.start(path: folder.path("socket"))
    return server
  }

  private func begin(more: Bool = true) throws -> RawClient {
    let client = try RawClient(socket: folder.path("socket"))
    let call = Call.listSongs(crate: nil, album: nil, gone: false, first: nil, count: nil)
    let message: JSON = [
      "method": .string(call.method.fullName), "parameters": call.parameters, "more": .bool(more),
    ]
    client.send(message.bytes + [0])
    return client
  }

  private final class Kept {
    let client: RawClient
    init(_ client: consuming RawClient) { self.client = client }
  }

  /// How many songs come until the end; nil where that never comes.
  private func rest(of client: borrowing RawClient) throws -> Int? {
    var count = 0
    while let reply = try client.reply() {
      count += reply["parameters"]?["songs"]?.array?.count ?? 0
      if reply["continues"]?.bool != true { return count }
    }
    return nil
  }

  /// Returns when so many have paused.
  private func wait(for paused: Int, in listings: Listings) {
    #expect(happensInTime { listings.pausedCount >= paused })
  }

  @Test("Of those that keep too many old libraries, the oldest are dropped; the others go on")
  mutating func dropped() throws {
    let listings = Listings(
      on: pool.lane(width: Listings.width), published: published,
      naming: Naming(published: published), logger: log.logger,
      limits: ListingLimits(libraries: 2, pause: 0, batchBytes: 20_000))
    let server = try serve(listings)
    let first = try begin()
    wait(for: 1, in: listings)
    let again = try begin()
    wait(for: 2, in: listings)
    listings.review()
    published.publish(library)
    let second = try begin()
    wait(for: 3, in: listings)
    // Two libraries may be kept, by however many clients.
    listings.review()
    #expect(log.all == [])
    published.publish(library)
    let third = try begin()
    wait(for: 4, in: listings)
    listings.review()
    #expect(
      log.all == [
        "notice: paused listings keep too many old libraries; dropped those of the oldest"
      ])
    #expect(try rest(of: first) == nil && rest(of: again) == nil)
    #expect(try rest(of: second) == 4_000 && rest(of: third) == 4_000)
    #expect(listings.pausedCount == 0)
    server.stop()
    pool.stop()
  }

  @Test("Eight libraries are kept unless said otherwise, and nothing is dropped for them")
  mutating func usual() throws {
    let listings = Listings(
      on: pool.lane(width: Listings.width), published: published,
      naming: Naming(published: published), logger: log.logger,
      limits: ListingLimits(pause: 0, batchBytes: 20_000))
    let server = try serve(listings)
    var clients: [Kept] = []
    for count in 1...9 {
      clients.append(Kept(try begin()))
      wait(for: count, in: listings)
      listings.review()
      #expect(log.all.count == (count == 9 ? 1 : 0), "\(count)")
      published.publish(library)
    }
    #expect(clients.count == 9)
    server.stop()
    pool.stop()
  }

  @Test("One that has paused for less than a while is dropped by nobody")
  func recent() throws {
    let listings = Listings(
      on: pool.lane(width: Listings.width), published: published,
      naming: Naming(published: published), logger: log.logger,
      limits: ListingLimits(libraries: 0, pause: .max, batchBytes: 20_000))
    let server = try serve(listings)
    let client = try begin()
    wait(for: 1, in: listings)
    listings.review()
    #expect(try rest(of: client) == 4_000 && log.all == [])
    server.stop()
    pool.stop()
  }

  @Test("What is far too long for one reply is refused before all of it is worked out")
  func tooLong() throws {
    var limits = ServerLimits()
    limits.singleReplyBytes = 50_000
    let answered = Monitor<[Bool]>([])
    let (library, numbered) = published.numbered
    let server = VarlinkServer(
      limits: limits,
      identity: ServiceIdentity(vendor: "Crated", product: "crated", version: "0", url: "")
    ) { request in
      guard let window = try? Window(first: nil, count: nil) else { return }
      let songs = ListedSongs(of: library.crates, in: library, gone: false, window: window)
      var rest = RestOfListing(songs, request, numbered, ListingLimits(batchBytes: 20_000))
      var turns = [rest.library == numbered]
      while rest.goOn() { turns.append(true) }
      answered.withLock { $0 = turns }
    }
    try server.start(path: folder.path("socket"))
    let client = try begin(more: false)
    let reply = try client.reply()
    #expect(reply?["error"]?.string?.hasSuffix("ExpectedMore") == true)
    // Twice as much as fits, in turns of a batch.
    let turns = answered.wait { $0.isEmpty ? nil : $0 }
    #expect((4...6).contains(turns.count) && turns[0])
    server.stop()
  }
}
