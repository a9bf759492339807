import Glibc
import LibraryModel
import Platform
import Synchronization
import TestSupport
import Testing

@testable import Playlists

/// Something that listens where MPD would, and answers what it is told to.
private final class Listener: Sendable {
  let path: String
  /// What it was sent.
  let received = Monitor<[String]>([])
  private let thread: Mutex<BlockingThread?>
  private let listening: OpenFile

  /// - Parameter answers: the greeting, and what follows each line; nil: nothing more.
  init(_ folder: TemporaryFolder, _ answers: [String?], lists: String) throws {
    path = folder.path("socket")
    let type = Int32(SOCK_STREAM.rawValue) | Int32(SOCK_CLOEXEC.rawValue)
    let descriptor = socket(AF_UNIX, type, 0)
    listening = OpenFile(owning: descriptor)
    var address = sockaddr_un()
    address.sun_family = sa_family_t(AF_UNIX)
    let bytes = Array(path.utf8)
    withUnsafeMutableBytes(of: &address.sun_path) { $0.copyBytes(from: bytes) }
    let bound = withUnsafePointer(to: &address) {
      $0.withMemoryRebound(to: sockaddr.self, capacity: 1) {
        bind(descriptor, $0, socklen_t(MemoryLayout<sockaddr_un>.size))
      }
    }
    try #require(bound == 0 && listen(descriptor, 4) == 0)
    let received = received
    thread = Mutex(nil)
    let running = BlockingThread("fake mpd") {
      let client = accept(descriptor, nil, nil)
      if client < 0 { return }
      let connection = OpenFile(owning: client)
      for answer in answers {
        guard let answer else { break }
        _ = send(client, answer, answer.utf8.count, Int32(truncatingIfNeeded: MSG_NOSIGNAL))
        var room = [UInt8](repeating: 0, count: 4096)
        let count = recv(client, &room, room.count, 0)
        if count <= 0 { break }
        // MPD sees the list that it is to remove.
        let isThere = access("\(lists)/.crated-news.m3u", F_OK) == 0
        let line = String(decoding: room[..<count], as: UTF8.self)
        received.withLock { $0.append(line + (isThere ? "there" : "missing")) }
      }
      // Holds the connection until the other end lets go.
      var rest: UInt8 = 0
      while recv(connection.descriptor, &rest, 1, 0) > 0 {}
    }
    thread.withLock { $0 = running }
  }

  func end() {
    shutdown(listening.descriptor, Int32(SHUT_RDWR))
    thread.withLock { $0.take() }?.join()
  }
}

@Suite("Telling MPD", .limited)
struct MPDSocketTests {
  private let folder: TemporaryFolder
  private let lists: String

  init() throws {
    folder = try TemporaryFolder()
    lists = try folder.makeFolder("Lists")
  }

  private func tell(_ path: String) -> Bool {
    MPDSocket([BytePath(folder.path("nobody")), BytePath(path)]).announceChange(in: BytePath(lists))
  }

  @Test("it is asked to remove a hidden list, which is there then and gone afterwards")
  func told() throws {
    let listener = try Listener(folder, ["OK MPD 0.23.12\n", "OK\n"], lists: lists)
    #expect(tell(listener.path))
    listener.end()
    #expect(listener.received.withLock { $0 } == ["rm \".crated-news\"\nthere"])
    #expect(try names(in: lists).isEmpty && openFiles(below: lists).isEmpty)
  }

  @Test("where there is no directory of lists nothing is told")
  func noLists() throws {
    let listener = try Listener(folder, ["OK MPD 0.23.12\n", "OK\n"], lists: lists)
    removeTree(lists)
    #expect(!tell(listener.path))
    listener.end()
    #expect(listener.received.withLock { $0 } == [])
  }

  @Test("it is looked for where it listens if nobody says otherwise, the person's own first")
  func usual() {
    let system = BytePath("/run/mpd/socket")
    #expect(MPDSocket.usual(runtime: nil) == MPDSocket([system]))
    #expect(
      MPDSocket.usual(runtime: "/run/user/7")
        == MPDSocket([BytePath("/run/user/7/mpd/socket"), system]))
  }

  @Test("whatever else answers, nothing is left, and it is over in a second")
  func refused() throws {
    let refusal = "ACK [50@0] {rm} No such playlist\n"
    for answers in [
      ["OK MPD 0.23.12\n", refusal], ["220 smtp\n"], [nil], ["OK MPD"], ["OK MPD 1\n", nil],
      [String(repeating: "x", count: 10_000)], ["OK MPD 1\n", "OK"],
    ] {
      let folder = try TemporaryFolder()
      let listener = try Listener(folder, answers, lists: lists)
      let start = Clock.system.monotonic()
      #expect(!tell(listener.path), "\(answers)")
      #expect(Clock.system.monotonic() - start < 10 * MPDSocket.timeout, "\(answers)")
      listener.end()
      #expect(try names(in: lists).isEmpty, "\(answers)")
    }
  }

  @Test("where nobody listens nothing is made")
  func nobody() throws {
    try folder.write("no socket", to: "file")
    #expect(!tell(folder.path("file")))
    #expect(!MPDSocket([]).announceChange(in: BytePath(lists)))
    #expect(!tell("/" + String(repeating: "x", count: 200)))
    #expect(try names(in: lists).isEmpty)
  }
}
