import CLinuxShims
import Glibc
import Platform
import Terminal

/// The terminal that the program runs in. Writing never blocks: the rest of the output is buffered
/// and written later.
final class TerminalDevice {
  /// The descriptor that keys are read from.
  let input: Int32 = STDIN_FILENO
  /// A separate open file description, which is non-blocking; the shell's stays blocking.
  let output: OpenFile
  /// The read end of the pipe of signals, a byte each.
  let signals: OpenFile
  private let signalsEnd: OpenFile
  private let hasMouse: Bool
  private var offered = OfferedBytes()
  /// Whether the terminal is in raw mode and on the alternate screen.
  private var isEntered = false

  private static let told = [SIGWINCH, SIGTERM, SIGHUP, SIGINT, SIGQUIT, SIGTSTP, SIGCONT]
  /// The time for the terminal to read the last bytes, in milliseconds.
  private static let lastPatience: Int32 = 300

  init(hasMouse: Bool) throws(SystemCallError) {
    self.hasMouse = hasMouse
    let flags = O_RDWR | O_NOCTTY | O_NONBLOCK | O_CLOEXEC
    var descriptor = open("/proc/self/fd/1", flags)
    // The terminal of another user (after su(1)) can be opened only by this name.
    if descriptor < 0 { descriptor = open("/dev/tty", flags) }
    guard descriptor >= 0 else { throw SystemCallError("open", "the terminal") }
    output = OpenFile(owning: descriptor)
    var ends: [Int32] = [0, 0]
    guard crated_pipe2(&ends, O_CLOEXEC | O_NONBLOCK) == 0 else {
      throw SystemCallError("pipe2", "")
    }
    signals = OpenFile(owning: ends[0])
    signalsEnd = OpenFile(owning: ends[1])
    let undoing = TerminalModes.leaving
    guard crated_guard_terminal(input, descriptor, undoing, undoing.count) == 0 else {
      throw SystemCallError("tcgetattr", "")
    }
    _ = crated_tell_signals(signalsEnd.descriptor, Self.told, Self.told.count)
  }

  /// Starts to receive signals, on this thread only; threads started by it block them.
  func hearSignals() { _ = crated_hear_signals(Self.told, Self.told.count) }

  /// - Returns: The columns and rows, and the pixels of a cell if the terminal reports them.
  var size: (columns: Int, rows: Int, cell: CellSize?) {
    let (size, usual) = (WindowSize(of: output.descriptor), WindowSize.usual)
    return (size?.columns ?? usual.columns, size?.rows ?? usual.rows, size?.cell)
  }

  // MARK: Modes

  /// Whether another job is in the foreground. Setting modes would then stop this one repeatedly.
  var isBackground: Bool { crated_is_background(input) != 0 }

  /// - Parameter first: Output to write together with the mode changes.
  func enter(showing first: [UInt8]) {
    isEntered = true
    _ = crated_take_keys(input)
    offered = OfferedBytes(TerminalModes.entering(mouse: hasMouse) + first)
    flush()
  }

  /// Restores the terminal. Buffered output is dropped.
  ///
  /// - Parameter lastKeys: Reads the terminal's last replies after the screen is restored.
  func leave(_ lastKeys: () -> Void) {
    if !isEntered { return }
    isEntered = false
    offered = OfferedBytes(TerminalModes.leaving)
    let end = Clock.system.monotonic() + Int64(Self.lastPatience) * 1_000_000
    while !flush(), isReady(output.descriptor, for: POLLOUT, until: end) {}
    lastKeys()
    _ = crated_restore_terminal(input)
  }

  // MARK: Bytes

  var isWriting: Bool { !offered.areTaken }

  /// Writes bytes. The buffer must be empty.
  func write(_ bytes: [UInt8]) {
    precondition(!isWriting, "one frame after the other")
    offered = OfferedBytes(bytes)
    flush()
  }

  /// Writes buffered bytes.
  ///
  /// - Returns: Whether the buffer is empty or the terminal can't be written.
  @discardableResult
  func flush() -> Bool { offered.write(to: output.descriptor) }

  /// Reads input; returns nil if the terminal is closed.
  func read() -> [UInt8]? {
    var room = [UInt8](repeating: 0, count: 4096)
    let count = retrying { Glibc.read(input, &room, room.count) }
    guard count > 0 else { return count < 0 && errno == EAGAIN ? [] : nil }
    return Array(room[..<count])
  }

  func nextSignals() -> [Int32] {
    var room = [UInt8](repeating: 0, count: 64)
    let count = retrying { Glibc.read(signals.descriptor, &room, room.count) }
    return room.prefix(max(count, 0)).map(Int32.init)
  }
}

/// A buffer for a non-blocking descriptor.
struct OfferedBytes {
  private var waiting: ArraySlice<UInt8>

  init(_ bytes: [UInt8] = []) { waiting = bytes[...] }

  var areTaken: Bool { waiting.isEmpty }

  /// - Returns: Whether the buffer is empty or the descriptor can't be written.
  mutating func write(to descriptor: Int32) -> Bool {
    while !waiting.isEmpty {
      let count = waiting.withUnsafeBytes { rest in
        retrying { Glibc.write(descriptor, rest.baseAddress, rest.count) }
      }
      if count < 0, errno == EAGAIN { return false }
      waiting = count > 0 ? waiting.dropFirst(count) : []
    }
    // Frees the memory: a frame with pictures is large.
    waiting = []
    return true
  }
}
