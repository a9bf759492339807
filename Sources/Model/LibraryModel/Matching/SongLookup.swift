import Synchronization
import Text

/// The songs of a library by all that others know them by. Made once for many lists, which threads
/// may look up at once; each table is made when it is asked for first.
package final class SongLookup: Sendable {
  /// A file of a song: its own, or another with the same sound.
  struct File {
    let song: Song
    let path: BytePath
  }

  /// Folders and name of a path that its ends are looked up by; more would tell no more songs
  /// apart.
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
    files.reserveCapacity(library.songs.count + library.otherFileCount)
    library.songs.forEach { _, song in files.append(File(song: song, path: song.path)) }
    library.forEachOtherFile { file, song in files.append(File(song: song, path: file.path)) }
    self.files = files
    songs = library.songs
    folders = library.away.folders
  }

  /// Another thread may have been quicker.
  private static func kept(
    _ table: borrowing AtomicLazyReference<SongTable>, _ make: () -> [SongTable.Row]
  ) -> SongTable {
    table.load() ?? table.storeIfNil(SongTable(make()))
  }

  // MARK: Paths

  /// The files whose paths are the same in NFC.
  func files(at path: [UInt8]) -> [Int] {
    Self.kept(paths) {
      files.enumerated().map { (SongTable.key(normalised($1.path.bytes)), UInt32($0)) }
    }[SongTable.key(normalised(path))]
  }

  /// The files with the longest end in common with the path, and how many parts that has. None
  /// where it is the name alone, or with it folders of discs, which are called alike everywhere.
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

  /// Files by each end of their path, folded, without the extension.
  private func endingRows() -> [SongTable.Row] {
    var rows: [SongTable.Row] = []
    rows.reserveCapacity(files.count * 4)
    // Most songs share their folder with others.
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

  /// - Parameter artist: that of the album, where there is one; guests don't matter.
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

  /// One for each song.
  private func rows(_ key: (Song) -> UInt64?) -> [SongTable.Row] {
    var rows: [SongTable.Row] = []
    for (number, file) in files.enumerated() where file.path == file.song.path {
      if let key = key(file.song) { rows.append((key, UInt32(number))) }
    }
    return rows
  }
}

extension Song {
  /// Empty where the file doesn't say.
  var taggedTitle: String { facts?.title ?? traits?.title ?? "" }
}

/// The ends of a path as numbers, from the shortest.
struct EndingKeys {
  private(set) var keys: [UInt64] = []

  init(_ path: [UInt8]) {
    let parts = path.split(separator: slash)
    self.init(name: Array(parts.last ?? []), above: EndingKeys.parts(parts.dropLast()))
  }

  /// - Parameter above: the parts of the folder, from the nearest.
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

  /// A name without the ending by which it is a song's.
  static func stem(_ name: [UInt8]) -> ArraySlice<UInt8> {
    guard name.withUnsafeBufferPointer({ AudioExtensions.areOf($0) }),
      let dot = name.lastIndex(of: UInt8(ascii: "."))
    else { return name[...] }
    return name[..<dot]
  }

  /// Folded; as it is where it is no text.
  static func part(_ bytes: ArraySlice<UInt8>) -> UInt64 {
    guard let text = String(validating: bytes, as: UTF8.self) else {
      return SongTable.key(Array(bytes))
    }
    return SongTable.key(folded(text))
  }
}

private let slash = UInt8(ascii: "/")
