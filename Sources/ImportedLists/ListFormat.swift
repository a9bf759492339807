import TextEncodings

/// How a file keeps its lists. What a file is shows in what it begins with; a name may mislead.
enum ListFormat {
  case m3u, pls, xml, jspf, serato, crated, database

  init(of bytes: [UInt8], named name: String) {
    if ProgramDatabase.isOne(bytes) {
      self = .database
    } else if Serato.isOne(bytes) {
      self = .serato
    } else {
      let text = decodedUTF16(Array(bytes.prefix(4096))) ?? ListText.withoutMark(bytes)
      let first = text.first { !isBlank($0) }
      let ending = name.split(separator: ".").last?.lowercased()
      if ending == "m3u" || ending == "m3u8" || begins(text[...], "#EXTM3U") {
        self = .m3u
      } else if first == UInt8(ascii: "<") {
        self = .xml
      } else if first == UInt8(ascii: "{") {
        self = .jspf
      } else if PLS.isOne(text) {
        self = .pls
      } else {
        self = CratedText.isOne(text) ? .crated : .m3u
      }
    }
  }
}

extension ListFile {
  /// What the bytes may mean, the likeliest first: several only of lists in an unknown encoding, of
  /// which the right one is that whose songs are found.
  ///
  /// - Parameters:
  ///   - name: the file's name, without folders.
  ///   - beside: what lies beside it, where a format has more in another file: Rhythmbox's
  ///     rhythmdb.xml.
  package static func readings(
    of bytes: [UInt8], named name: String, beside: [UInt8]? = nil
  ) throws(ListFault) -> [ListFile] {
    guard bytes.count <= ListLimits.bytes, beside?.count ?? 0 <= ListLimits.bytes else {
      throw ListFault(.file, "it has more than 64 MiB; take its lists over in parts")
    }
    let plain = withoutEnding(name)
    switch ListFormat(of: bytes, named: name) {
    case .m3u:
      var files: [ListFile] = []
      for text in ListText.readings(of: bytes) { files.append(try M3U.file(text, named: plain)) }
      return files
    case .pls:
      var files: [ListFile] = []
      for text in ListText.readings(of: bytes) { files.append(try PLS.file(text, named: plain)) }
      return files
    case .xml: return [try xml(bytes, named: plain, beside: beside)]
    case .jspf:
      let text = decodedUTF16(bytes) ?? ListText.withoutMark(bytes)
      return [try JSPF.file(text, named: plain)]
    case .serato: return [try Serato.file(bytes, named: plain)]
    case .crated: return [try CratedText.file(decodedUTF16(bytes) ?? ListText.withoutMark(bytes))]
    case .database: return [try ProgramDatabase.file(bytes)]
    }
  }

  private static func xml(
    _ bytes: [UInt8], named name: String, beside: [UInt8]?
  ) throws(ListFault) -> ListFile {
    var reader = try XMLReader(bytes)
    try reader.root()
    switch reader.localName {
    case "playlist": return try XSPF.file(&reader, named: name)
    case "plist": return try ITunes.file(&reader)
    case "DJ_PLAYLISTS": return try Rekordbox.file(&reader)
    case "rhythmdb-playlists":
      var songs: [String: WantedSong] = [:]
      if let beside { songs = try Rhythmbox.songs(in: beside) }
      return try Rhythmbox.file(&reader, knowing: songs)
    case let root:
      throw reader.fault(
        "XML, but of none of the programs whose lists are read (it is <\(root.prefix(40))>)")
    }
  }

  /// `Jazz` of `Jazz.m3u8`.
  private static func withoutEnding(_ name: String) -> String {
    guard let dot = name.lastIndex(of: "."), dot > name.startIndex else { return name }
    return String(name[..<dot])
  }
}
