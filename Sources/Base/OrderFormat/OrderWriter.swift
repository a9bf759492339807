import Text

/// Writes an order as text: the lines of a snapshot without header and end.
package struct OrderWriter {
  private var bytes: [UInt8] = []

  package init() {}

  package var text: String { String(decoding: bytes, as: UTF8.self) }

  /// - Parameter id: left out of a text for people.
  package mutating func addCrate(_ name: String, id: String? = nil) {
    bytes += "crate \(id.map { "\($0) " } ?? "")".utf8
    appendPercentEscaped(name.utf8, leaving: .text, to: &bytes)
    bytes.append(0x0A)
  }

  /// - Parameter shown: what people know the album by; empty in a text that nobody reads.
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
