import Synchronization
import Text

/// Indexes of a library's songs by everything that other programs know them by. One value serves
/// many lists and can be used from several threads. Each table is built on first use.
package final class SongLookup: Sendable {
  /// A file of a song: its own, or a duplicate.
  struct File {
    let song: Song
    let path: BytePath
  }

  /// The most path components of an indexed suffix. More would not distinguish more songs.
  static let longestEnding = 8
  static let shortestEnding = 2

  let files: [File]
  let songs: SharedMap<SongID, Song>
  /// The music folders.
  let folders: [BytePath]

  private let paths = AtomicLazyReference<SongTable>()
  private let endings = AtomicLazyReference<SongTable>()
  private let recordings = AtomicLazyReference<SongTable>()
  private let albumTitles = AtomicLazyReference<SongTable>()
  private let artistTitles = AtomicLazyReference<SongTable>()

  package init(_ library: Library) {
    var files: [File] = []
    files.reserveCapacity(library.songs.count + library.duplicateFileCount)
    library.songs.forEach { _, song in files.append(File(song: song, path: song.path)) }
    library.forEachDuplicateFile { file, song in files.append(File(song: song, path: file.path)) }
    self.files = files
    songs = library.songs
    folders = library.away.folders
  }

  /// Returns the table, building it if necessary. If another thread was faster, its table is used.
  private static func kept(
    _ table: borrowing AtomicLazyReference<SongTable>, _ make: () -> [SongTable.Row]
  ) -> SongTable {
    table.load() ?? table.storeIfNil(SongTable(make()))
  }

  // MARK: Paths

  /// Returns the files whose paths are equal in NFC.
  func files(at path: [UInt8]) -> [Int] {
    Self.kept(paths) {
      files.enumerated().map { (SongTable.key(normalised($1.path.bytes)), UInt32($0)) }
    }[SongTable.key(normalised(path))]
  }

  /// Returns the files that share the longest suffix with the path, and its number of components. A
  /// suffix that is only the name, or the name with disc folders, is not enough, since disc folders
  /// have the same names everywhere.
  func files(endingLike path: [UInt8]) -> (files: [Int], parts: Int) {
    let endings = Self.kept(endings, endingRows)
    let keys = EndingKeys(path).keys
    let discs = path.split(separator: slash).dropLast().reversed().prefix {
      discNumber(ofFolder: $0) != nil
    }
    for (place, key) in keys.enumerated().dropFirst(discs.count).reversed() {
      let found = endings[key]
      if !found.isEmpty { return (found, place + Self.shortestEnding) }
    }
    return ([], 0)
  }

  /// Returns rows that map each suffix of a file's path, folded and without the extension, to the
  /// file.
  private func endingRows() -> [SongTable.Row] {
    var rows: [SongTable.Row] = []
    rows.reserveCapacity(files.count * 4)
    // Caches the parts of each folder, since most songs share theirs with others.
    var folders: [BytePath: [UInt64]] = [:]
    for (number, file) in files.enumerated() {
      let folder = file.path.parent
      let above = folders[folder] ?? EndingKeys.parts(of: folder.bytes)
      folders[folder] = above
      for key in EndingKeys(name: file.path.name, above: above).keys {
        rows.append((key, UInt32(number)))
      }
    }
    return rows
  }

  // MARK: Tags

  func songs(withRecording recording: String) -> [Int] {
    Self.kept(recordings) {
      rows { song in
        let recording = folded(song.recording)
        return recording.isEmpty ? nil : SongTable.key(recording)
      }
    }[SongTable.key(folded(recording))]
  }

  func songs(inAlbum album: String, titled title: String) -> [Int] {
    Self.kept(albumTitles) {
      rows { song in
        let (album, title) = (song.albumTitle, song.taggedTitle)
        return album.isEmpty || title.isEmpty ? nil : SongTable.key(folded(album), folded(title))
      }
    }[SongTable.key(folded(album), folded(title))]
  }

  /// - Parameter artist: the album artist if there is one. Guests are ignored.
  func songs(by artist: String, titled title: String) -> [Int] {
    Self.kept(artistTitles) {
      rows { song in
        let artist = song.albumArtist.isEmpty ? song.artist : song.albumArtist
        let title = song.taggedTitle
        if artist.isEmpty || title.isEmpty { return nil }
        return SongTable.key(folded(mainArtist(artist)), folded(title))
      }
    }[SongTable.key(folded(mainArtist(artist)), folded(title))]
  }

  /// Returns one row for each song.
  private func rows(_ key: (Song) -> UInt64?) -> [SongTable.Row] {
    var rows: [SongTable.Row] = []
    for (number, file) in files.enumerated() where file.path == file.song.path {
      if let key = key(file.song) { rows.append((key, UInt32(number))) }
    }
    return rows
  }
}

extension Song {
  /// The tagged title, or an empty string if there is none.
  var taggedTitle: String { facts?.title ?? traits?.title ?? "" }
}

/// The hashes of a path's suffixes, from the shortest.
struct EndingKeys {
  private(set) var keys: [UInt64] = []

  init(_ path: [UInt8]) {
    let parts = path.split(separator: slash)
    self.init(name: Array(parts.last ?? []), above: EndingKeys.parts(parts.dropLast()))
  }

  /// - Parameter above: the parts of the folder, from the innermost.
  init(name: [UInt8], above: [UInt64]) {
    if name.isEmpty { return }
    var key = EndingKeys.part(EndingKeys.stem(name))
    for part in above.prefix(SongLookup.longestEnding - 1) {
      key = SongTable.joined(key, part)
      keys.append(key)
    }
  }

  static func parts(of folder: [UInt8]) -> [UInt64] { parts(folder.split(separator: slash)[...]) }

  private static func parts(_ names: ArraySlice<ArraySlice<UInt8>>) -> [UInt64] {
    names.suffix(SongLookup.longestEnding).reversed().map { part($0) }
  }

  /// Returns the name without an audio file extension.
  static func stem(_ name: [UInt8]) -> ArraySlice<UInt8> {
    guard name.withUnsafeBufferPointer({ AudioExtensions.areOf($0) }),
      let dot = name.lastIndex(of: UInt8(ascii: "."))
    else { return name[...] }
    return name[..<dot]
  }

  /// Returns the hash of a folded name, or of the bytes if they are not valid UTF-8.
  static func part(_ bytes: ArraySlice<UInt8>) -> UInt64 {
    guard let text = String(validating: bytes, as: UTF8.self) else {
      return SongTable.key(Array(bytes))
    }
    return SongTable.key(folded(text))
  }
}

private let slash = UInt8(ascii: "/")
