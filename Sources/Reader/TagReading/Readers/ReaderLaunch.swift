import CLinuxShims
import Glibc
package import LibraryModel
package import Platform

/// A started reader: its process, and our end of its socket.
package struct LaunchedReader: ~Copyable {
  package let process: Int32
  let socket: OpenFile

  package consuming func takeSocket() -> OpenFile { socket }
}

package struct ReaderLaunch: Sendable {
  let program: BytePath
  private let argument: String?

  /// - Parameter argument: nil for a reader that reads tags.
  package init(program: BytePath, argument: String? = nil) {
    self.program = program
    self.argument = argument
  }

  /// Starts a reader with the other end of the socket as descriptor 3. It inherits nothing else of
  /// ours but standard error: all our descriptors are close-on-exec, and the reader closes any
  /// others.
  package func start() throws(SystemCallError) -> LaunchedReader {
    var ends: [Int32] = [-1, -1]
    guard socketpair(AF_UNIX, socketKind, 0, &ends) == 0 else {
      throw SystemCallError("socketpair", "")
    }
    let ours = OpenFile(owning: ends[0])
    let theirs = OpenFile(owning: ends[1])
    // Only our end: the flag belongs to one end, and the reader must block.
    guard fcntl(ours.descriptor, F_SETFL, O_NONBLOCK) == 0 else {
      throw SystemCallError("fcntl", "of a socket")
    }
    return LaunchedReader(process: try spawn(theirs.descriptor), socket: ours)
  }

  private var socketKind: Int32 { Int32(SOCK_STREAM.rawValue | SOCK_CLOEXEC.rawValue) }

  private func spawn(_ socket: Int32) throws(SystemCallError) -> pid_t {
    var actions = posix_spawn_file_actions_t()
    posix_spawn_file_actions_init(&actions)
    defer { posix_spawn_file_actions_destroy(&actions) }
    // The socket first: it could be any number, 0 and 1 too.
    posix_spawn_file_actions_adddup2(&actions, socket, 3)
    posix_spawn_file_actions_addopen(&actions, 0, "/dev/null", O_RDONLY, 0)
    // Opened for reading: a reader writes nothing there, and the daemon may not write to /dev/null.
    posix_spawn_file_actions_addopen(&actions, 1, "/dev/null", O_RDONLY, 0)

    var attributes = posix_spawnattr_t()
    posix_spawnattr_init(&attributes)
    defer { posix_spawnattr_destroy(&attributes) }
    // The daemon blocks the signals that it reads from a descriptor, and that would be inherited. A
    // process group of its own keeps a ^C in the terminal from ending a reader before the daemon
    // knows.
    var signals = sigset_t()
    sigemptyset(&signals)
    posix_spawnattr_setsigmask(&attributes, &signals)
    sigfillset(&signals)
    posix_spawnattr_setsigdefault(&attributes, &signals)
    posix_spawnattr_setflags(
      &attributes,
      Int16(POSIX_SPAWN_SETSIGMASK | POSIX_SPAWN_SETSIGDEF | POSIX_SPAWN_SETPGROUP))

    let path = program.bytes.map { CChar(bitPattern: $0) } + [0]
    var process: pid_t = 0
    let error = path.withUnsafeBufferPointer { path -> Int32 in
      guard let path = path.baseAddress else { return ENOENT }
      return withArguments(path) { arguments in
        // Crashes are expected here, and Swift's backtrace would take 0.3 s each.
        "SWIFT_BACKTRACE=enable=no".withCString { setting in
          withCStrings([setting]) { environment in
            posix_spawn(&process, path, &actions, &attributes, arguments, environment)
          }
        }
      }
    }
    guard error == 0 else { throw SystemCallError("posix_spawn", program.display, code: error) }
    return process
  }

  private func withArguments<Result>(
    _ path: UnsafePointer<CChar>,
    _ body: (UnsafePointer<UnsafeMutablePointer<CChar>?>) -> Result
  ) -> Result {
    guard let argument else { return withCStrings([path], body) }
    return argument.withCString { withCStrings([path, $0], body) }
  }

  // The list that C needs: pointers to mutable text, which exec doesn't change, and a null.
  private func withCStrings<Result>(
    _ strings: [UnsafePointer<CChar>],
    _ body: (UnsafePointer<UnsafeMutablePointer<CChar>?>) -> Result
  ) -> Result {
    let list = strings.map { UnsafeMutablePointer<CChar>?(UnsafeMutablePointer(mutating: $0)) }
    return (list + [nil]).withUnsafeBufferPointer { list in
      guard let first = list.baseAddress else { preconditionFailure("the list ends in a null") }
      return body(first)
    }
  }
}

func onlineCores() -> Int { sysconf(Int32(_SC_NPROCESSORS_ONLN)) }
