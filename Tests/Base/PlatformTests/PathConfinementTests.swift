import Glibc
import Platform
import TestSupport
import Testing

@Suite("Giving up all that is not open", .limited, .enabled(if: !isSanitized))
struct PathConfinementTests {
  /// On a thread of its own, which alone is confined.
  private func confined(
    _ body: @escaping @Sendable () -> [String]
  ) throws -> [String] {
    let outcome = Monitor<Result<[String], any Error>?>(nil)
    let thread = BlockingThread("confined") {
      let result = Result {
        try PathConfinement.enter()
        return body()
      }
      outcome.withLock { $0 = result }
    }
    thread.join()
    return try #require(outcome.withLock { $0 }).get()
  }

  @Test("what is open can be read, written, locked and talked over")
  func inside() throws {
    let folder = try ScratchFolder()
    let file = open(folder.path + "/file", O_RDWR | O_CREAT | O_CLOEXEC, 0o600)
    var ends: [Int32] = [-1, -1]
    #expect(socketpair(AF_UNIX, Int32(SOCK_STREAM.rawValue), 0, &ends) == 0)
    defer { for descriptor in [file] + ends { close(descriptor) } }
    let (near, far) = (ends[0], ends[1])
    let failed = try confined {
      var byte: UInt8 = 1
      var lock = flock()
      lock.l_type = Int16(F_WRLCK)
      var status = stat()
      var waiting = pollfd(fd: far, events: Int16(POLLIN), revents: 0)
      var signals = stack_t()
      let done: [(String, Bool)] = [
        ("write", write(file, "abc", 3) == 3), ("pread", pread(file, &byte, 1, 0) == 1),
        ("lock", fcntl(file, F_SETLK, &lock) == 0), ("fstat", fstat(file, &status) == 0),
        ("send", send(near, "x", 1, 0) == 1), ("poll", poll(&waiting, 1, 1_000) == 1),
        ("recv", recv(far, &byte, 1, 0) == 1),
        ("memory", [UInt8](repeating: 1, count: 1 << 22)[9] == 1),
        ("isatty", isatty(file) == 0 && errno == ENOTTY),
        ("stack for signals", sigaltstack(nil, &signals) == 0),
      ]
      return done.filter { !$0.1 }.map(\.0)
    }
    #expect(failed.isEmpty)
  }

  @Test("nothing is opened, asked for, made, connected, started or sent a signal")
  func outside() throws {
    let folder = try ScratchFolder()
    let path = folder.path
    let socket = Glibc.socket(AF_UNIX, Int32(SOCK_STREAM.rawValue), 0)
    defer { close(socket) }
    let escaped = try confined {
      let page = mmap(nil, 4_096, PROT_READ | PROT_EXEC, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0)
      var address = sockaddr()
      address.sa_family = sa_family_t(AF_UNIX)
      let size = socklen_t(MemoryLayout<sockaddr>.size)
      var typed = CChar(10)
      let done: [(String, Bool)] = [
        ("read", open("/etc/passwd", O_RDONLY) >= 0), ("list", open("/", O_RDONLY) >= 0),
        ("ask", access("/", F_OK) == 0), ("make", mkdir(path + "/made", 0o700) == 0),
        ("change", chmod(path, 0o755) == 0), ("execute", page != MAP_FAILED),
        ("socket", Glibc.socket(AF_UNIX, Int32(SOCK_STREAM.rawValue), 0) >= 0),
        ("network", Glibc.socket(AF_INET, Int32(SOCK_STREAM.rawValue), 0) >= 0),
        ("connect", connect(socket, &address, size) == 0 || errno != EPERM),
        ("signal", kill(getpid(), 0) == 0), ("start", startsProgram()),
        ("type", ioctl(STDIN_FILENO, UInt(TIOCSTI), &typed) == 0 || errno != EPERM),
      ]
      return done.filter(\.1).map(\.0)
    }
    #expect(escaped.isEmpty)
  }
}

/// Whether another program could be started, which does nothing.
private func startsProgram() -> Bool {
  var process = pid_t()
  let arguments: [UnsafeMutablePointer<CChar>?] = [strdup("true"), nil]
  defer { free(arguments[0]) }
  guard posix_spawn(&process, "/bin/true", nil, nil, arguments, environ) == 0 else { return false }
  waitpid(process, nil, 0)
  return true
}
