import CLinuxShims
import Glibc
package import Platform

/// A program that goes on while the test does. It ends with this value at the latest.
package final class RunningProgram {
  package let process: Int32
  private let input: Pipe?
  private let output: Pipe
  private var received: [UInt8] = []
  private var outputEnded = false
  private var status: Int32?

  /// - Parameters:
  ///   - environment: all that it gets, but for what is passed on.
  ///   - errors: the file that gets what it says on standard error, behind what is there.
  ///   - takesInput: whether it is told things on standard input.
  package init(
    _ program: String, _ arguments: [String], environment: [String: String], errors: String,
    takesInput: Bool = false
  ) throws(SystemCallError) {
    input = takesInput ? try Pipe() : nil
    output = try Pipe()
    var actions = posix_spawn_file_actions_t()
    posix_spawn_file_actions_init(&actions)
    defer { posix_spawn_file_actions_destroy(&actions) }
    posix_spawn_file_actions_addopen(&actions, 0, "/dev/null", O_RDONLY, 0)
    if let input { posix_spawn_file_actions_adddup2(&actions, input.reading, 0) }
    posix_spawn_file_actions_adddup2(&actions, output.writing, 1)
    posix_spawn_file_actions_addopen(
      &actions, 2, errors, O_WRONLY | O_CREAT | O_APPEND, 0o600)
    closeOthers(&actions)
    var process: pid_t = 0
    var list = ([program] + arguments).map { strdup($0) }
    list.append(nil)
    var settings = environment.merging(passedOn) { $1 }.map { strdup("\($0.key)=\($0.value)") }
    settings.append(nil)
    let error = withSpawnAttributes { attributes in
      posix_spawnp(&process, program, &actions, &attributes, list, settings)
    }
    for text in list + settings { free(text) }
    guard error == 0 else { throw SystemCallError("posix_spawn", program, code: error) }
    self.process = process
    output.closeWriting()
  }

  deinit {
    guard status == nil else { return }
    kill(process, SIGKILL)
    _ = retrying { waitpid(process, nil, 0) }
  }

  package func signal(_ number: Int32) {
    // Once it was waited for, its number may be another's.
    if status == nil { kill(process, number) }
  }

  /// Writes a line to its standard input.
  package func tell(_ line: String) throws(SystemCallError) {
    guard let input else { throw SystemCallError("write", "standard input", code: EBADF) }
    var bytes = Array(line.utf8)[...]
    bytes.append(UInt8(ascii: "\n"))
    while !bytes.isEmpty {
      let count = bytes.withUnsafeBytes { rest in
        retrying { write(input.writing, rest.baseAddress, rest.count) }
      }
      guard count > 0 else { throw SystemCallError("write", "standard input") }
      bytes.removeFirst(count)
    }
  }

  /// What it prints next, up to the end of a line; nil at the end of its output.
  package func nextLine() throws(ProgramTooSlow) -> String? {
    let deadline = Patience.end
    while true {
      if let end = received.firstIndex(of: UInt8(ascii: "\n")) {
        defer { received.removeFirst(end + 1) }
        return String(decoding: received[..<end], as: UTF8.self)
      }
      guard try readOutput(until: deadline) else { return nil }
    }
  }

  /// The exit status of a program that has ended though nobody waited for its end; nil if it runs.
  package func endedUnseen() -> Int32? {
    var waited: Int32 = 0
    guard status == nil, waitpid(process, &waited, WNOHANG) == process else { return nil }
    status = exitStatus(waited)
    return status
  }

  /// Waits for its end: its exit status, or 128 and the signal that ended it.
  package func end() throws(ProgramTooSlow) -> Int32 {
    if let status { return status }
    let deadline = Patience.end
    // The standard output ends with the program.
    while try readOutput(until: deadline) { received = [] }
    var waited: Int32 = 0
    _ = retrying { waitpid(process, &waited, 0) }
    let ended = exitStatus(waited)
    status = ended
    return ended
  }

  private func exitStatus(_ waited: Int32) -> Int32 {
    waited & 0x7F == 0 ? waited >> 8 & 0xFF : 128 + waited & 0x7F
  }

  /// Waits for this descriptor or for the end of the program. False where the program has ended.
  package func waits(for descriptor: Int32) throws(ProgramTooSlow) -> Bool {
    var polled = [descriptor, output.reading].map { pollfd(fd: $0, events: 1, revents: 0) }
    let limit = Int32(Patience.seconds * 1000)
    guard retrying({ poll(&polled, 2, limit) }) > 0 else { throw ProgramTooSlow() }
    return polled[0].revents != 0
  }

  /// False at the end.
  private func readOutput(until deadline: Int64) throws(ProgramTooSlow) -> Bool {
    if outputEnded { return false }
    let left = (deadline - Clock.system.monotonic()) / 1_000_000
    var polled = pollfd(fd: output.reading, events: Int16(POLLIN), revents: 0)
    guard retrying({ poll(&polled, 1, Int32(max(left, 0))) }) > 0 else { throw ProgramTooSlow() }
    var buffer = [UInt8](repeating: 0, count: 1 << 16)
    let count = retrying { read(output.reading, &buffer, buffer.count) }
    outputEnded = count <= 0
    received += buffer[..<max(count, 0)]
    return !outputEnded
  }
}

/// A program did not say or do in time what the test waits for.
package struct ProgramTooSlow: Error {}
