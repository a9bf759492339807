import CratesInterface
import Glibc
import Platform
import ProgramSupport
import TestSupport
import Testing

/// What the kernel saw of commits.
@Suite("Commits in a trace of system calls", .serialized, .limited)
struct GroupCommitTests {
  let home: Home
  let daemon: RunningDaemon

  init() throws {
    home = try Home()
    try SmallLibrary.write(albums: 4, to: home.music)
    daemon = try RunningDaemon(home)
    try daemon.sync()
  }

  @Test("Edits that wait share one sync; none is answered before it, and no batch overtakes one")
  func groups() throws {
    let client = try CratesClient(home)
    let (songs, before) = (try client.songs(), try client.status().sequence)
    let journal = try #require(try home.newestJournal())
    // A disk so slow that others come meanwhile, as a real one is.
    let tracer = try Tracer(
      daemon, thread: nil, home, faults: ["fdatasync:delay_enter=100000"])
    let (clients, rounds) = (12, 6)
    let threads = (0..<clients).map { number in
      let (socket, song) = (home.socket, songs[number].id)
      return BlockingThread("client") {
        do {
          let client = try CratesClient(socket: socket)
          for round in 0..<rounds {
            try client.move(songs: [song], round % 2 == number % 2 ? .top : .bottom)
          }
        } catch {
          Issue.record("\(error)")
        }
      }
    }
    for thread in threads { thread.join() }
    let calls = try tracer.end()
    let writes = calls.filter { $0.name == "write" && $0.isOf(journal) }
    let syncs = calls.filter { $0.name == "fdatasync" && $0.isOf(journal) }
    #expect(syncs.allSatisfy { !$0.hasFailed && $0.isInjected })
    try #require(writes.count == syncs.count && !writes.isEmpty)
    for (index, (write, sync)) in zip(writes, syncs).enumerated() {
      #expect(write.ended < sync.begun)
      if index > 0 { #expect(syncs[index - 1].ended < write.begun, "batch \(index)") }
    }
    // By the number of the last line that each of them made safe.
    let covered = try writes.map { try #require(Self.lastSequence(in: $0)) }
    var answers = 0
    var most = 0
    for call in calls where !call.isOf(journal) && call.text.contains(#"{\"change\":"#) {
      guard ["write", "writev", "sendto", "sendmsg"].contains(call.name) else { continue }
      // Where there was nothing to do, there is an older number.
      for sequence in Self.sequences(in: call) where sequence > before {
        answers += 1
        let batch = try #require(covered.firstIndex { $0 >= sequence })
        #expect(syncs[batch].ended < call.begun, "\(sequence) was answered early")
        most = max(most, sequence)
      }
    }
    #expect(answers > clients * rounds / 2, "the answers were seen: \(answers)")
    #expect(most <= covered.last ?? 0)
    #expect(syncs.count * 3 < answers, "\(syncs.count) syncs for \(answers) answers")
    try daemon.stop()
  }

  @Test("While the disk takes its time over a change, everything is read")
  func slowDisk() throws {
    let client = try CratesClient(home)
    let song = try client.songs()[0].id
    let tracer = try Tracer(
      daemon, thread: "librarian", home, faults: ["fdatasync:delay_enter=8000000:when=1"])
    let isAnswered = Monitor(false)
    let socket = home.socket
    let writer = BlockingThread("writer") {
      do {
        try CratesClient(socket: socket).move(songs: [song], .bottom)
      } catch {
        Issue.record("\(error)")
      }
      isAnswered.withLock { $0 = true }
    }
    let before = try client.order()
    for _ in 0..<20 { #expect(try client.order() == before) }
    #expect(!isAnswered.withLock { $0 }, "nobody waited for the disk")
    writer.join()
    #expect(try client.order() != before)
    #expect(try tracer.end().contains { $0.name == "fdatasync" && $0.isInjected })
    try daemon.stop()
  }

  /// The number in a record's first line: "change 48214 2026-…"
  private static func lastSequence(in write: TracedCall) -> Int? {
    let lines = write.text.split(separator: #"\n"#)
    return lines.compactMap { line in
      line.firstMatch(of: /change (\d+) 20\d\d-/).flatMap { Int($0.1) }
    }.last
  }

  private static func sequences(in call: TracedCall) -> [Int] {
    call.text.matches(of: /\\"sequence\\":(\d+)/).compactMap { Int($0.1) }
  }
}
