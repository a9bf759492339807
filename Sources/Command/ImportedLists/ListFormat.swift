package import Text

/// The format of a file of lists. It is detected from the file's beginning, since names may
/// mislead.
enum ListFormat {
  case m3u, pls, xml, jspf, smart, serato, crated, database

  /// - Throws: A `ListFault` that says what the file is instead, if that can be detected.
  init(of bytes: [UInt8], named name: String) throws(ListFault) {
    if ProgramDatabase.isOne(bytes) {
      self = .database
      return
    }
    if Serato.isOne(bytes) {
      self = .serato
      return
    }
    if let other = Self.other(bytes) { throw ListFault(.file, other) }
    let text = decodedUTF16(Array(bytes.prefix(4096))) ?? ListText.withoutMark(bytes)
    let ending = name.split(separator: ".").last?.lowercased() ?? ""
    let isM3U = ["m3u", "m3u8"].contains(ending)
    guard let first = text.first(where: { !isBlank($0) }) else {
      // In other formats an empty file is not a list.
      if !isM3U { throw ListFault(.file, "it is empty; save or copy it once more") }
      self = .m3u
      return
    }
    if isM3U ? Self.isMarkup(text) : first == UInt8(ascii: "<") {
      self = .xml
    } else if PLS.isOne(text) {
      self = .pls
    } else if isM3U || begins(text[...], "#EXTM3U") {
      self = .m3u
    } else if ending == "nsp" {
      self = .smart
    } else if first == UInt8(ascii: "{") {
      self = .jspf
    } else if CratedText.isOne(text) {
      self = .crated
    } else {
      self = try Self.format(endingIn: ending)
    }
  }

  /// Returns the format of a file that begins like a list of paths. A name with the extension of
  /// another format means that the file is damaged.
  private static func format(endingIn ending: String) throws(ListFault) -> ListFormat {
    switch ending {
    // A PLS file may begin with a comment.
    case "pls": return .pls
    case "xml", "xspf": throw ListFault(.line(1), "its name says XML, but it begins otherwise")
    case "jspf", "json":
      throw ListFault(.line(1), "its name says JSON, but it begins otherwise")
    case "crate":
      throw ListFault(.offset(0), "its name says a crate of Serato's, but it begins otherwise")
    case "db", "sqlite", "sqlite3":
      throw ListFault(
        .offset(0),
        "its name says a database, but it begins otherwise; Rekordbox's own is encrypted, so"
          + " export its lists as XML")
    default: return .m3u
    }
  }

  /// Whether a file with the extension of a list is markup. Song names may begin with `<`, too.
  private static func isMarkup(_ text: [UInt8]) -> Bool {
    let text = text.drop(while: isBlank)
    return ["<?xml", "<!doctype", "<html"].contains { begins(text, $0) }
  }

  /// Recognizes files that aren't lists but may contain one. Returns what to do with them.
  private static func other(_ bytes: [UInt8]) -> String? {
    let packed: [(name: String, beginning: [UInt8])] = [
      ("gzip", [0x1F, 0x8B]), ("zip", [0x50, 0x4B, 3, 4]), ("zstd", [0x28, 0xB5, 0x2F, 0xFD]),
      ("xz", [0xFD, 0x37, 0x7A, 0x58, 0x5A, 0]), ("bzip2", Array("BZh91AY&SY".utf8)),
    ]
    if let kind = packed.first(where: { bytes.starts(with: $0.beginning) }) {
      return "it is packed with \(kind.name); unpack it first"
    }
    if bytes.starts(with: "bplist".utf8) {
      return "it is a property list in Apple's binary form; export the library as XML"
    }
    // Only UTF-16 has zero bytes; UTF-16 with a byte order mark was decoded before.
    let beginning = bytes.prefix(8)
    for isBig in [true, false] where beginning.count == 8 {
      let isWide = beginning.enumerated().allSatisfy { place, byte in
        (byte == 0) == (place.isMultiple(of: 2) == isBig)
      }
      if isWide { return "it is text in UTF-16 without a mark; save it as UTF-8" }
    }
    return nil
  }
}

extension ListFile {
  /// Reads a file. If the encoding of a list is unknown (`isUndecoded`), names stay raw bytes; the
  /// caller then reads the list again as the text that `ListText` decodes.
  ///
  /// - Parameters:
  ///   - name: The file's name, without folders.
  ///   - beside: The content of the rhythmdb.xml file beside Rhythmbox's lists.
  ///   - pages: The code pages for XML that declares one.
  /// - Throws: A `ListFault` if the file is not a list, damaged, or beyond a limit.
  package init(
    of bytes: [UInt8], named name: String, beside: [UInt8]? = nil, _ pages: CodePages
  ) throws(ListFault) {
    guard bytes.count <= ListLimits.bytes, beside?.count ?? 0 <= ListLimits.bytes else {
      throw ListFault(.file, "it has more than 256 MiB; take its lists over in parts")
    }
    let plain = Self.withoutEnding(name)
    self =
      switch try ListFormat(of: bytes, named: name) {
      case .m3u: try M3U.file(Self.text(bytes), named: plain)
      case .pls: try PLS.file(Self.text(bytes), named: plain)
      case .xml: try Self.xml(bytes, named: plain, beside: beside, pages)
      case .jspf: try JSPF.file(Self.text(bytes), named: plain)
      // Navidrome's smart lists, which contain rules and no songs.
      case .smart: ListFile(leaving: LeftOutList(name: plain, reason: .smart))
      case .serato: try Serato.file(bytes, named: plain)
      case .crated: try CratedText.file(Self.text(bytes))
      case .database: try ProgramDatabase.file(bytes)
      }
  }

  /// Returns whether the file is a list of paths in an unknown encoding.
  ///
  /// - Throws: A `ListFault` that says what the file is instead of a list.
  package static func isUndecoded(_ bytes: [UInt8], named name: String) throws(ListFault) -> Bool {
    switch try ListFormat(of: bytes, named: name) {
    case .m3u, .pls: ListText.decoded(bytes) == nil
    default: false
    }
  }

  private static func text(_ bytes: [UInt8]) -> [UInt8] {
    ListText.decoded(bytes) ?? ListText.withoutMark(bytes)
  }

  private static func xml(
    _ bytes: [UInt8], named name: String, beside: [UInt8]?, _ pages: CodePages
  ) throws(ListFault) -> ListFile {
    let reader = try XMLReader(bytes, pages)
    let file: ListFile
    switch reader.name {
    case "playlist": file = try XSPF.file(reader, named: name)
    case "plist": file = try ITunes.file(reader)
    case "DJ_PLAYLISTS": file = try Rekordbox.file(reader)
    case "rhythmdb-playlists":
      let songs = try beside.map { bytes throws(ListFault) in
        try Rhythmbox.songs(in: bytes, pages)
      }
      file = try Rhythmbox.file(reader, knowing: songs ?? [:])
    case let root:
      throw reader.fault(
        "XML, but of none of the programs whose lists are read (it is <\(root.prefix(40))>)")
    }
    try reader.finish()
    return file
  }

  /// Removes the extension: `Jazz.m3u8` becomes `Jazz`.
  private static func withoutEnding(_ name: String) -> String {
    guard let dot = name.lastIndex(of: "."), dot > name.startIndex else { return name }
    return String(name[..<dot])
  }
}
