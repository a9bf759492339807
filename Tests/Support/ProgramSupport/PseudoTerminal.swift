import CLinuxShims
import Glibc
import Platform
import TestSupport
package import Testing

/// A program at the other end of a pseudo-terminal, whose terminal is the test: it reads when it
/// likes, and answers what it likes. The program ends with this value at the latest.
package final class PseudoTerminal {
  package let process: Int32
  private let file: OpenFile
  /// Kept, so that the terminal is there when the program has gone.
  private let line: OpenFile
  private let before: termios
  package private(set) var shown: [UInt8] = []
  private var status: Int32?
  /// What it answers to what has come; called once for each reading.
  package var answers: (ArraySlice<UInt8>) -> [UInt8] = { _ in [] }

  // Numbers of ioctl_tty(2), macros that Swift doesn't see.
  private static let getNumber: UInt = 0x8004_5430
  private static let setLock: UInt = 0x4004_5431
  /// A flag of posix_spawnattr_setflags(3): a session of its own.
  private static let newSession: Int16 = 0x80

  package init(
    _ program: String, _ arguments: [String], environment: [String: String], columns: UInt16 = 100,
    rows: UInt16 = 30
  ) throws {
    let descriptor = open("/dev/ptmx", O_RDWR | O_NOCTTY | O_CLOEXEC)
    try #require(descriptor >= 0)
    file = OpenFile(owning: descriptor)
    var number: Int32 = 0
    var isLocked: Int32 = 0
    try #require(ioctl(descriptor, Self.getNumber, &number) == 0)
    try #require(ioctl(descriptor, Self.setLock, &isLocked) == 0)
    let path = "/dev/pts/\(number)"
    let end = open(path, O_RDWR | O_NOCTTY | O_CLOEXEC)
    try #require(end >= 0)
    line = OpenFile(owning: end)
    var size = winsize(ws_row: rows, ws_col: columns, ws_xpixel: 0, ws_ypixel: 0)
    try #require(ioctl(end, UInt(TIOCSWINSZ), &size) == 0)
    var before = termios()
    tcgetattr(end, &before)
    self.before = before

    var actions = posix_spawn_file_actions_t()
    posix_spawn_file_actions_init(&actions)
    defer { posix_spawn_file_actions_destroy(&actions) }
    // The leader of a session opens its terminal.
    posix_spawn_file_actions_addopen(&actions, 0, path, O_RDWR, 0)
    posix_spawn_file_actions_adddup2(&actions, 0, 1)
    posix_spawn_file_actions_adddup2(&actions, 0, 2)
    closeOthers(&actions)
    var list = ([program] + arguments).map { strdup($0) }
    list.append(nil)
    var settings = environment.merging(passedOn) { $1 }.map { strdup("\($0.key)=\($0.value)") }
    settings.append(nil)
    var process: pid_t = 0
    let error = withSpawnAttributes(flags: Self.newSession) { attributes in
      posix_spawn(&process, program, &actions, &attributes, list, settings)
    }
    for text in list + settings { free(text) }
    try #require(error == 0)
    self.process = process
  }

  deinit {
    guard status == nil else { return }
    kill(process, SIGKILL)
    _ = retrying { waitpid(process, nil, 0) }
  }

  package func type(_ keys: String) {
    let bytes = Array(keys.utf8)
    _ = retrying { write(file.descriptor, bytes, bytes.count) }
  }

  /// Reads once, if anything comes within a moment; says what.
  @discardableResult
  package func read() -> ArraySlice<UInt8> {
    var polled = pollfd(fd: file.descriptor, events: Int16(POLLIN), revents: 0)
    guard retrying({ poll(&polled, 1, 20) }) > 0 else { return [] }
    var room = [UInt8](repeating: 0, count: 64 << 10)
    let count = retrying { Glibc.read(file.descriptor, &room, room.count) }
    guard count > 0 else { return [] }
    shown += room[..<count]
    let answer = answers(room[..<count])
    if !answer.isEmpty { _ = retrying { write(file.descriptor, answer, answer.count) } }
    return room[..<count]
  }

  /// Reads until that has come, from the beginning or since `forget`.
  package func wait(for text: String, _ location: SourceLocation = #_sourceLocation) throws {
    let end = Patience.end
    while shown.firstRange(of: Array(text.utf8)) == nil {
      try #require(
        Clock.system.monotonic() < end,
        "no \(text) in \(String(decoding: shown.suffix(3_000), as: UTF8.self))",
        sourceLocation: location)
      read()
    }
  }

  /// Types keys that may come before the program is ready for them, again and again.
  package func type(
    _ keys: String, until text: String, _ location: SourceLocation = #_sourceLocation
  ) throws {
    let hasCome = happensInTime {
      type(keys)
      read()
      return shown.firstRange(of: Array(text.utf8)) != nil
    }
    try #require(hasCome, "no \(text)", sourceLocation: location)
  }

  package func forget() { shown = [] }

  /// Becomes a window of another size, of which the program hears.
  package func resize(columns: UInt16, rows: UInt16) {
    var size = winsize(ws_row: rows, ws_col: columns, ws_xpixel: 0, ws_ypixel: 0)
    _ = ioctl(line.descriptor, UInt(TIOCSWINSZ), &size)
  }

  /// How it ended, as wait(2) has it.
  package func end(reading: Bool = true) throws -> Int32 {
    let end = Patience.end
    var status: Int32 = 0
    while retrying({ waitpid(process, &status, WNOHANG) }) == 0 {
      try #require(Clock.system.monotonic() < end, "it does not end")
      if reading { read() } else { _ = poll(nil, 0, 5) }
    }
    self.status = status
    while !read().isEmpty {}
    return status
  }

  /// Whether input and output are treated as before.
  package var isRestored: Bool {
    var now = termios()
    tcgetattr(line.descriptor, &now)
    return now.c_iflag == before.c_iflag && now.c_oflag == before.c_oflag
      && now.c_cflag == before.c_cflag && now.c_lflag == before.c_lflag
  }

  /// In KiB.
  package var largestMemory: Int {
    get throws {
      let text = String(decoding: try readFile("/proc/\(process)/status"), as: UTF8.self)
      let line = try #require(text.split(separator: "\n").first { $0.hasPrefix("VmHWM:") })
      return try #require(Int(line.filter(\.isNumber)))
    }
  }
}
