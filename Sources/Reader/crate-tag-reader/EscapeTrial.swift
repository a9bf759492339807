import CLinuxShims
import Glibc
import LibraryModel
import Platform
import TagReading

/// `crate-tag-reader --try-to-escape`: a reader tries what somebody who broke into it would, before
/// it confines itself and after, for who wants to see what this system keeps it from.
enum EscapeTrial {
  /// What the reader that is started for it gets as its only argument.
  static let argument = "--escape"
  private static let lastAttempt = "compute for ever: "

  /// Returns what to show, and the exit status: 0 if nothing was possible any longer.
  static func run() -> (shown: String, status: Int32) {
    let program = BytePath("/proc/self/exe").resolvedLink
    guard let program, let reader = try? ReaderLaunch(program: program, argument: argument).start()
    else {
      return ("crate-tag-reader can't start itself\n", 71)
    }
    let process = reader.process
    let socket = reader.takeSocket()
    _ = fcntl(socket.descriptor, F_SETFL, 0)
    var said: [UInt8] = []
    var buffer = [UInt8](repeating: 0, count: 4_096)
    while true {
      let count = retrying { read(socket.descriptor, &buffer, buffer.count) }
      if count <= 0 { break }
      said += buffer[..<count]
    }
    var status: Int32 = 0
    _ = retrying { waitpid(process, &status, 0) }
    var text = String(decoding: said, as: UTF8.self)
    if text.hasSuffix(lastAttempt), crated_term_signal(status) == SIGPROF {
      text += "refused (\(String(cString: strsignal(SIGPROF))))\n"
    } else if !text.hasSuffix(lastAttempt + "ESCAPED\n") {
      return (text + "\nIt ended, or became another program.\n", 1)
    }
    let hasEscaped = text.split(separator: "\n").contains { $0.hasSuffix(" ESCAPED") }
    return (text, hasEscaped ? 1 : 0)
  }

  /// The reader's side.
  static func tryEverything() -> Int32 {
    leaveDescriptors()
    let before = attempts.map { $0.isPossible() }
    let missing: ReaderProtections
    do {
      missing = try confine()
    } catch {
      CrateTagReader.complain("crate-tag-reader: \(error)")
      return 71
    }
    for warning in missing.warnings { say(warning + "\n") }
    for (attempt, wasPossible) in zip(attempts, before) {
      errno = 0
      let isPossible = attempt.isPossible()
      let reason = String(cString: strerror(errno))
      let found =
        isPossible ? "ESCAPED" : wasPossible ? "refused (\(reason))" : "never possible"
      say("\(attempt.name): \(found)\n")
    }
    // Replaces this program where it is possible, and the end is never said.
    _ = execve("/bin/true", [nil], [nil])
    say(lastAttempt)
    computeForEver()
    say("ESCAPED\n")
    return 0
  }

  private static func say(_ line: String) {
    let bytes = Array(line.utf8)
    _ = send(socketDescriptor, bytes, bytes.count, Int32(truncatingIfNeeded: MSG_NOSIGNAL))
  }

  private struct Attempt: Sendable {
    let name: String
    let isPossible: @Sendable () -> Bool

    init(_ name: String, _ isPossible: @escaping @Sendable () -> Bool) {
      self.name = name
      self.isPossible = isPossible
    }
  }

  private static let attempts = [
    Attempt("open a file") { opens("/proc/self/status", O_RDONLY) },
    Attempt("list a directory") { opens("/", O_RDONLY | O_DIRECTORY) },
    Attempt("ask for a path") { access("/", F_OK) == 0 },
    Attempt("make a file") { closes(crated_open_unnamed(opened("/tmp", O_RDONLY | O_DIRECTORY))) },
    Attempt("write to an open file") { write(STDERR_FILENO, "", 0) == 0 },
    Attempt("send to another socket") { passes(send(STDERR_FILENO, "x", 1, now)) },
    Attempt("receive from another socket") { receives() },
    Attempt("read what the daemon left open") { lseek(farDescriptor, 0, SEEK_CUR) == 0 },
    Attempt("make a socket for networks") { closes(socket(AF_INET, stream, 0)) },
    Attempt("make a socket for programs") { closes(socket(AF_UNIX, stream, 0)) },
    Attempt("start a program") { startsProgram() },
    Attempt("send a signal") { kill(getppid(), 0) == 0 },
    Attempt("make code and run it") { maps(4_096, PROT_READ | PROT_WRITE | PROT_EXEC) },
    Attempt("take a gigabyte of memory") { maps(1 << 30, PROT_READ | PROT_WRITE) },
    Attempt("raise a limit") { raisesLimit() },
  ]

  private static let stream = Int32(SOCK_STREAM.rawValue)
  private static let now = Int32(MSG_DONTWAIT) | Int32(MSG_NOSIGNAL)

  /// What systemd and a careless daemon would leave: standard error that is a socket, and a file
  /// far behind the others.
  private static func leaveDescriptors() {
    var ends: [Int32] = [-1, -1]
    guard socketpair(AF_UNIX, stream, 0, &ends) == 0 else { return }
    dup2(ends[0], STDERR_FILENO)
    dup2(opened("/dev/null", O_RDONLY), farDescriptor)
  }

  /// The highest descriptor that this process may have, and no higher than any would.
  private static let farDescriptor: Int32 = {
    var limit = rlimit()
    guard getrlimit(__rlimit_resource_t(RLIMIT_NOFILE.rawValue), &limit) == 0 else { return -1 }
    limit.rlim_cur = min(limit.rlim_max, 5_000)
    _ = setrlimit(__rlimit_resource_t(RLIMIT_NOFILE.rawValue), &limit)
    return Int32(limit.rlim_cur) - 1
  }()

  /// Whether it was done, or would be in a moment.
  private static func passes(_ count: Int) -> Bool { count >= 0 || errno == EAGAIN }

  private static func receives() -> Bool {
    var message = msghdr()
    return passes(recvmsg(STDERR_FILENO, &message, now))
  }

  private static func opened(_ path: String, _ flags: Int32) -> Int32 {
    open(path, flags | O_CLOEXEC)
  }

  private static func opens(_ path: String, _ flags: Int32) -> Bool {
    closes(opened(path, flags))
  }

  private static func closes(_ descriptor: Int32) -> Bool {
    guard descriptor >= 0 else { return false }
    close(descriptor)
    return true
  }

  private static func startsProgram() -> Bool {
    var process: pid_t = 0
    let error = posix_spawn(&process, "/bin/true", nil, nil, [nil], [nil])
    guard error == 0 else {
      errno = error
      return false
    }
    _ = retrying { waitpid(process, nil, 0) }
    return true
  }

  private static func maps(_ count: Int, _ protection: Int32) -> Bool {
    let memory = mmap(nil, count, protection, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0)
    guard memory != MAP_FAILED, let memory else { return false }
    munmap(memory, count)
    return true
  }

  /// Comes back only where nothing ends it. Measures the processor's time: others want it, too.
  private static func computeForEver() {
    limitComputing()
    let end = clock() + 6 * clock_t(CLOCKS_PER_SEC)
    while clock() < end {}
  }

  private static func raisesLimit() -> Bool {
    var limit = rlimit(rlim_cur: 1 << 20, rlim_max: 1 << 20)
    return setrlimit(__rlimit_resource_t(RLIMIT_FSIZE.rawValue), &limit) == 0
  }
}

extension BytePath {
  /// What the link of this path says; nil if it isn't one.
  fileprivate var resolvedLink: BytePath? {
    var bytes = [CChar](repeating: 0, count: Int(PATH_MAX))
    let count = readlink(display, &bytes, bytes.count)
    return count > 0 ? BytePath(bytes[..<count].map { UInt8(bitPattern: $0) }) : nil
  }
}
