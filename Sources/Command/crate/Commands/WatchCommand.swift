import Arguments
import CratesInterface
import Platform

struct WatchCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "watch", abstract: "Print changes as they happen, one a line.",
    discussion: """
      With --follow it keeps running when crated restarts, and continues after the last change \
      that it saw.
      """)

  @OptionGroup var common: CommonOptions
  @Option(help: ArgumentHelp("Start with the changes after this one.", valueName: "n"))
  var since: Int?
  @Flag(help: "Wait for crated if it isn't running, and continue when it restarts.")
  var follow = false

  /// The pause between attempts to connect, in nanoseconds.
  private static let pause: Int64 = 500_000_000

  func run() throws {
    var last = since
    while true {
      do throws(Failure) {
        try watch(&last)
        throw Self.hasStopped
      } catch {
        let isPassing = error.status == .notRunning || error.status == .tryAgain
        guard follow, isPassing else { throw error }
      }
      let clock = Clock.system
      Monitor(()).wait(until: clock.monotonic() + Self.pause) { _ -> Void? in nil }
    }
  }

  private static let hasStopped = Failure(
    status: .notRunning, message: "crated has stopped; --follow waits for it")

  /// Prints changes until the stream ends.
  private func watch(_ last: inout Int?) throws(Failure) {
    let daemon = try DaemonConnection(common)
    var sequence = last
    defer { last = sequence }
    var hasBegun = false
    do throws(Failure) {
      try watch(daemon, since: last) { change, object in
        hasBegun = true
        sequence = sequence.map { max($0, change.sequence) } ?? change.sequence
        if common.json {
          Output.line(object)
        } else if let line = Self.line(change) {
          Output.line(line)
        }
        Output.flush()
      }
    } catch {
      // The daemon ends the stream only when it stops.
      throw hasBegun && error.status == .notRunning ? Self.hasStopped : error
    }
  }

  private func watch(
    _ daemon: DaemonConnection, since: Int?, _ body: (Interface.Change, JSON) -> Void
  ) throws(Failure) {
    try daemon.eachReply(to: .watch(since: since)) { parameters throws(Failure) in
      let object = parameters["change"] ?? .null
      body(try DaemonConnection.structure(object), object)
    }
  }

  /// Returns nil for a change without effect.
  static func line(_ change: Interface.Change) -> String? {
    guard change.changed || !change.complete else { return nil }
    let summary = change.summary.isEmpty ? "changes" : Shown.harmless(change.summary)
    let notes = change.notes.isEmpty ? "" : " (\(shortened(change.notes)))"
    let origin = change.origin.map { "by \(Shown.harmless($0))  " } ?? ""
    return "\(Shown.time(change.time))  \(origin)\(summary)\(notes)"
  }

  private static func shortened(_ notes: [String]) -> String {
    let more = notes.count > 1 ? " and \(Shown.count(notes.count - 1)) more" : ""
    return Shown.harmless(notes[0]) + more
  }
}
