import Browsing
import Terminal

/// The pictures that the terminal draws itself: those that it shows, and the bytes still to send.
struct PictureScreen {
  var way = CoverWay.none
  var cell = CellSize.usual
  var colours = SixelPicture.coloursUsual
  /// The pictures that are drawn.
  private var drawn: [PlacedPicture] = []
  private var wanted: [PlacedPicture] = []
  /// The names of kitty's pictures that are shown at a former place and wanted at another one.
  /// Placing them there removes them from the former place.
  private var misplaced: Set<String> = []
  /// The picture that is being sent.
  private var sent: (picture: PlacedPicture, pieces: PicturePieces, count: Int)?
  private var owed: [UInt8] = []
  /// The numbers of kitty's pictures in the terminal's memory, the last used one at the end.
  private var numbers: [(name: String, id: UInt32, isExact: Bool)] = []
  private var nextNumber: UInt32 = 0x4352_0001

  /// The most pictures in the terminal's memory, visible and former ones together.
  private static let keptMost = 64

  /// Forgets all pictures: the terminal shows none, and may have lost its memory of them.
  mutating func forget() {
    // An unfinished picture would swallow the output that follows.
    owed += interrupt()
    drawn = []
    misplaced = []
    numbers = []
  }

  /// Returns the bytes that make the terminal show the grid without its pictures.
  mutating func paint(_ grid: Grid, by painter: inout Painter) -> [UInt8] {
    let hidden = leave(for: grid)
    let painted = painter.paint(grid)
    // Text inside a sixel string would end it, and its remainder would be shown as text.
    let ending = painted.isEmpty || !isWithinString ? [] : interrupt()
    return hidden + ending + painted
  }

  /// Removes pictures that the grid doesn't contain.
  ///
  /// - Returns: The bytes to write before the grid.
  private mutating func leave(for grid: Grid) -> [UInt8] {
    wanted = grid.pictures
    var bytes = owed
    owed = []
    for picture in drawn where way == .kitty && !wanted.contains(picture) {
      misplaced.insert(picture.name)
    }
    drawn.removeAll { !wanted.contains($0) }
    for name in misplaced where !wanted.contains(where: { $0.name == name }) {
      misplaced.remove(name)
      if let id = number(of: name) { bytes += KittyPicture.hiding(id: id) }
    }
    if let sent, !wanted.contains(sent.picture) { bytes += interrupt() }
    return bytes
  }

  private func number(of name: String) -> UInt32? { numbers.first { $0.name == name }?.id }

  /// Removes the oldest picture that isn't wanted from the terminal's memory.
  private mutating func dropNumber() -> [UInt8] {
    let oldest = numbers.firstIndex { number in
      !wanted.contains { $0.name == number.name }
    }
    guard numbers.count >= Self.keptMost, let oldest else { return [] }
    return KittyPicture.removal(id: numbers.remove(at: oldest).id)
  }

  /// Stops sending a picture because a key is more urgent. Returns the bytes that end it.
  mutating func interrupt() -> [UInt8] {
    guard let sent else { return [] }
    self.sent = nil
    numbers.removeAll { $0.name == sent.picture.name }
    return sent.pieces.closing(after: sent.count)
  }

  /// Whether a sixel picture is partly sent. It is one string from the first piece to the last.
  var isWithinString: Bool { way == .sixel && (sent?.count ?? 0) > 0 }

  mutating func owe(_ bytes: [UInt8]) { owed += bytes }

  /// Whether there are bytes to send.
  var hasMore: Bool {
    !owed.isEmpty || sent != nil
      || (way == .kitty || way == .sixel) && wanted.contains { !drawn.contains($0) }
  }

  /// Returns the next bytes of pictures that are wanted and not drawn; empty if there are none.
  ///
  /// - Parameter most: The most bytes. A single piece may be larger.
  mutating func nextSlice(most: Int, _ pixels: (String) -> Pixels?) -> [UInt8] {
    var bytes = owed
    owed = []
    while bytes.count <= most / 2, case let more = nextPiece(pixels), !more.isEmpty {
      bytes += more
    }
    return bytes
  }

  private mutating func nextPiece(_ pixels: (String) -> Pixels?) -> [UInt8] {
    if let sent {
      let bytes = sent.pieces.pieces[sent.count]
      if sent.count + 1 < sent.pieces.pieces.count {
        self.sent?.count += 1
        return bytes
      }
      self.sent = nil
      drawn.append(sent.picture)
      return way == .kitty ? bytes + place(sent.picture) : bytes
    }
    guard way == .kitty || way == .sixel,
      let picture = wanted.first(where: { !drawn.contains($0) }),
      let found = pixels(picture.name)
    else { return [] }
    if way == .sixel {
      let frame = PictureFrame(
        of: found, inColumns: picture.columns, rows: picture.rows, cell: cell)
      sent = (picture, SixelPicture.drawing(found, in: frame, colours: colours), 0)
      return TerminalModes.moving(to: picture.spot)
    }
    if number(of: picture.name) != nil {
      drawn.append(picture)
      return place(picture)
    }
    let bytes = dropNumber()
    // A picture is sent in its displayed size, which keeps its proportions. If that is far larger
    // than the known pixels, the terminal stretches it, which saves bytes on the line.
    let frame = PictureFrame(
      of: found, inColumns: picture.columns, rows: picture.rows, cell: cell)
    let isExact = frame.width <= found.width * 3 / 2
    let scaled = isExact ? found.scaled(width: frame.width, height: frame.height) : found
    numbers.append((picture.name, nextNumber, isExact))
    sent = (picture, KittyPicture.transmission(scaled, id: nextNumber), 0)
    nextNumber += 1
    return bytes.isEmpty ? nextPiece(pixels) : bytes
  }

  private mutating func place(_ picture: PlacedPicture) -> [UInt8] {
    guard let number = numbers.first(where: { $0.name == picture.name }) else { return [] }
    misplaced.remove(picture.name)
    return TerminalModes.moving(to: picture.spot)
      + KittyPicture.placement(
        id: number.id, box: number.isExact ? nil : (picture.columns, picture.rows))
  }
}
