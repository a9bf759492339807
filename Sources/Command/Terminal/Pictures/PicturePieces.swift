/// The bytes of a picture for the terminal, in pieces. Between two pieces the sender may handle
/// more urgent work.
package struct PicturePieces: Sendable, Hashable {
  package let pieces: [[UInt8]]
  /// The bytes that abort the picture before its last piece.
  private let end: [UInt8]

  init(_ pieces: [[UInt8]], end: [UInt8]) {
    self.pieces = pieces
    self.end = end
  }

  /// Returns the bytes to send if transmission stops after so many pieces, so that the terminal
  /// interprets what follows correctly. Empty before the first and after the last piece.
  package func closing(after count: Int) -> [UInt8] {
    count > 0 && count < pieces.count ? end : []
  }

  package var bytes: [UInt8] { pieces.flatMap { $0 } }
}
