import Glibc
import LibraryModel
import LibraryStore
import Platform
import TestSupport
import Testing

@testable import DaemonCore

@Suite("The library as readers see it", .limited)
struct PublishedLibraryTests {
  /// Two songs of an album in "/a", and one in "/b".
  private func library() -> Library {
    var library = Library()
    library.away.folders = [BytePath("/a"), BytePath("/b")]
    for (root, paths) in [("/a", ["/a/1.flac", "/a/2.flac"]), ("/b", ["/b/3.flac"])] {
      var contents = FolderContents(root: BytePath(root), seen: 1)
      for path in paths {
        let number = UInt64(path.utf8.reduce(0) { $0 + Int($1) })
        let stamp = FileStamp(
          identity: FileIdentity(fileSystem: 1, inode: number, birth: 1), size: 1, modified: 1,
          changed: 1)
        var tags = SongTags()
        (tags.title, tags.album, tags.albumArtist) = (path, root, "x")
        let facts = FileFacts(
          stamp: stamp, tags: tags, audio: AudioProperties(),
          digest: AudioDigest(high: number, low: 1), format: "flac")
        contents.found.append(FolderContents.Found(path: BytePath(path), facts: facts))
      }
      library =
        Merge.merge(
          contents, into: library,
          lookups: Lookups(library, roots: library.away.folders), newAlbums: nil
        ).decision.library
    }
    return library
  }

  private func outline(_ library: Library) throws -> LibraryOutline {
    try #require(
      LibraryOutline(library, songsOfFolder: LibraryCounts(library).songsOfFolder))
  }

  @Test("An outline counts what its library does")
  func counts() throws {
    let whole = library()
    let counts = LibraryCounts(whole)
    #expect([counts.crates, counts.albums, counts.songs, counts.gone] == [1, 2, 3, 0])
    #expect(counts.songsOfFolder == [BytePath("/a"): 2, BytePath("/b"): 1])
    #expect(LibraryCounts(try outline(whole)) == counts)
    #expect(LibraryCounts(try outline(Library())) == LibraryCounts(Library()))
    // A gone song, then a gone album; a folder that is in no setting counts for none.
    var contents = FolderContents(root: BytePath("/a"), seen: 2)
    contents.vanished = [BytePath("/a/1.flac")]
    var less = Merge.merge(
      contents, into: whole, lookups: Lookups(whole, roots: whole.away.folders), newAlbums: nil
    ).decision.library
    var now = LibraryCounts(less)
    #expect([now.crates, now.albums, now.songs, now.gone] == [1, 2, 2, 1])
    #expect(LibraryCounts(try outline(less)) == now)
    contents.vanished = [BytePath("/a/2.flac")]
    less =
      Merge.merge(
        contents, into: less, lookups: Lookups(less, roots: less.away.folders), newAlbums: nil
      ).decision.library
    now = LibraryCounts(less)
    #expect([now.crates, now.albums, now.songs, now.gone] == [1, 1, 1, 2])
    #expect(now.songsOfFolder == [BytePath("/b"): 1])
    #expect(LibraryCounts(try outline(less)) == now)
    less.away.folders = [BytePath("/a")]
    #expect(LibraryCounts(less).songsOfFolder == [:])
  }

  @Test("They are counted anew for what is published, and not for what was")
  func published() {
    let whole = library()
    let published = PublishedLibrary(Library())
    #expect(published.numbered.number == 0 && published.counts.songs == 0)
    published.publish(whole)
    #expect(published.numbered.number == 1 && published.counts == LibraryCounts(whole))
    #expect(published.counts == LibraryCounts(whole))
    published.publish(Library())
    #expect(published.numbered.number == 2 && published.counts.songs == 0)
    // A whole library never waits.
    let isDone = Monitor(false)
    published.whenWhole { isDone.withLock { $0 = true } }
    #expect(isDone.withLock { $0 })
    #expect(published.library.songs.count == 0)
  }

  @Test("Who asks for songs waits for them behind an outline, or until nobody answers any more")
  func wholeness() throws {
    // Often, since a wait can't be seen.
    for isGivenUp in [Bool](repeating: false, count: 20) + [true] {
      let whole = library()
      let published = PublishedLibrary(try outline(whole))
      #expect(published.atHand.isOutline && published.counts == LibraryCounts(whole))
      let seen = Monitor<[String]>([])
      published.whenWhole { seen.withLock { $0.append("told") } }
      published.whenWhole { seen.withLock { $0.append("told again") } }
      let waiting = BlockingThread("waiting") {
        seen.withLock { $0.append("asks") }
        let count = published.library.songs.count
        seen.withLock { $0.append("\(count) songs") }
      }
      seen.wait { $0.isEmpty ? nil : () }
      if isGivenUp { published.giveUp() } else { published.complete(whole) }
      waiting.join()
      let said = seen.withLock { $0 }
      #expect(said.filter { $0.hasPrefix("told") } == ["told", "told again"])
      #expect(said.contains(isGivenUp ? "0 songs" : "3 songs"))
      #expect(published.atHand.isOutline == isGivenUp)
      published.whenWhole { seen.withLock { $0.append("at once") } }
      #expect(seen.withLock { $0.last } == "at once")
    }
  }

  @Test(
    "An outline file is read for the store and the folders that it is of, and while it is whole")
  func files() throws {
    let folder = try TemporaryFolder()
    let store = try DiskFiles(directory: BytePath(folder.path("store")))
    let opened = try Recovery.open(store)
    let whole = opened.library
    #expect(opened.store.close(whole) == nil)
    let file = OutlineFile(besideIndex: BytePath(folder.path("index.sqlite")))
    #expect(file.path == BytePath(folder.path("outline")))
    let folders = whole.away.folders
    #expect(file.read(store, folders: folders) == nil)
    file.leave(whole, store)
    #expect(file.read(store, folders: folders) == (try outline(whole)))
    #expect(try names(in: folder.path) == ["outline", "store"])
    #expect(file.read(store, folders: [BytePath("/a")]) == nil)
    let bytes = try readFile(folder.path("outline"))
    for damaged in [
      [], Array(bytes.dropLast()), bytes + [0], [bytes[0] ^ 1] + bytes.dropFirst(),
      bytes.filter { $0 != 0x0A },
    ] {
      try folder.write(damaged, to: "outline")
      #expect(file.read(store, folders: folders) == nil, "\(damaged.count) of \(bytes.count)")
    }
    try folder.write(bytes, to: "outline")
    #expect(file.read(store, folders: folders) != nil)
    file.remove()
    #expect(try names(in: folder.path) == ["store"])
    file.remove()
    // Where it can't be kept, nothing is left of the attempt.
    try folder.makeFolder("outline/x")
    file.leave(whole, store)
    #expect(try names(in: folder.path) == ["outline", "store"])
    let nowhere = OutlineFile(besideIndex: BytePath(folder.path("none/index.sqlite")))
    nowhere.leave(whole, store)
    #expect(nowhere.read(store, folders: folders) == nil)
  }
}
