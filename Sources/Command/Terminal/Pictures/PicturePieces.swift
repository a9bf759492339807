/// A picture as a terminal takes it: bytes in pieces, one after the other. Between any two the
/// sender may look whether there is something more urgent to do.
package struct PicturePieces: Sendable, Hashable {
  package let pieces: [[UInt8]]
  /// What ends it before all pieces were sent.
  private let end: [UInt8]

  init(_ pieces: [[UInt8]], end: [UInt8]) {
    self.pieces = pieces
    self.end = end
  }

  /// What has to follow if nothing more is sent after so many pieces, for the terminal to take
  /// what comes then for what it is. Empty before the first and after the last.
  package func closing(after count: Int) -> [UInt8] {
    count > 0 && count < pieces.count ? end : []
  }

  package var bytes: [UInt8] { pieces.flatMap { $0 } }
}
