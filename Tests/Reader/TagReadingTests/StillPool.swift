import Glibc
import LibraryModel
import Platform
import TestSupport
import Testing

@testable import TagReading

/// Parts of a pool of which no thread is started, and a clock that is turned by hand.
final class StillPool {
  let asked = AskedFile()
  let share = ShareID(number: 0)
  let time = Monitor<Int64>(5_000)
  /// The readers' ends, as long as they are to be there.
  private var ends: [Int32] = []
  private(set) var processes: [pid_t] = []

  deinit {
    for end in ends { close(end) }
    for process in processes where kill(process, SIGKILL) == 0 {
      _ = retrying { waitpid(process, nil, 0) }
    }
  }

  func turn(to now: Int64) { time.withLock { $0 = now } }

  func loop(
    _ count: Int = 2, program: String = "/nowhere/reader",
    _ change: (inout ReaderLimits) -> Void = { _ in }
  ) throws -> ReaderLoop {
    var limits = ReaderLimits()
    change(&limits)
    var queue = ReaderQueue()
    _ = queue.share(of: BytePath("/a"))
    return ReaderLoop(
      launch: ReaderLaunch(program: BytePath(program), argument: "1000"), count: count,
      clock: Clock(monotonic: { [time] in time.withLock { $0 } }, wall: Clock.system.wall),
      limits: limits, queue: Monitor(queue), wakeUp: try WakeUp())
  }

  /// A process of ours that does nothing, and another end of a socket than its own.
  func reader(now: Int64, greets: Bool = true) throws -> ReaderConnection {
    let launch = ReaderLaunch(program: BytePath("/bin/sleep"), argument: "1000")
    let process = try launch.start().process
    processes.append(process)
    var pair: [Int32] = [-1, -1]
    let kind = Int32(SOCK_STREAM.rawValue | SOCK_CLOEXEC.rawValue)
    try #require(socketpair(AF_UNIX, kind, 0, &pair) == 0)
    try #require(fcntl(pair[0], F_SETFL, O_NONBLOCK) == 0)
    ends.append(pair[1])
    let reader = ReaderConnection(
      LaunchedReader(process: process, socket: OpenFile(owning: pair[0])), now: now)
    if greets {
      try writeAll(ReaderReply.greeting + [0], to: pair[1])
      _ = reader.receive(now: now, greeted: {}, answer: { _, _ in })
      try #require(reader.hasGreeted)
    }
    return reader
  }

  func job(
    _ name: String, _ care: ReaderJob.Care = .none, generation: Int = 0, of share: ShareID? = nil,
    stamp: FileStamp = stamp(0)
  ) -> ReaderJob {
    let file = asked.file(share ?? self.share, name, stamp: stamp)
    var job = ReaderJob(file, generation: generation)
    job.care = care
    return job
  }

  func names(_ jobs: [ReaderJob]?) -> [String] { (jobs ?? []).map(\.file.pathExtension) }

  func names(of files: [FileToRead]) -> [String] { files.map(\.pathExtension) }

  func told() -> [String] { asked.outcomes.withLock { $0 } }

  /// A process that is ended with the others.
  func note(_ process: pid_t) { processes.append(process) }

  /// They are gone already.
  func forgetProcesses() { processes = [] }
}
