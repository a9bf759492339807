import Glibc
import LibraryModel
import LogSupport
import Platform
import Playlists
import TestSupport
import Testing

@testable import DaemonCore

@Suite("Telling MPD beside everything else", .limited)
final class MPDTellingTests {
  private let folder: TemporaryFolder
  private let listening: OpenFile

  init() throws {
    folder = try TemporaryFolder()
    let type = Int32(SOCK_STREAM.rawValue) | Int32(SOCK_CLOEXEC.rawValue)
    let descriptor = socket(AF_UNIX, type, 0)
    listening = OpenFile(owning: descriptor)
    var address = sockaddr_un()
    address.sun_family = sa_family_t(AF_UNIX)
    let bytes = Array(folder.path("socket").utf8)
    withUnsafeMutableBytes(of: &address.sun_path) { $0.copyBytes(from: bytes) }
    let bound = withUnsafePointer(to: &address) {
      $0.withMemoryRebound(to: sockaddr.self, capacity: 1) {
        bind(descriptor, $0, socklen_t(MemoryLayout<sockaddr_un>.size))
      }
    }
    try #require(bound == 0 && listen(descriptor, 16) == 0)
  }

  private func tell(_ telling: MPDTelling) {
    let socket = MPDSocket([BytePath(folder.path("socket"))])
    telling.tell(socket, of: BytePath(folder.path))
  }

  @Test("what comes while MPD is asked is told when it has answered, once")
  func waiting() {
    let telling = MPDTelling(.system)
    tell(telling)
    // Three more, before anybody answers.
    for _ in 0..<3 { tell(telling) }
    for _ in 0..<2 {
      let client = OpenFile(owning: accept(listening.descriptor, nil, nil))
      let words = "OK MPD 0.23.5\nOK\n"
      _ = send(client.descriptor, words, words.utf8.count, Int32(truncatingIfNeeded: MSG_NOSIGNAL))
      var room = [UInt8](repeating: 0, count: 100)
      #expect(recv(client.descriptor, &room, room.count, 0) > 0)
      // Until it lets go.
      #expect(recv(client.descriptor, &room, room.count, 0) == 0)
    }
    telling.waitUntilIdle()
    #expect(connections == 0)
  }

  @Test("MPD hears of lists of its kind that were written, and of no others")
  func kinds() throws {
    var library = Library()
    library.away.folders = [BytePath("/m")]
    try library.addOneSong()
    for (ending, heard) in [(PlaylistEnding.m3u, 1), (.m3u8, 0)] {
      let lists = try folder.makeFolder("lists \(heard)")
      let behind = Monitor(MPDTelling.rest)
      let clock = Clock(
        monotonic: { Clock.system.monotonic() - behind.withLock { $0 } }, wall: Clock.system.wall)
      let service = PlaylistService(
        published: PublishedLibrary(library), clock: clock, logger: SaidLines().logger)
      let settings = PlaylistSettings(
        directory: BytePath(lists), state: BytePath(folder.path("state \(heard)")),
        ending: ending)
      service.keep(settings, telling: MPDSocket([BytePath(folder.path("socket"))]))
      service.wait(forRounds: 1)
      service.telling.waitUntilIdle()
      #expect(try names(in: lists).count > 0 && connections == heard)
      // All is there already, and it is asked again, though it has not answered.
      behind.withLock { $0 = 0 }
      service.keep(settings, telling: MPDSocket([BytePath(folder.path("socket"))]))
      service.wait(forRounds: 2)
      service.stop()
      service.telling.waitUntilIdle()
      #expect(connections == 0)
    }
  }

  @Test("one that hangs holds up nobody, and is left alone for a minute")
  func hanging() {
    let start = Clock.system.monotonic()
    let later = Monitor<Int64>(0)
    let telling = MPDTelling(
      Clock(
        monotonic: { Clock.system.monotonic() + later.withLock { $0 } }, wall: Clock.system.wall))
    for _ in 0..<100 { tell(telling) }
    // One that waited would be given up after a second, and a hundred after a hundred.
    #expect(Clock.system.monotonic() - start < 20_000_000_000)
    telling.waitUntilIdle()
    #expect(Clock.system.monotonic() - start >= 1_000_000_000)
    #expect(connections == 1)
    tell(telling)
    later.withLock { $0 = MPDTelling.rest - 5_000_000_000 }
    tell(telling)
    telling.waitUntilIdle()
    #expect(connections == 0)
    later.withLock { $0 = MPDTelling.rest }
    tell(telling)
    telling.waitUntilIdle()
    #expect(connections == 1)
  }

  @Test("one that is not there hangs if that took half a second to be found out, and for a minute")
  func limits() {
    for (took, asked) in [
      (MPDTelling.hang, [0: true]),
      (MPDTelling.hang + 1, [0: false, MPDTelling.rest - 1: false, MPDTelling.rest: true]),
    ] {
      let times = Monitor<[Int64]>([0, 0])
      let now = Monitor(took)
      let telling = MPDTelling(
        Clock(
          monotonic: {
            times.withLock { $0.isEmpty ? now.withLock { $0 } : $0.removeFirst() }
          }, wall: Clock.system.wall))
      let nobody = MPDSocket([BytePath(folder.path("nobody"))])
      telling.tell(nobody, of: BytePath(folder.path))
      telling.waitUntilIdle()
      for (rested, isAsked) in asked.sorted(by: { $0.key < $1.key }) {
        now.withLock { $0 = took + rested }
        tell(telling)
        telling.waitUntilIdle()
        #expect(connections == (isAsked ? 1 : 0), "\(took) \(rested)")
      }
    }
  }

  /// How many connections nobody has taken yet.
  private var connections: Int {
    var count = 0
    #expect(fcntl(listening.descriptor, F_SETFL, O_NONBLOCK) == 0)
    while case let client = accept(listening.descriptor, nil, nil), client >= 0 {
      close(client)
      count += 1
    }
    return count
  }
}
