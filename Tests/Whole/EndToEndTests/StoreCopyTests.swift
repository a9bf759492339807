import CratesInterface
import Glibc
import LibraryModel
import LibraryStore
import Platform
import ProgramSupport
import TestSupport
import Testing

/// What a backup program finds that looks while the daemon writes.
@Suite("Copies of a store in use", .serialized, .limited)
struct StoreCopyTests {
  let home: Home

  init() throws {
    home = try Home()
    try SmallLibrary.write(albums: 4, to: home.music)
  }

  private struct CopyNeverFinished: Error {}

  private struct Copy {
    var folder: TemporaryFolder
    /// The number of the last change that was answered before the copying began.
    var answered: Int
  }

  @Test("A copy that is made at any moment has all that was answered before it, and no more")
  func copies() throws {
    var daemon = try RunningDaemon(home)
    let first = try CratesClient(home)
    let answered = Monitor(try first.sync())
    let albums = try first.albums().map(\.id)
    let isOver = Monitor(false)
    func change() -> [BlockingThread] {
      (0..<3).map { number in
        let socket = home.socket
        return BlockingThread("client") {
          Self.change(socket, albums[number], answered, isOver)
        }
      }
    }
    var clients = change()
    var copies: [Copy] = []
    for number in 0..<Effort.runs(50, nightly: 100) {
      let copy = try copyStore(answered)
      let before = copy.answered
      copies.append(copy)
      if number % 25 == 24 {
        // Each life has a generation of its own.
        try daemon.kill()
        for client in clients { client.join() }
        daemon = try RunningDaemon(home)
        clients = change()
      }
      // Waiting lets something happen between two copies.
      let deadline = Patience.end
      let goesOn: Void? = answered.wait(until: deadline) { $0 > before ? () : nil }
      #expect(goesOn != nil)
    }
    isOver.withLock { $0 = true }
    for client in clients { client.join() }
    try daemon.stop()

    let last = try Recovery.open(DiskFiles(directory: BytePath(home.store)))
    for copy in copies {
      let path = copy.folder.path("store")
      let opened = try Recovery.open(DiskFiles(directory: BytePath(path)))
      let sequence = opened.library.sequence
      #expect(opened.store.state == .ready, "\(opened.notes)")
      #expect(sequence >= copy.answered, "an answer is lost")
      let then = try #require(try last.store.library(at: sequence), "\(sequence) is no change's")
      #expect(Snapshot.text(opened.library) == Snapshot.text(then), "at \(sequence)")
    }
    let found = Set(copies.map(\.answered))
    #expect(found.count > copies.count / 2, "the copies are of different moments")
    // The real daemon reads it as well.
    let copy = try #require(copies.last)
    removeTree(home.store)
    try #require(try run("cp", ["-a", copy.folder.path("store"), home.store]).status == 0)
    try RunningDaemon(home).stop()
  }

  /// A generation that is archived, or gets its name, while it is copied is gone from where it was:
  /// the copying program says so with its status, and the copy is made again, as people would.
  private func copyStore(_ answered: Monitor<Int>) throws -> Copy {
    for _ in 0..<10 {
      let copy = Copy(folder: try TemporaryFolder(), answered: answered.withLock { $0 })
      let result = try run("cp", ["-a", home.store, copy.folder.path("store")])
      if result.status == 0 { return copy }
      let lines = result.errors.split(separator: "\n")
      try #require(lines.allSatisfy { $0.hasSuffix("No such file or directory") }, "\(lines)")
    }
    throw CopyNeverFinished()
  }

  /// Moves an album up and down until it is over, or the daemon is.
  private static func change(
    _ socket: String, _ album: String, _ answered: Monitor<Int>, _ isOver: Monitor<Bool>
  ) {
    guard let connection = try? RawClient(socket: socket) else { return }
    var isUp = false
    while !isOver.withLock({ $0 }) {
      isUp.toggle()
      let call = Call.moveAlbums(
        albums: [album], place: isUp ? .top : .bottom, crate: nil, sequence: nil)
      let message: JSON = [
        "method": .string(call.method.fullName), "parameters": call.parameters,
      ]
      guard connection.send(message.bytes + [0]), let reply = try? connection.reply(),
        let sequence = reply["parameters"]?["change"]?["sequence"]?.integer
      else { return }
      answered.withLock { $0 = max($0, sequence) }
    }
  }
}
