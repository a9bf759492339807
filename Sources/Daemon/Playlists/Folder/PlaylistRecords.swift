import Glibc
import LibraryModel
import Platform
import Text

/// The files of a directory that are crated's, by their names and by the digest of what was written
/// to them or taken from them last. They are kept in the state directory: a player that saves a
/// list drops what we wrote into it beside the songs, and a copy has it under another name.
///
/// The digest of a list is recorded before the list gets its name, so that no kill between the two
/// makes our own file a stranger's.
struct PlaylistRecords: Sendable {
  struct Entry: Hashable, Sendable {
    /// The digest of what was written or taken last; nil for a file that was never there.
    var last: TextDigest?
    /// The digest of what is about to be written, or is already.
    var next: TextDigest?
    /// Whether the last was a player's, and the songs in it those of the crate.
    var isTaken = false
    /// The digests of the lists that a player may have read, the oldest first: the last edit that
    /// was taken, and what was written since.
    var bases: [TextDigest] = []

    /// Whether a file with these bytes goes with its crate.
    func isOurs(_ digest: TextDigest) -> Bool {
      digest == last || digest == next || digest == bases.last
    }
  }

  private static let file = "lists"
  private static let head = "crated lists 1"

  /// Empty where nothing was recorded yet, or what was is damaged: no file is crated's then.
  private(set) var entries: [BytePath: Entry] = [:]
  /// The number of the first damaged line; nil where there is none.
  private(set) var damagedLine: Int?
  let directory: BytePath
  private let files: StateFiles

  /// - Parameter state: the directory of the records of all directories.
  /// - Throws: where there are some that can't be read now.
  init(of directory: BytePath, in state: BytePath) throws(SystemCallError) {
    self.directory = directory
    files = StateFiles(path: state.appending("\(TextDigest(of: directory.bytes))".utf8))
    guard let bytes = try files.read(Self.file) else { return }
    damagedLine = parse(bytes)
    if damagedLine != nil { entries = [:] }
  }

  subscript(_ name: BytePath) -> Entry? { entries[name] }

  // MARK: What becomes of a list

  /// Before the file gets its name.
  ///
  /// - Parameter songs: what it lists.
  mutating func intend(
    _ name: BytePath, _ digest: TextDigest, songs: [SongID]
  ) throws(SystemCallError) {
    var entry = entries[name] ?? Entry()
    entry.next = digest
    entry.bases.removeAll { $0 == digest }
    entry.bases = (entry.bases + [digest]).suffix(EditedList.mostBases)
    try keep(songs, of: digest)
    try save { $0[name] = entry }
  }

  /// Restores what was known of a file before `intend`, or forgets it where that is nil.
  mutating func restore(_ name: BytePath, _ entry: Entry?) throws(SystemCallError) {
    if entries[name] != entry { try save { $0[name] = entry } }
  }

  /// The file has its name.
  mutating func confirm(_ name: BytePath) throws(SystemCallError) {
    guard var entry = entries[name], let next = entry.next else { return }
    let isFirst = entry.last == nil
    (entry.last, entry.next, entry.isTaken) = (next, nil, false)
    entries[name] = entry
    // Known by its name from now on. Later ones are confirmed with the next that is noted.
    if isFirst { try save { _ in } }
  }

  /// A player's bytes are the list from now on, until the crate changes; or were an edit.
  ///
  /// - Parameter isPlain: whether its lines are the songs, and nothing else.
  mutating func take(
    _ name: BytePath, _ digest: TextDigest, songs: [SongID], isPlain: Bool
  ) throws(SystemCallError) {
    guard var entry = entries[name] else { return }
    entry.bases = [digest]
    if isPlain { (entry.last, entry.next, entry.isTaken) = (digest, nil, true) }
    try keep(songs, of: digest)
    try save { $0[name] = entry }
  }

  /// No file is crated's any longer.
  mutating func forgetAll() throws(SystemCallError) {
    if !entries.isEmpty { try save { $0 = [:] } }
  }

  // MARK: Songs of a list

  private static let songsHead = "crated songs 1\n"

  private func keep(_ songs: [SongID], of digest: TextDigest) throws(SystemCallError) {
    var text = Array(Self.songsHead.utf8)
    text.reserveCapacity(text.count + 13 * songs.count)
    for song in songs {
      text += "\(song)".utf8
      text.append(UInt8(ascii: "\n"))
    }
    try files.write(text, to: "songs-\(digest)")
  }

  /// Nil where that is not known any more, which costs the comparison with it and nothing else.
  func songs(of digest: TextDigest) -> [SongID]? {
    guard let bytes = try? files.read("songs-\(digest)"),
      bytes.starts(with: Self.songsHead.utf8)
    else { return nil }
    var songs: [SongID] = []
    for line in bytes.dropFirst(Self.songsHead.utf8.count).split(separator: 0x0A) {
      guard let song = line.withUnsafeBufferPointer({ SongID($0) }) else { return nil }
      songs.append(song)
    }
    return songs
  }

  /// The songs of each list that a player may have read of this one.
  func bases(of name: BytePath) -> [[SongID]] {
    entries[name]?.bases.compactMap(songs) ?? []
  }

  /// Removes the songs that no list needs any longer.
  func tidy() {
    let needed = Set(entries.values.flatMap(\.bases).map { BytePath("songs-\($0)") })
    for name in files.names()
    where name.bytes.starts(with: "songs-".utf8) && !needed.contains(name) {
      files.remove(name.display)
    }
  }
}

// MARK: The text

extension PlaylistRecords {
  /// Changes the entries, durably.
  ///
  /// - Throws: as `replaceFile` does; the entries are as they were then.
  private mutating func save(
    _ change: (inout [BytePath: Entry]) -> Void
  ) throws(SystemCallError) {
    var changed = entries
    change(&changed)
    try files.write(text(of: changed), to: Self.file)
    let needed = Set(changed.values.flatMap(\.bases))
    for digest in Set(entries.values.flatMap(\.bases)) where !needed.contains(digest) {
      files.remove("songs-\(digest)")
    }
    entries = changed
  }

  private func text(of entries: [BytePath: Entry]) -> [UInt8] {
    var text = Array("\(Self.head)\nfolder \(escaped(directory))\n".utf8)
    for (name, entry) in entries.sorted(by: { $0.key < $1.key }) {
      func append(_ word: String, _ digest: TextDigest?) {
        if let digest { text += "\(word) \(digest) \(escaped(name))\n".utf8 }
      }
      append(entry.isTaken ? "taken" : "list", entry.last)
      append("next", entry.next)
      for base in entry.bases { append("base", base) }
    }
    return text
  }

  /// - Returns: the first line that is damaged.
  private mutating func parse(_ bytes: [UInt8]) -> Int? {
    let lines = bytes.split(separator: 0x0A, omittingEmptySubsequences: false)
    guard lines.first?.elementsEqual(Self.head.utf8) == true else { return 1 }
    guard lines.last?.isEmpty == true,
      lines.dropFirst().first?.elementsEqual("folder \(escaped(directory))".utf8) == true
    else { return 2 }
    for (index, line) in lines.enumerated().dropFirst(2).dropLast() {
      let parts = line.split(separator: 0x20, maxSplits: 2, omittingEmptySubsequences: false)
      guard parts.count == 3, let digest = TextDigest(String(decoding: parts[1], as: UTF8.self)),
        let name = unescaped(parts[2])
      else { return index + 1 }
      var entry = entries[name] ?? Entry()
      switch String(decoding: parts[0], as: UTF8.self) {
      case "list": entry.last = digest
      case "taken": (entry.last, entry.isTaken) = (digest, true)
      case "next": entry.next = digest
      case "base" where entry.bases.count < EditedList.mostBases: entry.bases.append(digest)
      default: return index + 1
      }
      entries[name] = entry
    }
    return nil
  }

  private func escaped(_ path: BytePath) -> String {
    percentEscaped(path.bytes, leaving: .printable)
  }

  private func unescaped(_ text: ArraySlice<UInt8>) -> BytePath? {
    guard let bytes = percentDecoded(text), !bytes.isEmpty, !bytes.contains(0),
      !bytes.contains(UInt8(ascii: "/"))
    else { return nil }
    return BytePath(bytes)
  }
}
