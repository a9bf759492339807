import LibraryModel
import TestSupport
import Testing

@testable import DaemonCore

@Suite("Counts of a library", .limited)
struct LibraryCountsTests {
  /// What is found in a folder, as an album for each name.
  private func find(_ paths: [(album: String, path: String)], in library: inout Library) {
    var contents = FolderContents(root: BytePath("/"), seen: 1)
    contents.found = paths.enumerated().map { number, song in
      var found = LibrarianFixture.found("", number + 1, album: song.album)
      found.path = BytePath(song.path)
      return found
    }
    merge(contents, &library)
  }

  private func merge(_ contents: FolderContents, _ library: inout Library) {
    library =
      Merge.merge(
        contents, into: library, lookups: Lookups(library, roots: library.away.folders),
        newAlbums: nil
      ).decision.library
  }

  @Test("A path lies in one music folder, the first of the settings that has it")
  func folders() {
    var away = Away()
    #expect(away.folder(of: BytePath("/a/1")) == nil)
    away.folders = ["/b", "/a", "/a/c"].map { BytePath($0) }
    for (path, folder) in [("/a/1", "/a"), ("/a/c/1", "/a"), ("/b/1", "/b")] {
      #expect(away.folder(of: BytePath(path)) == BytePath(folder))
    }
    #expect(away.folder(of: BytePath("/ab/1")) == nil)
  }

  @Test("What is gone is counted apart, and neither its albums nor their crates are listed")
  func gone() throws {
    var library = Library()
    library.away.folders = ["/a", "/b", "/none"].map { BytePath($0) }
    find(
      [
        ("One", "/a/1.flac"), ("One", "/a/2.flac"), ("One", "/a/3.flac"), ("Two", "/b/4.flac"),
        ("Two", "/b/5.flac"), ("Three", "/b/6.flac"),
      ], in: &library)
    let crates = library.crates.map(\.name)
    #expect(crates.count == 1)
    let three = try #require(
      library.songs.values.first { $0.path == BytePath("/b/6.flac") }?.album)
    try library.apply(.crateAdded("Late", after: crates[0]), by: .person)
    try library.apply(.crateAdded("Empty", after: crates[0]), by: .person)
    try library.apply(
      .albumMoved(three, crate: "Late", after: nil, wasCrate: crates[0], wasAfter: nil),
      by: .person)
    func check(_ crates: Int, _ albums: Int, _ songs: Int, _ gone: Int, _ folders: [String: Int]) {
      let counts = LibraryCounts(library)
      #expect(counts.crates == crates && counts.albums == albums)
      #expect(counts.songs == songs && counts.gone == gone)
      let ofFolder = Dictionary(
        uniqueKeysWithValues: folders.map { (BytePath($0.key), $0.value) })
      #expect(counts.songsOfFolder == ofFolder)
      // An outline says the same.
      let outline = LibraryOutline(library, songsOfFolder: counts.songsOfFolder)
      #expect(outline.map(LibraryCounts.init) == counts)
    }
    check(2, 3, 6, 0, ["/a": 3, "/b": 3])
    var contents = FolderContents(root: BytePath("/"), seen: 2)
    contents.vanished = [BytePath("/a/1.flac"), BytePath("/b/6.flac")]
    merge(contents, &library)
    check(1, 2, 4, 2, ["/a": 2, "/b": 2])
    contents.vanished = [BytePath("/b/4.flac"), BytePath("/b/5.flac")]
    merge(contents, &library)
    check(1, 1, 2, 4, ["/a": 2])
  }
}
