import Arguments
import CratesInterface
import Platform

/// A long-running call with a progress display.
enum Progress {
  /// The interval of updates, in nanoseconds: the bar moves five times a second.
  private static let pause: Int64 = 200_000_000

  static func show(_ call: Call, _ options: CommonOptions) throws(Failure) {
    let daemon = try DaemonConnection(options)
    var last: JSON = .null
    let bar = options.json ? nil : LiveBar(options, every: pause)
    do {
      // The bar is erased before any other output, including errors.
      defer { bar?.end() }
      try daemon.eachReply(to: call) { parameters throws(Failure) in
        last = parameters
        guard let scanned = parameters["scanned"]?.integer else { return }
        if options.json {
          Output.line(parameters)
          Output.flush()
        } else {
          bar?.show(scanned: scanned, of: parameters["toScan"]?.integer)
        }
      }
    }
    // The last reply, and only that, tells no progress.
    if options.json {
      Output.line(last)
    } else if let sequence = last["sequence"]?.integer {
      Output.line("up to date, at change \(sequence)")
    }
    Output.flush()
  }
}

/// A progress bar on a thread of its own, which polls the daemon's status while the call waits.
/// Does nothing if standard error is not a terminal.
private final class LiveBar: Sendable {
  private struct State {
    var noted: (scanned: Int, total: Int?)?
    var hasEnded = false
  }

  private let state = Monitor(State())
  private let thread: BlockingThread?

  init(_ options: CommonOptions, every pause: Int64) {
    guard Terminal.errors.isTerminal else {
      thread = nil
      return
    }
    let (state, socket) = (state, options.socket)
    thread = BlockingThread("progress") {
      let options = try? CommonOptions.parse(socket.map { ["--socket", $0] } ?? [])
      let daemon = options.flatMap { try? DaemonConnection($0, isPersonWaiting: false) }
      var bar = ProgressBar()
      while true {
        let deadline = Clock.system.monotonic() + pause
        let ended: Bool? = state.wait(until: deadline) { $0.hasEnded ? true : nil }
        if ended == true { return bar.end() }
        let noted = state.withLock { $0.noted }
        if let status = try? daemon?.status(), let scan = Scan(status) {
          bar.show(scanned: scan.scanned, of: scan.toScan)
        } else {
          bar.show(scanned: noted?.scanned ?? 0, of: noted?.total)
        }
      }
    }
  }

  func show(scanned: Int, of total: Int?) {
    state.withLock { $0.noted = (scanned, total) }
  }

  /// Erases the bar.
  func end() {
    state.withLock { $0.hasEnded = true }
    thread?.join()
  }
}
