import CratesInterface
import Glibc
import Platform
import Terminal

/// A cover on the terminal of standard output.
struct TerminalPicture {
  /// The most columns and rows of a cover.
  private static let columnsMost = 40
  private static let rowsMost = 20
  /// The time to wait for a reply of the terminal, in nanoseconds. A reply over a slow line may be
  /// late, and one that comes after this would be typed into the shell.
  private static let patience: Int64 = 1_000_000_000

  private let support: PictureSupport
  private let cell: CellSize
  private let columns: Int
  private let rows: Int
  private let hasAllColours: Bool

  /// Queries the terminal's graphics support. Returns nil if it is known to show nothing.
  init?() {
    if Environment["TERM"] == "dumb" || Environment["NO_COLOR"] != nil { return nil }
    guard let size = WindowSize(of: STDOUT_FILENO) else { return nil }
    self.init(Self.ask(), in: size, colorTerm: Environment["COLORTERM"])
  }

  /// - Parameters:
  ///   - size: The terminal's size.
  ///   - colorTerm: The value of `COLORTERM`.
  init(_ support: PictureSupport, in size: WindowSize, colorTerm: String?) {
    self.support = support
    hasAllColours = ["truecolor", "24bit"].contains(colorTerm)
    cell = support.cell ?? size.cell ?? .usual
    columns = min(Self.columnsMost, size.columns ?? WindowSize.usual.columns)
    // Leaves the lines of the command and of the prompt.
    rows = min(Self.rowsMost, max((size.rows ?? WindowSize.usual.rows) - 2, 1))
  }

  /// The longer side of the cover to request.
  var side: Int {
    let isText = !support.hasKitty && !support.hasSixels
    let wanted = isText ? max(columns, 2 * rows) : max(columns * cell.width, rows * cell.height)
    return min(
      max(wanted, Interface.Thumbnail.sides.lowerBound), Interface.Thumbnail.sides.upperBound)
  }

  /// Returns the bytes that show the picture and leave the cursor at the start of the line below
  /// it.
  func bytes(_ pixels: Pixels) -> [UInt8] {
    let frame = PictureFrame(of: pixels, inColumns: columns, rows: rows, cell: cell)
    if support.hasKitty {
      // A random number is unlikely to collide with that of another program's picture.
      let id = UInt32.random(in: (1 << 24)...(1 << 31))
      return placed(
        KittyPicture.transmission(pixels, id: id).bytes
          + KittyPicture.placement(id: id, box: (frame.columns, frame.rows)), frame)
    }
    if support.hasSixels {
      let drawing = SixelPicture.drawing(pixels, in: frame, colours: support.sixelColours)
      return placed(drawing.bytes, frame)
    }
    let blocks = BlockPicture(pixels, columns: frame.columns, rows: frame.rows)
    let lines = (0..<blocks.rows).map {
      blocks.line($0, colours: hasAllColours ? .all : .palette) + "\n"
    }
    return lines.flatMap { Array($0.utf8) }
  }

  /// Returns the picture with room reserved first, so that drawing it doesn't scroll.
  private func placed(_ picture: [UInt8], _ frame: PictureFrame) -> [UInt8] {
    let room = String(repeating: "\n", count: frame.rows) + "\u{1B}[\(frame.rows)A\u{1B}7"
    return Array(room.utf8) + picture + Array("\u{1B}8\u{1B}[\(frame.rows)B\r".utf8)
  }

  // MARK: Asking

  private static func ask() -> PictureSupport {
    var support = PictureSupport()
    var before = termios()
    // If standard input is redirected, no reply can be read; pending input would be lost.
    guard isatty(STDIN_FILENO) == 1, tcgetpgrp(STDIN_FILENO) == getpgrp(),
      !isReady(STDIN_FILENO, for: POLLIN, within: 0), tcgetattr(STDIN_FILENO, &before) == 0
    else { return support }
    var raw = before
    // ^C must not end the program before the terminal is restored.
    raw.c_lflag &= ~tcflag_t(ICANON | ECHO | ISIG)
    guard tcsetattr(STDIN_FILENO, TCSANOW, &raw) == 0 else { return support }
    let interrupt = before.c_cc.0
    var isInterrupted = false
    defer {
      tcsetattr(STDIN_FILENO, TCSANOW, &before)
      if isInterrupted { raise(SIGINT) }
    }
    Output.bytes(
      PictureSupport.questions(inside: PictureSupport.isMultiplexer { Environment[$0] }))
    Output.flush()
    let end = Clock.system.monotonic() + patience
    var room = [UInt8](repeating: 0, count: 256)
    while !support.isComplete, isReady(STDIN_FILENO, for: POLLIN, until: end) {
      let count = read(STDIN_FILENO, &room, room.count)
      if count <= 0 { break }
      isInterrupted = interrupt != 0 && room[..<count].contains(interrupt)
      if isInterrupted { break }
      support.take(room[..<count])
    }
    return support
  }
}
