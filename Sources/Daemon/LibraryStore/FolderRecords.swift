import Glibc
package import LibraryModel
package import Platform

/// The state of a music folder itself when it was last present.
package struct FolderRecord: Hashable, Sendable {
  /// The identity of its root.
  package var identity: FileIdentity
  /// Whether its first scan has ended.
  package var isScanned: Bool
  /// The start of the unfinished first scan in milliseconds since 1970; nil if there is none.
  package var firstScanSeen: Int64?
  /// The file systems inside it, in a stable order.
  package var innerFileSystems: [InnerFileSystem]
  /// Albums that songs have left by retagging while files of others are awaited. After that wait it
  /// is decided whether they hand over their ids.
  package var leaving: Set<AlbumID>

  package init(
    identity: FileIdentity, isScanned: Bool, firstScanSeen: Int64? = nil,
    innerFileSystems: [InnerFileSystem] = [], leaving: Set<AlbumID> = []
  ) {
    self.identity = identity
    self.isScanned = isScanned
    self.firstScanSeen = firstScanSeen
    self.innerFileSystems = innerFileSystems
    self.leaving = leaving
  }
}

/// The file of music folders beside the generations (store-format.md). Without it, a
/// folder is recognised by the paths of its files alone.
package enum FolderRecords {
  static let name = StoreName("folders.txt")
  private static let header = "crated-folders 1"

  private enum Line {
    case folder(BytePath, FolderRecord)
    /// Belongs to the folder in the lines above.
    case inner(InnerFileSystem)
    case leaving(AlbumID)
  }

  static func text(_ records: [BytePath: FolderRecord]) -> [UInt8] {
    var text = Array("\(header)\n".utf8)
    for (path, record) in records.sorted(by: { $0.key < $1.key }) {
      let identity = record.identity
      text += "folder fs=\(identity.fileSystem) inode=\(identity.inode) birth=\(identity.birth)"
      text += "\(" scanned=1", if: record.isScanned)"
      if let seen = record.firstScanSeen { text += " seen=\(seen)" }
      text += " \(rest: path.bytes)\n"
      for inner in record.innerFileSystems {
        text += "\(word: inner.kind.rawValue) fs=\(inner.fileSystem) inode=\(inner.inode)"
        text += "\(" unstable=1", if: !inner.isInStamps) \(rest: inner.path.bytes)\n"
      }
      for album in record.leaving.sorted() { text += "left \(album)\n" }
    }
    return text
  }

  /// Returns nil if a line is not understood: then nothing of the file is used.
  static func records(_ text: [UInt8]) -> [BytePath: FolderRecord]? {
    let (records, badLine) = read(text)
    return badLine == nil ? records : nil
  }

  /// Returns the number of the first line that is not understood, from 1.
  static func badLine(of text: [UInt8]) -> Int? { read(text).badLine }

  private static func read(
    _ text: [UInt8]
  ) -> (records: [BytePath: FolderRecord], badLine: Int?) {
    var records: [BytePath: FolderRecord] = [:]
    var last: BytePath?
    let lines = text.split(separator: 0x0A)
    guard let first = lines.first, first.elementsEqual(header.utf8) else { return ([:], 1) }
    for (place, line) in lines.enumerated().dropFirst() {
      switch (try? self.line(line), last) {
      case (.folder(let path, let record)?, _):
        records[path] = record
        last = path
      case (.inner(let inner)?, let folder?): records[folder]?.innerFileSystems.append(inner)
      case (.leaving(let album)?, let folder?): records[folder]?.leaving.insert(album)
      default: return (records, place + 1)
      }
    }
    return (records, text.last == 0x0A ? nil : lines.count)
  }

  private static func line(_ line: ArraySlice<UInt8>) throws(ParseError) -> Line {
    var words = Words(line)
    if words.consume("folder") { return try folder(&words) }
    if words.consume("left") { return .leaving(try words.album()) }
    for kind in [InnerFileSystem.Kind.mount, .volume, .link] where words.consume(kind.rawValue) {
      let fileSystem: UInt64 = try number(&words, "fs=")
      let inode: UInt64 = try number(&words, "inode=")
      let isUnstable = words.consume("unstable=1")
      return .inner(
        InnerFileSystem(
          kind, at: try words.remaining.path(), fileSystem: fileSystem, inode: inode,
          isInStamps: !isUnstable))
    }
    throw ParseError("a folder is missing")
  }

  private static func folder(_ words: inout Words) throws(ParseError) -> Line {
    let identity = FileIdentity(
      fileSystem: try number(&words, "fs="), inode: try number(&words, "inode="),
      birth: try number(&words, "birth="))
    var record = FolderRecord(identity: identity, isScanned: words.consume("scanned=1"))
    if words.remaining.starts(with: "seen=".utf8) {
      record.firstScanSeen = try number(&words, "seen=")
    }
    return .folder(try words.remaining.path(), record)
  }

  private static func number<Number: FixedWidthInteger>(
    _ words: inout Words, _ key: String
  ) throws(ParseError) -> Number {
    let word = try words.word(key).display
    guard word.hasPrefix(key), let number = Number(word.dropFirst(key.count)) else {
      throw ParseError("\(key) is missing")
    }
    return number
  }
}

extension DiskFiles {
  /// Reads `folders.txt`. Empty if there is none, or if a line of it is not understood.
  ///
  /// - Throws: the call that failed while reading it.
  package func folderRecords() throws(SystemCallError) -> [BytePath: FolderRecord] {
    try read(FolderRecords.name).flatMap(FolderRecords.records) ?? [:]
  }

  /// Replaces `folders.txt` as a whole, durably.
  ///
  /// - Throws: the call that failed. The former file is there; where only the directory could not
  ///   be synchronized, the new one is, and a power cut may bring the former one back.
  package func replaceFolderRecords(_ records: [BytePath: FolderRecord]) throws(SystemCallError) {
    try replaceFile(
      Array(FolderRecords.name.name.utf8), in: opened(.store),
      with: FolderRecords.text(records))
  }
}
