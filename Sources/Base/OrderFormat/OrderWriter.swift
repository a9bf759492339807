import Text

/// Writes an order as text: the lines of a snapshot without its header and end.
package struct OrderWriter {
  private var bytes: [UInt8] = []

  package init() {}

  package var text: String { String(decoding: bytes, as: UTF8.self) }

  /// - Parameter id: omitted in text for the user.
  package mutating func addCrate(_ name: String, id: String? = nil) {
    bytes += "crate \(id.map { "\($0) " } ?? "")".utf8
    appendPercentEscaped(name.utf8, leaving: .text, to: &bytes)
    bytes.append(0x0A)
  }

  /// - Parameter shown: the album's display text. Empty in text that only programs read.
  package mutating func addAlbum(_ id: String, isArranged: Bool = false, shown: String = "") {
    add("\talbum\(isArranged ? "*" : "") \(id)", shown)
  }

  /// - Parameter kind: `song`, `offline` or `gone`.
  package mutating func addSong(_ id: String, kind: String = "song", shown: String = "") {
    add("\t\t\(kind) \(id)", shown)
  }

  private mutating func add(_ beginning: String, _ shown: String) {
    bytes += beginning.utf8
    if !shown.isEmpty {
      bytes.append(0x20)
      appendPercentEscaped(ShownText.cut(shown).utf8, leaving: .text, to: &bytes)
    }
    bytes.append(0x0A)
  }
}
