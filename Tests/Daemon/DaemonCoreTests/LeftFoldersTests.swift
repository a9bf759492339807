import LibraryModel
import TestSupport
import Testing

@testable import DaemonCore

@Suite("Folders that left the settings", .limited)
struct LeftFoldersTests {
  /// With a song for each path.
  private func library(_ paths: [String], folders: [String]) -> Library {
    var contents = FolderContents(root: BytePath("/"), seen: 1)
    for (number, path) in paths.enumerated() {
      let stamp = FileStamp(
        identity: FileIdentity(fileSystem: 1, inode: UInt64(number), birth: 1), size: 1,
        modified: 1, changed: 1)
      let digest = AudioDigest(high: UInt64(number), low: 1)
      let facts = FileFacts(
        stamp: stamp, tags: SongTags(), audio: AudioProperties(), digest: digest, format: "flac")
      contents.found.append(FolderContents.Found(path: BytePath(path), facts: facts))
    }
    let merged = Merge.merge(
      contents, into: Library(), lookups: Lookups(Library(), roots: []), newAlbums: nil)
    var library = merged.decision.library
    library.away.folders = folders.map { BytePath($0) }
    return library
  }

  private func left(_ library: Library, _ roots: [String]) -> [String: Int] {
    let found = library.leftFolders(of: roots.map { BytePath($0) })
    return Dictionary(uniqueKeysWithValues: found.map { ($0.path.display, $0.songs) })
  }

  @Test("each is told with the songs that lie in it, the innermost of several")
  func known() {
    let paths = ["/a/1.flac", "/a/b/2.flac", "/a/b/3.flac", "/c/4.flac", "/ab/5.flac"]
    let library = library(paths, folders: ["/c"])
    let roots = ["/a", "/a/b", "/c", "/d", "/ab"]
    #expect(left(library, roots) == ["/a": 1, "/a/b": 2, "/ab": 1])
    let listed = library.leftFolders(of: roots.map { BytePath($0) })
    #expect(listed.map(\.path.display) == ["/a", "/a/b", "/ab"])
    // A folder in one that left is configured still.
    var other = library
    other.away.folders = [BytePath("/a/b"), BytePath("/c")]
    #expect(left(other, ["/a", "/a/b", "/c", "/ab"]) == ["/a": 1, "/ab": 1])
    other.away.folders = ["/a", "/c", "/ab"].map { BytePath($0) }
    #expect(left(other, ["/a", "/a/b", "/c", "/ab"]) == [:])
  }

  @Test("one of which nothing is known is told by what its songs have in common")
  func unknown() {
    let paths = ["/a/x/1.flac", "/a/x/y/2.flac", "/a/xy/3.flac", "/c/4.flac"]
    #expect(left(library(paths, folders: ["/c"]), []) == ["/a": 3])
    #expect(left(library(Array(paths.prefix(2)), folders: ["/c"]), ["/c"]) == ["/a/x": 2])
  }

  @Test("what was found is found again when the library, or what is asked, is another")
  func again() throws {
    let once = OnceForLibrary<[BytePath], Int>()
    var library = library(["/a/1.flac"], folders: ["/c"])
    var count = 0
    func ask(_ roots: [BytePath] = [BytePath("/a")]) -> Int {
      once.found(in: library, for: roots) {
        count += 1
        return count
      }
    }
    #expect(ask() == 1 && ask() == 1)
    library.advance(to: library.sequence + 1)
    #expect(ask() == 2 && ask() == 2)
    library.away.folders = [BytePath("/a")]
    #expect(ask() == 3 && ask() == 3)
    #expect(ask([]) == 4 && ask([]) == 4)
  }
}
