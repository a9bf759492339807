import CLinuxShims
package import Glibc
package import Platform

/// What a program did.
package struct ProgramResult: Sendable {
  /// The exit status; for a program that a signal ended, 128 and the signal.
  package var status: Int32
  package var outputBytes: [UInt8]
  package var errors: String

  package var output: String { String(decoding: outputBytes, as: UTF8.self) }
}

/// Runs a program to its end, with this process's environment. Without a slash it is looked for in
/// PATH.
///
/// - Parameter environment: added to, or in place of, what this process has.
@discardableResult
package func run(
  _ program: String, _ arguments: [String], environment: [String: String] = [:]
) throws(SystemCallError) -> ProgramResult {
  let output = try Pipe()
  let errors = try Pipe()
  var actions = posix_spawn_file_actions_t()
  posix_spawn_file_actions_init(&actions)
  defer { posix_spawn_file_actions_destroy(&actions) }
  posix_spawn_file_actions_addopen(&actions, 0, "/dev/null", O_RDONLY, 0)
  posix_spawn_file_actions_adddup2(&actions, output.writing, 1)
  posix_spawn_file_actions_adddup2(&actions, errors.writing, 2)
  closeOthers(&actions)

  var process: pid_t = 0
  var list = ([program] + arguments).map { strdup($0) }
  list.append(nil)
  var settings = (inheritedEnvironment().merging(environment) { $1 })
    .map { strdup("\($0.key)=\($0.value)") }
  settings.append(nil)
  let error = withSpawnAttributes { posix_spawnp(&process, program, &actions, &$0, list, settings) }
  for text in list + settings { free(text) }
  guard error == 0 else { throw SystemCallError("posix_spawn", program, code: error) }
  output.closeWriting()
  errors.closeWriting()
  let (said, complained) = readBoth(output.reading, errors.reading)

  var status: Int32 = 0
  guard retrying({ waitpid(process, &status, 0) }) == process else {
    throw SystemCallError("waitpid", program)
  }
  let signal = status & 0x7F
  return ProgramResult(
    status: signal == 0 ? status >> 8 & 0xFF : 128 + signal,
    outputBytes: said, errors: String(decoding: complained, as: UTF8.self))
}

/// A program has none but its standard descriptors: a socket or a lock of another test, which would
/// not go while the program runs, is none of its business.
package func closeOthers(_ actions: inout posix_spawn_file_actions_t) {
  // Declared for C programs alone that want all of glibc.
  typealias AddCloseFrom =
    @convention(c) (UnsafeMutablePointer<posix_spawn_file_actions_t>, Int32) -> Int32
  let add = unsafeBitCast(
    dlsym(nil, "posix_spawn_file_actions_addclosefrom_np"), to: AddCloseFrom?.self)
  precondition(add?(&actions, 3) == 0, "glibc has it since 2.34")
}

/// What a program is started with: signals are blocked in the threads of the tests, which it must
/// not inherit, or none but SIGKILL ends it.
///
/// - Parameter flags: others of posix_spawnattr_setflags(3).
package func withSpawnAttributes<Outcome>(
  flags: Int16 = 0, blocking signals: [Int32] = [],
  _ body: (inout posix_spawnattr_t) -> Outcome
) -> Outcome {
  var attributes = posix_spawnattr_t()
  posix_spawnattr_init(&attributes)
  defer { posix_spawnattr_destroy(&attributes) }
  var none = sigset_t()
  sigemptyset(&none)
  var blocked = none
  for number in signals { sigaddset(&blocked, number) }
  posix_spawnattr_setsigmask(&attributes, &blocked)
  // Tests that a shell runs in the background ignore them.
  var keys = none
  for number in [SIGINT, SIGQUIT] { sigaddset(&keys, number) }
  posix_spawnattr_setsigdefault(&attributes, &keys)
  let ways = Int16(POSIX_SPAWN_SETSIGMASK | POSIX_SPAWN_SETSIGDEF)
  posix_spawnattr_setflags(&attributes, ways | flags)
  return body(&attributes)
}

/// What each program that a test starts has to have of this process's environment, whatever else it
/// is given: which of the mutants that it has in it is chosen, as scripts/mutants says it, where to
/// say which lines were run, and what a sanitizer is to look at.
package let passedOn = inheritedEnvironment().filter {
  ["CRATED_MUTANT", "LLVM_PROFILE_FILE", "ASAN_OPTIONS", "TSAN_OPTIONS"].contains($0.key)
}

func inheritedEnvironment() -> [String: String] {
  var settings: [String: String] = [:]
  var next = environ
  while let entry = next.pointee {
    let parts = String(cString: entry).split(
      separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
    if parts.count == 2 { settings[String(parts[0])] = String(parts[1]) }
    next += 1
  }
  return settings
}

/// Both at once: a program that fills one pipe must not wait for us to be done with the other.
private func readBoth(_ first: Int32, _ second: Int32) -> ([UInt8], [UInt8]) {
  var texts: [[UInt8]] = [[], []]
  var polled = [first, second].map { pollfd(fd: $0, events: Int16(POLLIN), revents: 0) }
  var buffer = [UInt8](repeating: 0, count: 1 << 16)
  while polled.contains(where: { $0.fd >= 0 }) {
    guard retrying({ poll(&polled, 2, -1) }) > 0 else { break }
    for index in polled.indices where polled[index].revents != 0 {
      let count = retrying { read(polled[index].fd, &buffer, buffer.count) }
      if count > 0 {
        texts[index] += buffer[..<count]
      } else {
        polled[index].fd = -1
      }
    }
  }
  return (texts[0], texts[1])
}

final class Pipe {
  let reading: Int32
  private(set) var writing: Int32

  init() throws(SystemCallError) {
    var ends: [Int32] = [-1, -1]
    // Another test may start a program at any moment, which must not hold our pipe open.
    guard crated_pipe2(&ends, O_CLOEXEC) == 0 else { throw SystemCallError("pipe2", "") }
    reading = ends[0]
    writing = ends[1]
  }

  deinit {
    close(reading)
    closeWriting()
  }

  func closeWriting() {
    if writing >= 0 { close(writing) }
    writing = -1
  }
}
