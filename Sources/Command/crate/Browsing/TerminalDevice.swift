import CLinuxShims
import Glibc
import Platform
import Terminal

/// The terminal that the program runs in, as a stream of keys and a screen. Nothing waits for it:
/// what it doesn't take at once is kept and offered again.
final class TerminalDevice {
  /// Where keys come from.
  let input: Int32 = STDIN_FILENO
  /// A descriptor of our own: it is set not to wait, and the shell's is not.
  let output: OpenFile
  /// Signals, a byte each.
  let signals: OpenFile
  private let signalsEnd: OpenFile
  private let hasMouse: Bool
  private var offered = OfferedBytes()
  /// Whether it is ours: keys come one by one, and the screen is another one.
  private var isEntered = false

  private static let told = [SIGWINCH, SIGTERM, SIGHUP, SIGINT, SIGQUIT, SIGTSTP, SIGCONT]
  /// How long the terminal may take for the last bytes, in milliseconds.
  private static let lastPatience: Int32 = 300

  init(hasMouse: Bool) throws(SystemCallError) {
    self.hasMouse = hasMouse
    let flags = O_RDWR | O_NOCTTY | O_NONBLOCK | O_CLOEXEC
    var descriptor = open("/proc/self/fd/1", flags)
    // Somebody else's terminal, lent by su(1), opens by this name alone.
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

  /// From now on signals are told, by this thread alone; those that it has started hear none.
  func hearSignals() { _ = crated_hear_signals(Self.told, Self.told.count) }

  /// - Returns: columns and rows, and the pixels of a cell, where the terminal tells.
  var size: (columns: Int, rows: Int, cell: CellSize?) {
    let (size, usual) = (WindowSize(of: output.descriptor), WindowSize.usual)
    return (size?.columns ?? usual.columns, size?.rows ?? usual.rows, size?.cell)
  }

  // MARK: Modes

  /// Another job has the terminal. What sets modes then is stopped, again and again.
  var isBackground: Bool { crated_is_background(input) != 0 }

  /// - Parameter first: what is shown at once, in the same write.
  func enter(showing first: [UInt8]) {
    isEntered = true
    _ = crated_take_keys(input)
    offered = OfferedBytes(TerminalModes.entering(mouse: hasMouse) + first)
    flush()
  }

  /// The terminal is as it was before. What was still to be shown is dropped.
  ///
  /// - Parameter lastKeys: reads what the terminal still has to say, when the screen is as before.
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

  /// Offers bytes; nothing else may be waiting.
  func write(_ bytes: [UInt8]) {
    precondition(!isWriting, "one frame after the other")
    offered = OfferedBytes(bytes)
    flush()
  }

  /// Offers again what waits.
  ///
  /// - Returns: whether nothing waits any longer, or can't ever be taken.
  @discardableResult
  func flush() -> Bool { offered.write(to: output.descriptor) }

  /// What was typed; nil: the terminal has gone.
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

/// Bytes for somebody who takes as many at once as there is room for.
struct OfferedBytes {
  private var waiting: ArraySlice<UInt8>

  init(_ bytes: [UInt8] = []) { waiting = bytes[...] }

  var areTaken: Bool { waiting.isEmpty }

  /// - Returns: whether nothing waits any longer, or can't ever be taken.
  mutating func write(to descriptor: Int32) -> Bool {
    while !waiting.isEmpty {
      let count = waiting.withUnsafeBytes { rest in
        retrying { Glibc.write(descriptor, rest.baseAddress, rest.count) }
      }
      if count < 0, errno == EAGAIN { return false }
      waiting = count > 0 ? waiting.dropFirst(count) : []
    }
    // A frame with pictures is large, and the next one may be far.
    waiting = []
    return true
  }
}
