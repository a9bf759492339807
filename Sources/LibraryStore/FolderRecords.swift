import Glibc
package import LibraryModel
package import Platform

/// What was known of a music folder itself when it was last there.
package struct FolderRecord: Hashable, Sendable {
  /// Of its root.
  package var identity: FileIdentity
  /// Its first scan has ended.
  package var isScanned: Bool

  package init(identity: FileIdentity, isScanned: Bool) {
    self.identity = identity
    self.isScanned = isScanned
  }
}

/// The music folders in a file beside the generations (Documentation/store-format.md). No order is
/// in it: without it, a folder is known again by the paths of its files alone.
package enum FolderRecords {
  static let name = StoreName("folders.txt")
  private static let header = "crated-folders 1"

  static func text(_ records: [BytePath: FolderRecord]) -> [UInt8] {
    var text = Array("\(header)\n".utf8)
    for (path, record) in records.sorted(by: { $0.key < $1.key }) {
      let identity = record.identity
      text += "folder fs=\(identity.fileSystem) inode=\(identity.inode)".utf8
      text += " birth=\(identity.birth)\(record.isScanned ? " scanned=1" : "") ".utf8
      Escaping.append(path.bytes, to: &text)
      text.append(0x0A)
    }
    return text
  }

  /// Nil where a line is not understood: then nothing of it is believed.
  static func records(_ text: [UInt8]) -> [BytePath: FolderRecord]? {
    guard badLine(of: text) == nil else { return nil }
    let read = text.split(separator: 0x0A).dropFirst().compactMap { try? record($0) }
    return Dictionary(read, uniquingKeysWith: { $1 })
  }

  /// The first line that is not understood, from 1.
  static func badLine(of text: [UInt8]) -> Int? {
    let lines = text.split(separator: 0x0A)
    guard let first = lines.first, first.elementsEqual(header.utf8) else { return 1 }
    for (place, line) in lines.enumerated().dropFirst() where (try? record(line)) == nil {
      return place + 1
    }
    return text.last == 0x0A ? nil : lines.count
  }

  private static func record(
    _ line: ArraySlice<UInt8>
  ) throws(LineFault) -> (BytePath, FolderRecord) {
    var words = Words(line)
    try words.require("folder")
    let identity = FileIdentity(
      fileSystem: try number(&words, "fs="), inode: try number(&words, "inode="),
      birth: try number(&words, "birth="))
    let isScanned = words.take("scanned=1")
    guard let path = Escaping.decoded(words.remaining), path.first == UInt8(ascii: "/") else {
      throw LineFault("a path is missing")
    }
    return (BytePath(path), FolderRecord(identity: identity, isScanned: isScanned))
  }

  private static func number<Number: FixedWidthInteger>(
    _ words: inout Words, _ key: String
  ) throws(LineFault) -> Number {
    let word = String(decoding: try words.word(key), as: UTF8.self)
    guard word.hasPrefix(key), let number = Number(word.dropFirst(key.count)) else {
      throw LineFault("\(key) is missing")
    }
    return number
  }
}

extension DiskFiles {
  /// Nothing where there is no such file, or one that is not understood.
  package func folderRecords() throws(SystemCallError) -> [BytePath: FolderRecord] {
    try read(FolderRecords.name).flatMap(FolderRecords.records) ?? [:]
  }

  /// Replaces the file as a whole, durably.
  package func keep(_ records: [BytePath: FolderRecord]) throws(SystemCallError) {
    let temporary = StoreName("\(FolderRecords.name).new")
    // One that a power cut has left behind.
    if try read(temporary) != nil { try remove(temporary) }
    try writeNew(FolderRecords.text(records), to: temporary)
    try replace(FolderRecords.name, by: temporary)
    try synchronize(.store)
  }
}
