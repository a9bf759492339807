import Glibc
import LibraryModel
import Platform
import Text

/// The records of which files in a directory are crated's: their names, and the digest of what was
/// last written to them or accepted from a player. They are in the state directory, since a mark in
/// the list would not suffice: a player that saves a list drops it, and a copy has it under another
/// name.
///
/// The digest of a list is recorded before the file gets its name, so that crated recognizes its
/// own file after a kill between the two.
///
/// Functions that change the records throw a `SystemCallError`, as `StateFiles.write` does. Memory
/// and disk are then as they were before.
struct PlaylistRecords: Sendable {
  struct Entry: Hashable, Sendable {
    /// The digest of what was written or accepted last; nil if the file was never there.
    var last: TextDigest?
    /// The digest of what is about to be written, or has been written already.
    var next: TextDigest?
    /// Whether the last version is a player's, with the songs of the crate.
    var isPlayers = false
    /// The digests of the lists that a player may have read, the oldest first: the last edit that
    /// was accepted, and what was written since.
    var bases: [TextDigest] = []

    /// Returns whether a file with these bytes is removed with its crate.
    func isOurs(_ digest: TextDigest) -> Bool {
      digest == last || digest == next || digest == bases.last
    }
  }

  private static let file = "lists"
  private static let head = "crated lists 1"

  /// Empty if nothing was recorded yet, or if the records are damaged: no file is crated's then.
  private(set) var entries: [BytePath: Entry] = [:]
  /// The number of the first damaged line; nil if there is none.
  private(set) var damagedLine: Int?
  let directory: BytePath
  private let files: StateFiles

  /// - Parameter state: the directory of the records of all directories.
  /// - Throws: a `SystemCallError` if there are records that can't be read now.
  init(of directory: BytePath, in state: BytePath) throws(SystemCallError) {
    self.directory = directory
    files = StateFiles(path: state.appending("\(TextDigest(of: directory.bytes))".utf8))
    guard let bytes = try files.read(Self.file) else { return }
    damagedLine = parse(bytes)
    if damagedLine != nil { entries = [:] }
  }

  subscript(_ name: BytePath) -> Entry? { entries[name] }

  // MARK: Changes

  /// Records a list that is about to get its name.
  ///
  /// - Parameter songs: the songs in it.
  mutating func willWrite(
    _ name: BytePath, _ digest: TextDigest, songs: [SongID]
  ) throws(SystemCallError) {
    var entry = entries[name] ?? Entry()
    entry.next = digest
    entry.bases.removeAll { $0 == digest }
    entry.bases = (entry.bases + [digest]).suffix(EditedList.mostBases)
    try write(songs, of: digest)
    try save { $0[name] = entry }
  }

  /// Restores the entry from before `willWrite`; nil if there was none.
  mutating func restore(_ name: BytePath, _ entry: Entry?) throws(SystemCallError) {
    if entries[name] != entry { try save { $0[name] = entry } }
  }

  /// Records that the file has its name. The first time it is written to disk, later with the next
  /// change.
  mutating func didWrite(_ name: BytePath) throws(SystemCallError) {
    guard var entry = entries[name], let next = entry.next else { return }
    let isFirst = entry.last == nil
    (entry.last, entry.next, entry.isPlayers) = (next, nil, false)
    entries[name] = entry
    if isFirst { try save { _ in } }
  }

  /// Records an accepted edit, as a base of later ones.
  ///
  /// - Parameter isPlain: whether its lines are the songs and nothing else. It then stays the list
  ///   until the crate changes.
  mutating func didAccept(
    _ name: BytePath, _ digest: TextDigest, songs: [SongID], isPlain: Bool
  ) throws(SystemCallError) {
    guard var entry = entries[name] else { return }
    entry.bases = [digest]
    if isPlain { (entry.last, entry.next, entry.isPlayers) = (digest, nil, true) }
    try write(songs, of: digest)
    try save { $0[name] = entry }
  }

  /// Removes all entries: no file is crated's any more.
  mutating func removeAll() throws(SystemCallError) {
    if !entries.isEmpty { try save { $0 = [:] } }
  }

  // MARK: Songs of a list

  private static let songsHead = "crated songs 1\n"

  private func write(_ songs: [SongID], of digest: TextDigest) throws(SystemCallError) {
    var text = Array(Self.songsHead.utf8)
    text.reserveCapacity(text.count + 13 * songs.count)
    for song in songs {
      text += "\(song)".utf8
      text.append(UInt8(ascii: "\n"))
    }
    try files.write(text, to: "songs-\(digest)")
  }

  /// Reads the songs of a list. Returns nil if they are lost: then no edit is compared with it.
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

  /// Reads the songs of each list that a player may have read under this name.
  func bases(of name: BytePath) -> [[SongID]] {
    entries[name]?.bases.compactMap(songs) ?? []
  }

  /// Removes the songs of lists that are no base any more.
  func removeUnusedSongs() {
    let needed = Set(entries.values.flatMap(\.bases).map { BytePath("songs-\($0)") })
    for name in files.names()
    where name.bytes.starts(with: "songs-".utf8) && !needed.contains(name) {
      files.remove(name.display)
    }
  }
}

// MARK: The text

extension PlaylistRecords {
  /// Changes the entries, first on disk.
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
      append(entry.isPlayers ? "taken" : "list", entry.last)
      append("next", entry.next)
      for base in entry.bases { append("base", base) }
    }
    return text
  }

  /// - Returns: the number of the first damaged line; nil if there is none.
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
      case "taken": (entry.last, entry.isPlayers) = (digest, true)
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
