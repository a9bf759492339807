import Text

/// A crate of Serato: fields, each with a tag of four letters, a big-endian length of four bytes,
/// and that many bytes. Text is big-endian UTF-16. The file name consists of the names of the
/// enclosing crates, each followed by `%%`, and of the crate's name.
enum Serato {
  static func isOne(_ bytes: [UInt8]) -> Bool { bytes.starts(with: "vrsn".utf8) }

  /// - Parameter name: The file's name without its extension.
  static func file(_ bytes: [UInt8], named name: String) throws(ListFault) -> ListFile {
    let names = name.split(separator: "%%", omittingEmptySubsequences: true).map {
      words(String($0))
    }
    var list = ImportedList(name: names.last ?? name)
    list.folders = Array(names.dropLast())
    var count = ListCount()
    var isSmart = false
    var fields = Fields(bytes[...])
    while let field = try fields.next() {
      switch field.tag {
      case "vrsn":
        let version = try text(field)
        guard version.contains("Crate") else {
          throw ListFault(
            .offset(field.content.startIndex),
            "this is no crate of Serato's; these are in the folder Subcrates")
        }
        isSmart = version.contains("Smart")
      case "otrk":
        try count.addSong()
        list.songs.append(try song(field.content))
      default: continue
      }
    }
    return isSmart
      ? ListFile(leaving: LeftOutList(name: list.name, reason: .smart)) : ListFile(list)
  }

  private static func song(_ content: ArraySlice<UInt8>) throws(ListFault) -> WantedSong {
    var song = WantedSong()
    var fields = Fields(content)
    while let field = try fields.next() {
      guard field.tag == "ptrk" else { continue }
      let path = try text(field)
      // The path is relative to the root of the crate's drive, which is usually `/`.
      song.path = path.hasPrefix("/") ? path : "/" + path
    }
    return song
  }

  private static func text(_ field: Fields.Field) throws(ListFault) -> String {
    guard field.content.count.isMultiple(of: 2) else {
      throw ListFault(.offset(field.content.startIndex), "a text of half a letter")
    }
    return String(decoding: utf8(ofUTF16: field.content, isBig: true), as: UTF8.self)
  }

  private struct Fields {
    struct Field {
      var tag: String
      var content: ArraySlice<UInt8>
    }

    private var rest: ArraySlice<UInt8>
    private static let header = 8

    init(_ bytes: ArraySlice<UInt8>) { rest = bytes }

    mutating func next() throws(ListFault) -> Field? {
      let start = rest.startIndex
      if rest.isEmpty { return nil }
      guard rest.count >= Self.header else {
        throw ListFault(.offset(start), "the file ends in a field")
      }
      let tag = rest.prefix(4)
      guard tag.allSatisfy({ (0x20..<0x7F).contains($0) }) else {
        throw ListFault(.offset(start), "four bytes that name no field")
      }
      let length = rest[(start + 4)..<(start + 8)].reduce(0) { $0 << 8 | Int($1) }
      rest = rest.dropFirst(Self.header)
      guard rest.count >= length else {
        throw ListFault(.offset(start), "a field that is longer than what is left")
      }
      defer { rest = rest.dropFirst(length) }
      return Field(tag: String(decoding: tag, as: UTF8.self), content: rest.prefix(length))
    }
  }
}
