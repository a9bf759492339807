import CratesInterface
package import Glibc
import Platform
package import TestSupport
package import Testing

/// The real `crated` in a home of its own. It ends with this value at the latest.
package final class RunningDaemon {
  package let program: RunningProgram
  private let home: Home
  private let manager: NotifySocket

  package var pid: pid_t { program.process }

  /// What it told before what was waited for.
  package private(set) var passedNews: [Substring] = []

  /// Returns when it has told its service manager, which this is, that it is ready.
  ///
  /// - Parameters:
  ///   - tracer: the command line that it is put behind.
  ///   - news: what to wait for instead.
  package init(
    _ home: Home, program path: String? = nil, behind tracer: [String] = [],
    until news: Substring = "READY=1"
  ) throws {
    self.home = home
    manager = try NotifySocket(home)
    var environment = home.environment
    environment["NOTIFY_SOCKET"] = manager.address
    let words = home.prefix + tracer + [try path ?? Home.program("crated")]
    program = try RunningProgram(
      words[0], Array(words.dropFirst()), environment: environment, errors: home.log)
    try awaitNews(news)
  }

  deinit {
    guard let status = program.endedUnseen() else { return }
    Issue.record("crated ended with status \(status):\n\(log)")
  }

  private func waitUntilReady() throws { try awaitNews("READY=1") }

  /// Waits until it tells its service manager this.
  package func awaitNews(_ news: Substring) throws {
    let end = Patience.end
    var lives = true
    // Others may come again and again.
    while lives, Clock.system.monotonic() < end {
      lives = try program.waits(for: manager.descriptor)
      while let lines = manager.next() {
        if lines.contains(news) { return }
        passedNews += lines
      }
    }
    throw EndedEarly(status: try program.end(), log: log)
  }

  /// What it has told the service manager since the last time.
  package func news() -> [Substring] { manager.news() }

  /// What it has told of itself since the last time.
  package func statusLines() -> [String] {
    news().filter { $0.hasPrefix("STATUS=") }.map { String($0.dropFirst(7)) }
  }

  /// SIGHUP, and the news that the settings were taken.
  package func reload() throws {
    program.signal(SIGHUP)
    try waitUntilReady()
  }

  /// What it said so far.
  package var log: String {
    String(decoding: (try? readFile(home.log)) ?? [], as: UTF8.self)
  }

  /// Waits for everything that happened in the music folders.
  package func sync(_ location: SourceLocation = #_sourceLocation) throws {
    try home.crate(["sync"], location)
  }

  /// SIGTERM, and exit status 0.
  package func stop(_ location: SourceLocation = #_sourceLocation) throws {
    program.signal(SIGTERM)
    let status = try program.end()
    #expect(status == 0, "\(log)", sourceLocation: location)
  }

  /// The processes that it has started, which are readers.
  package func children() throws -> Set<pid_t> {
    let tasks = "/proc/\(pid)/task"
    let texts = try names(in: tasks).map { task in
      // A thread may end meanwhile.
      (try? readFile("\(tasks)/\(task)/children")) ?? []
    }
    return Set(
      texts.flatMap { String(decoding: $0, as: UTF8.self).split(separator: " ") }
        .compactMap { pid_t($0) })
  }

  /// Files, sockets and the like that it has open.
  package func openFiles() throws -> [String] {
    let folder = "/proc/\(pid)/fd"
    return try names(in: folder).compactMap { name in
      // One may be closed meanwhile.
      realpath("\(folder)/\(name)", nil).map { path in
        defer { free(path) }
        return String(cString: path)
      }
    }
  }

  /// Bytes of memory: those it may use, and those it does. See proc(5), statm.
  package func memory() throws -> (mapped: Int, resident: Int) {
    let text = String(decoding: try readFile("/proc/\(pid)/statm"), as: UTF8.self)
    let pages = text.split(separator: " ").prefix(2).compactMap { Int($0) }
    try #require(pages.count == 2)
    let page = sysconf(Int32(_SC_PAGESIZE))
    return (pages[0] * page, pages[1] * page)
  }

  /// Ends it as kill -9 does.
  package func kill() throws {
    program.signal(SIGKILL)
    #expect(try program.end() == 128 + SIGKILL)
  }

  package struct EndedEarly: Error {
    package var status: Int32
    package var log: String
  }

  /// A crated that does not start: its exit status, and what it says.
  package static func refusal(
    _ home: Home, _ arguments: [String] = []
  ) throws -> (status: Int32, lines: [Substring]) {
    let words = Home.limit + [try Home.program("crated")] + arguments
    let result = try run("timeout", words, environment: home.environment)
    return (result.status, result.errors.split(separator: "\n"))
  }
}

package func datagramSocket(boundTo path: String) throws -> Int32 {
  let type = Int32(SOCK_DGRAM.rawValue) | Int32(SOCK_CLOEXEC.rawValue)
  let descriptor = socket(AF_UNIX, type, 0)
  let bound = withSocketAddress(path) { bind(descriptor, $0, $1) }
  guard bound == 0 else { throw SystemCallError("bind", path) }
  // A daemon that runs as somebody else writes to it, too.
  chmod(path, 0o777)
  return descriptor
}

package func withSocketAddress<Result>(
  _ path: String, _ body: (UnsafePointer<sockaddr>, socklen_t) -> Result
) -> Result {
  var address = sockaddr_un()
  address.sun_family = sa_family_t(AF_UNIX)
  withUnsafeMutableBytes(of: &address.sun_path) { $0.copyBytes(from: Array(path.utf8)) }
  return withUnsafePointer(to: &address) {
    $0.withMemoryRebound(to: sockaddr.self, capacity: 1) {
      body($0, socklen_t(MemoryLayout<sockaddr_un>.size))
    }
  }
}
