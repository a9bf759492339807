import Glibc

/// A terminal that somebody else wrote (libvterm, of which Neovim and Emacs make theirs), for
/// holding against it what is drawn. It is loaded while the tests run, so that nothing needs it to
/// be built.
package final class IndependentTerminal {
  /// What one cell shows.
  package struct Cell: Equatable {
    /// Empty in the right half of a wide character; a blank where nothing was written.
    package var scalars: [Unicode.Scalar]
    package var isBold = false
    package var isItalic = false
    package var isUnderlined = false
    package var isReversed = false
    package var ink: Colour
    package var paper: Colour

    package init(
      scalars: [Unicode.Scalar], isBold: Bool = false, isItalic: Bool = false,
      isUnderlined: Bool = false, isReversed: Bool = false, ink: Colour = .usual,
      paper: Colour = .usual
    ) {
      self.scalars = scalars
      self.isBold = isBold
      self.isItalic = isItalic
      self.isUnderlined = isUnderlined
      self.isReversed = isReversed
      self.ink = ink
      self.paper = paper
    }
  }

  package enum Colour: Equatable {
    case usual
    case palette(UInt8)
    case mixed(UInt8, UInt8, UInt8)
  }

  /// Scalars that it keeps of a cell.
  package static let scalarsMost = 6

  private let library: Library
  private let terminal: OpaquePointer
  private let screen: OpaquePointer
  package private(set) var columns: Int
  package private(set) var rows: Int

  /// Nil where the library is not installed; `make test` installs it.
  package init?(columns: Int, rows: Int) {
    guard let library = Library.loaded,
      let terminal = library.new(Int32(rows), Int32(columns)),
      let screen = library.screen(terminal)
    else { return nil }
    self.library = library
    self.terminal = terminal
    self.screen = screen
    self.columns = columns
    self.rows = rows
    library.setUTF8(terminal, 1)
    library.enableOtherScreen(screen, 1)
    library.reset(screen, 1)
  }

  deinit { library.free(terminal) }

  package static var isInstalled: Bool { Library.loaded != nil }

  package func feed(_ bytes: [UInt8]) {
    bytes.withUnsafeBufferPointer { bytes in
      guard let start = bytes.baseAddress else { return }
      _ = library.write(terminal, start, bytes.count)
    }
  }

  package func resize(columns: Int, rows: Int) {
    (self.columns, self.rows) = (columns, rows)
    library.setSize(terminal, Int32(rows), Int32(columns))
  }

  /// Where the cursor is, from 0.
  package var cursor: (row: Int, column: Int) {
    guard let state = library.state(terminal) else { return (-1, -1) }
    var place = Place(row: 0, column: 0)
    library.cursor(state, &place)
    return (Int(place.row), Int(place.column))
  }

  package func cell(row: Int, column: Int) -> Cell {
    // A VTermScreenCell: six characters, the width, attributes as bits, two colours of four bytes.
    let bytes = UnsafeMutableRawPointer.allocate(byteCount: 64, alignment: 8)
    defer { bytes.deallocate() }
    memset(bytes, 0, 64)
    let place = Place(row: Int32(row), column: Int32(column))
    _ = library.cell(screen, place.packed, bytes)
    var scalars: [Unicode.Scalar] = []
    for place in 0..<Self.scalarsMost {
      let value = bytes.load(fromByteOffset: 4 * place, as: UInt32.self)
      if value == 0 { break }
      // The right half of a wide one.
      guard let scalar = Unicode.Scalar(value) else { break }
      scalars.append(scalar)
    }
    let first = bytes.load(as: UInt32.self)
    if first == 0 { scalars = [" "] }
    let attributes = bytes.load(fromByteOffset: 28, as: UInt32.self)
    return Cell(
      scalars: scalars, isBold: attributes & 1 != 0, isItalic: attributes & 8 != 0,
      isUnderlined: attributes & 6 != 0, isReversed: attributes & 32 != 0,
      ink: colour(bytes + 32), paper: colour(bytes + 36))
  }

  private func colour(_ bytes: UnsafeMutableRawPointer) -> Colour {
    let value = bytes.loadUnaligned(as: UInt32.self)
    let parts = (UInt8(value & 0xFF), UInt8(value >> 8 & 0xFF), UInt8(value >> 16 & 0xFF))
    if parts.0 & 6 != 0 { return .usual }
    return parts.0 & 1 != 0 ? .palette(parts.1) : .mixed(parts.1, parts.2, UInt8(value >> 24))
  }

  /// A VTermPos, which goes by value: in one register on all machines that Swift knows.
  private struct Place {
    var row: Int32
    var column: Int32

    var packed: UInt64 {
      UInt64(UInt32(bitPattern: row)) | UInt64(UInt32(bitPattern: column)) << 32
    }
  }

  /// The functions that are needed of it.
  private struct Library: @unchecked Sendable {
    typealias Handle = OpaquePointer

    let new: @convention(c) (Int32, Int32) -> Handle?
    let free: @convention(c) (Handle) -> Void
    let setUTF8: @convention(c) (Handle, Int32) -> Void
    let setSize: @convention(c) (Handle, Int32, Int32) -> Void
    let write: @convention(c) (Handle, UnsafePointer<UInt8>, Int) -> Int
    let screen: @convention(c) (Handle) -> Handle?
    let state: @convention(c) (Handle) -> Handle?
    let enableOtherScreen: @convention(c) (Handle, Int32) -> Void
    let reset: @convention(c) (Handle, Int32) -> Void
    let cell: @convention(c) (Handle, UInt64, UnsafeMutableRawPointer) -> Int32
    let cursor: @convention(c) (Handle, UnsafeMutableRawPointer) -> Void

    static let loaded: Library? = {
      guard let file = dlopen("libvterm.so.0", RTLD_NOW) else { return nil }
      func found<Function>(_ name: String, _: Function.Type) -> Function? {
        dlsym(file, "vterm_\(name)").map { unsafeBitCast($0, to: Function.self) }
      }
      guard let new = found("new", (@convention(c) (Int32, Int32) -> Handle?).self),
        let free = found("free", (@convention(c) (Handle) -> Void).self),
        let setUTF8 = found("set_utf8", (@convention(c) (Handle, Int32) -> Void).self),
        let setSize = found("set_size", (@convention(c) (Handle, Int32, Int32) -> Void).self),
        let write = found(
          "input_write", (@convention(c) (Handle, UnsafePointer<UInt8>, Int) -> Int).self),
        let screen = found("obtain_screen", (@convention(c) (Handle) -> Handle?).self),
        let state = found("obtain_state", (@convention(c) (Handle) -> Handle?).self),
        let enable = found(
          "screen_enable_altscreen", (@convention(c) (Handle, Int32) -> Void).self),
        let reset = found("screen_reset", (@convention(c) (Handle, Int32) -> Void).self),
        let cell = found(
          "screen_get_cell",
          (@convention(c) (Handle, UInt64, UnsafeMutableRawPointer) -> Int32).self),
        let cursor = found(
          "state_get_cursorpos",
          (@convention(c) (Handle, UnsafeMutableRawPointer) -> Void).self)
      else { return nil }
      return Library(
        new: new, free: free, setUTF8: setUTF8, setSize: setSize, write: write, screen: screen,
        state: state, enableOtherScreen: enable, reset: reset, cell: cell, cursor: cursor)
    }()
  }
}
