import CLinuxShims
import Glibc
import LibraryModel
import Platform
import TagReading

/// Starts itself as the daemon starts a reader, confines itself as a reader does, and tries what
/// somebody who broke into a reader would, before and after. Prints a line for each attempt; the
/// exit status is 0 if nothing was possible any longer.
@main
enum EscapeTrial {
  /// What the process that is started gets as its only argument.
  private static let argument = "--escape"
  private static let lastAttempt = "compute for ever: "

  static func main() {
    if CommandLine.arguments.last == argument { exit(tryEverything()) }
    let (shown, status) = run()
    print(shown, terminator: "")
    exit(status)
  }

  private static func run() -> (shown: String, status: Int32) {
    let launch = ReaderLaunch(program: BytePath("/proc/self/exe"), argument: argument)
    guard let reader = try? launch.start() else { return ("It can't start itself.\n", 71) }
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

  /// The confined side.
  private static func tryEverything() -> Int32 {
    leaveDescriptors()
    do throws(SystemCallError) {
      _ = try EscapeAttempt.tryAll(attempts) { () throws(SystemCallError) in
        for warning in try ReaderConfinement.enter().warnings { say(warning + "\n") }
      } report: {
        say($0)
      }
    } catch {
      say("\(error)\n")
      return 71
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
    _ = send(ReaderConfinement.socket, bytes, bytes.count, Int32(truncatingIfNeeded: MSG_NOSIGNAL))
  }

  private static let attempts = [
    EscapeAttempt("open a file") { EscapeAttempt.opens("/proc/self/status", O_RDONLY) },
    EscapeAttempt("list a directory") { EscapeAttempt.opens("/", O_RDONLY | O_DIRECTORY) },
    EscapeAttempt("ask for a path") { access("/", F_OK) == 0 },
    EscapeAttempt("make a file") {
      EscapeAttempt.closes(crated_open_unnamed(opened("/tmp", O_RDONLY | O_DIRECTORY)))
    },
    EscapeAttempt("write to an open file") { write(STDERR_FILENO, "", 0) == 0 },
    EscapeAttempt("send to another socket") { passes(send(STDERR_FILENO, "x", 1, now)) },
    EscapeAttempt("receive from another socket") { receives() },
    EscapeAttempt("read what the daemon left open") { lseek(farDescriptor, 0, SEEK_CUR) == 0 },
    EscapeAttempt("make a socket for networks") {
      EscapeAttempt.closes(socket(AF_INET, stream, 0))
    },
    EscapeAttempt("make a socket for programs") {
      EscapeAttempt.closes(socket(AF_UNIX, stream, 0))
    },
    EscapeAttempt("start a program") { EscapeAttempt.startsProgram() },
    EscapeAttempt("send a signal") { kill(getppid(), 0) == 0 },
    EscapeAttempt("make code and run it") { maps(4_096, PROT_READ | PROT_WRITE | PROT_EXEC) },
    EscapeAttempt("take a gigabyte of memory") { maps(1 << 30, PROT_READ | PROT_WRITE) },
    EscapeAttempt("raise a limit") { raisesLimit() },
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

  private static func maps(_ count: Int, _ protection: Int32) -> Bool {
    let memory = mmap(nil, count, protection, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0)
    guard memory != MAP_FAILED, let memory else { return false }
    munmap(memory, count)
    return true
  }

  /// Comes back only where nothing ends it. Measures the processor's time: others want it, too.
  private static func computeForEver() {
    ReaderConfinement.limitComputing()
    let end = clock() + 6 * clock_t(CLOCKS_PER_SEC)
    while clock() < end {}
  }

  private static func raisesLimit() -> Bool {
    var limit = rlimit(rlim_cur: 1 << 20, rlim_max: 1 << 20)
    return setrlimit(__rlimit_resource_t(RLIMIT_FSIZE.rawValue), &limit) == 0
  }
}
