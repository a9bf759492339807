import Text

/// In which encoding a document is, by its mark and its first line.
enum XMLEncoding {
  /// How far a declaration is looked for its encoding.
  private static let reach = 256

  static func utf8(of bytes: [UInt8], _ pages: CodePages) throws(ListFault) -> [UInt8] {
    if let text = decodedUTF16(bytes) { return text }
    let bytes = ListText.withoutMark(bytes)
    let name = name(in: bytes)
    if ["", "utf-8", "utf8", "us-ascii", "ascii"].contains(name) { return bytes }
    guard let text = CodePage(named: name).flatMap({ pages.decoded(bytes, from: $0) }) else {
      throw ListFault(
        .line(1), "the encoding “\(name.prefix(40))” is not read; save the file as UTF-8")
    }
    return text
  }

  private static func name(in bytes: [UInt8]) -> String {
    guard bytes.starts(with: "<?xml".utf8) else { return "" }
    let beginning = bytes.prefix(reach)
    let end = beginning.firstIndex(of: UInt8(ascii: ">")) ?? beginning.endIndex
    let declaration = beginning[..<end]
    let word = Array("encoding".utf8)
    guard
      let start = declaration.indices.first(where: { declaration[$0...].starts(with: word) })
    else { return "" }
    let rest = declaration[(start + word.count)...].drop { isBlank($0) || $0 == 0x3D }
    guard let quote = rest.first, quote == 0x22 || quote == 0x27 else { return "" }
    let name = rest.dropFirst().prefix { $0 != quote }.map(lower)
    return String(decoding: name, as: UTF8.self)
  }
}
