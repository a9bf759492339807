import FolderWatching
import LibraryModel
import ModelSupport
import TestSupport
import Testing

@testable import DaemonCore

@Suite("What a library knows of a music folder", .limited)
struct LibraryFoldersTests {
  private var library = Library()

  /// Two folders with an album each: one that was scanned whole, and one that was not.
  init() throws {
    let old = BytePath("/old")
    library.away.folders = [old, BytePath("/new")]
    try library.apply(.crateAdded("Music", after: nil), by: .folder)
    for (number, folder) in ["old", "new"].enumerated() {
      let album = AlbumID(number: UInt64(number))
      try library.apply(
        .albumAdded(
          album, crate: "Music", after: nil, group: GroupKey(family: folder),
          isFresh: folder == "new", seen: 0), by: .folder)
      for track in 1...2 {
        try library.apply(
          .songAdded(
            song(folder, track), album: album, after: nil,
            path: BytePath("/\(folder)/\(track).flac"), digest: digest(folder, track), added: 0,
            seen: 0), by: .folder)
      }
    }
  }

  private func song(_ folder: String, _ track: Int) -> SongID {
    SongID(number: UInt64(folder == "old" ? track : 10 + track))
  }

  private func digest(_ folder: String, _ track: Int) -> AudioDigest {
    AudioDigest(high: song(folder, track).number, low: 1)
  }

  private func facts(_ folder: String, _ track: Int) -> FileFacts {
    let stamp = FileStamp(
      identity: FileIdentity(fileSystem: 1, inode: 1, birth: 1), size: Int64(track), modified: 1,
      changed: 1)
    return FileFacts(
      stamp: stamp, tags: SongTags(), audio: AudioProperties(), digest: digest(folder, track),
      format: "flac")
  }

  private func known(_ folder: String) -> [String: Int64?] {
    Dictionary(
      uniqueKeysWithValues: library.knownFiles(below: BytePath(folder)).map {
        ($0.path.display, $0.facts?.stamp.size)
      })
  }

  @Test("It was scanned where it has songs, and none of a first scan that never ended")
  mutating func scanned() throws {
    #expect(library.hasScanned(BytePath("/old")) && !library.hasScanned(BytePath("/new")))
    #expect(!library.hasScanned(BytePath("/")) && !library.hasScanned(BytePath("/ol")))
    try library.apply(.firstScanEnded(BytePath("/new")), by: .folder)
    #expect(library.hasScanned(BytePath("/new")) && library.hasScanned(BytePath("/")))
    for track in 1...2 {
      #expect(library.hasScanned(BytePath("/old")))
      let gone = try #require(library.songs[song("old", track)])
      try library.apply(.songGone(gone.id, gone.lasting), by: .folder)
    }
    // Nothing is there that would tell.
    #expect(!library.hasScanned(BytePath("/old")))
  }

  @Test("Its files are those of songs that are there, with what is known of them")
  mutating func files() throws {
    #expect(known("/old") == ["/old/1.flac": nil, "/old/2.flac": nil])
    library.attach(facts("old", 2), to: song("old", 2))
    let gone = try #require(library.songs[song("old", 1)])
    try library.apply(.songGone(gone.id, gone.lasting), by: .folder)
    #expect(known("/old") == ["/old/2.flac": 2])
    // A song may have a further file, in another folder.
    let other = DuplicateFile(path: BytePath("/new/2 copy.flac"), facts: facts("old", 2))
    #expect(library.attach([(song("old", 2), other)]) == [])
    #expect(known("/old") == ["/old/2.flac": 2])
    #expect(
      known("/new") == ["/new/1.flac": nil, "/new/2.flac": nil, "/new/2 copy.flac": 2])
    #expect(known("/ne") == [:])
  }
}
