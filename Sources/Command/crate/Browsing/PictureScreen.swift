import Browsing
import Terminal

/// The pictures that the terminal draws itself: which it shows, and the bytes that are still to be
/// sent for those that it shall.
struct PictureScreen {
  var way = CoverWay.none
  var cell = CellSize.usual
  var colours = SixelPicture.coloursUsual
  /// Pictures that are drawn.
  private var drawn: [PlacedPicture] = []
  private var wanted: [PlacedPicture] = []
  /// Names of pictures that kitty's protocol still shows where they were, and that are wanted
  /// elsewhere: placed there, they are gone here.
  private var misplaced: Set<String> = []
  /// The one that is being sent.
  private var sent: (picture: PlacedPicture, pieces: PicturePieces, count: Int)?
  private var owed: [UInt8] = []
  /// Numbers that the terminal knows pictures of kitty's protocol by, the last one used at the end.
  private var numbers: [(name: String, id: UInt32, isExact: Bool)] = []
  private var nextNumber: UInt32 = 0x4352_0001

  /// Pictures that the terminal keeps: those that are seen, and so many with those seen before.
  private static let keptMost = 64

  /// The terminal shows none any longer, and may have forgotten them.
  mutating func forget() {
    // What comes next would be taken for the rest of the one that is being sent.
    owed += interrupt()
    drawn = []
    misplaced = []
    numbers = []
  }

  /// What makes the terminal show the grid, but for its pictures.
  mutating func paint(_ grid: Grid, by painter: inout Painter) -> [UInt8] {
    let hidden = leave(for: grid)
    let painted = painter.paint(grid)
    // Text within a sixel's string would end it, and the rest of the string would be text.
    let ending = painted.isEmpty || !isWithinString ? [] : interrupt()
    return hidden + ending + painted
  }

  /// Takes off what the grid has no place for.
  ///
  /// - Returns: what has to be written before the grid.
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

  /// Takes the oldest picture out of the terminal's memory that isn't wanted.
  private mutating func dropNumber() -> [UInt8] {
    let oldest = numbers.firstIndex { number in
      !wanted.contains { $0.name == number.name }
    }
    guard numbers.count >= Self.keptMost, let oldest else { return [] }
    return KittyPicture.removal(id: numbers.remove(at: oldest).id)
  }

  /// A key is more urgent: what ends the picture that is being sent.
  mutating func interrupt() -> [UInt8] {
    guard let sent else { return [] }
    self.sent = nil
    numbers.removeAll { $0.name == sent.picture.name }
    return sent.pieces.closing(after: sent.count)
  }

  /// Sixels are one string from the first piece to the last.
  var isWithinString: Bool { way == .sixel && (sent?.count ?? 0) > 0 }

  mutating func owe(_ bytes: [UInt8]) { owed += bytes }

  /// Whether there is something to be sent.
  var hasMore: Bool {
    !owed.isEmpty || sent != nil
      || (way == .kitty || way == .sixel) && wanted.contains { !drawn.contains($0) }
  }

  /// The next bytes for what is wanted and not drawn; empty where all is.
  ///
  /// - Parameter most: of them; one piece comes in any case.
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
    // A picture has the size at which it is shown, so that it is as wide as high; the terminal
    // stretches one that would be far larger than what is known of it: it goes over a wire.
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
