import Glibc
import ProgramSupport
import TestSupport
import Testing

/// strace on a daemon that runs: what it asks of the kernel, and faults in place of the kernel's
/// answers. The faults are over when it ends.
final class Tracer {
  private let program: RunningProgram
  private let trace: String

  /// Sees every call from the moment that this returns.
  ///
  /// - Parameters:
  ///   - thread: the one that is looked at; nil: all.
  ///   - faults: as strace's inject= takes them.
  ///   - paths: only calls that have to do with one of them, where there are any.
  init(
    _ daemon: RunningDaemon, thread name: String?, _ home: Home, faults: [String] = [],
    paths: [String] = []
  ) throws {
    trace = home.folder.path("trace")
    let target = try name.map { try Self.thread($0, of: daemon) } ?? daemon.pid
    let options =
      Self.options(trace, faults, paths) + (name == nil ? ["-f"] : []) + ["-p", "\(target)"]
    program = try RunningProgram(
      "sh", ["-c", "exec strace \"$@\" 2>&1", "strace"] + options, environment: home.environment,
      errors: home.folder.path("strace.log"))
    let line = try program.nextLine() ?? ""
    try #require(line.contains("attached"), "\(line)")
  }

  /// Ends the faults, and says what was seen.
  func end() throws -> [TracedCall] {
    program.signal(SIGTERM)
    _ = try program.end()
    return try TracedCall.read(trace)
  }

  /// What a daemon is put behind to have its main thread, or all its threads, traced from its first
  /// call on. The trace is whole when it has ended.
  static func inFront(
    _ home: Home, ofAllThreads: Bool = false, paths: [String], faults: [String]
  ) -> [String] {
    ["strace", "-D"] + (ofAllThreads ? ["-f"] : [])
      + options(home.folder.path("trace"), faults, paths)
  }

  private static func options(_ trace: String, _ faults: [String], _ paths: [String]) -> [String] {
    ["-y", "-s", "65536", "-o", trace] + faults.flatMap { ["-e", "inject=\($0)"] }
      + paths.flatMap { ["-P", $0] }
  }

  private static func thread(_ name: String, of daemon: RunningDaemon) throws -> pid_t {
    let tasks = "/proc/\(daemon.pid)/task"
    var found: [String] = []
    // One that it has just made is called as it is, until it has a name of its own.
    let isOne = try happensInTime {
      let names = try run("sh", ["-c", "cd \(tasks) && grep -lx '\(name)' */comm"]).output
      found = names.split(separator: "\n").map(String.init)
      return found.count == 1
    }
    try #require(isOne, "threads called \(name): \(found)")
    return try #require(pid_t(found[0].prefix { $0 != "/" }))
  }
}

/// A system call as strace saw it.
struct TracedCall {
  var name: String
  /// The call's arguments and its result.
  var text: String
  /// Where in the trace it was begun, and where it had returned.
  var begun: Int
  var ended: Int

  /// Proves that the fault was made.
  var isInjected: Bool { text.hasSuffix("(INJECTED)") || text.hasSuffix("(DELAYED)") }
  var hasFailed: Bool { text.contains(") = -1 ") }

  /// Whether one of its descriptors is of this file.
  func isOf(_ path: String) -> Bool { text.contains("<\(path)>") }

  static func read(_ path: String) throws -> [TracedCall] {
    var calls: [TracedCall] = []
    // By thread, what has not returned yet.
    var open: [Substring: Int] = [:]
    let lines = String(decoding: try readFile(path), as: UTF8.self).split(separator: "\n")
    for (number, line) in lines.enumerated() {
      let thread = line.prefix(while: \.isNumber)
      let rest = line.dropFirst(thread.count).drop { $0 == " " }
      if rest.hasPrefix("<... ") {
        guard let call = open.removeValue(forKey: thread), let end = rest.firstIndex(of: ">")
        else { continue }
        calls[call].text += String(rest[rest.index(after: end)...])
        calls[call].ended = number
      } else if let bracket = rest.firstIndex(of: "("), !rest.hasPrefix("+"), !rest.hasPrefix("-") {
        let text = String(rest[bracket...].replacing(" <unfinished ...>", with: ""))
        if rest.hasSuffix("<unfinished ...>") { open[thread] = calls.count }
        calls.append(
          TracedCall(name: String(rest[..<bracket]), text: text, begun: number, ended: number))
      }
    }
    // What never returned had no result to act on.
    for call in open.values { calls[call].ended = .max }
    return calls
  }
}
