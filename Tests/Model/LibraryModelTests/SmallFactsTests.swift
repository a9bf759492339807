import TestSupport
import Testing

@testable import LibraryModel

@Suite("Files, folders and what is told of them", .limited)
struct SmallFactsTests {
  private func isAudio(_ name: String) -> Bool {
    Array(name.utf8).withUnsafeBufferPointer(AudioExtensions.areOf)
  }

  @Test("files are taken for songs by their extensions, in any case")
  func extensions() {
    for name in AudioExtensions.all {
      #expect(isAudio("a.\(name)") && isAudio("A.b.\(name.uppercased())"))
      #expect(!isAudio(".\(name)") && !isAudio(name) && !isAudio("a.\(name).part"))
      #expect(!isAudio("a.\(name)x") || AudioExtensions.all.contains("\(name)x"))
    }
    for name in ["", ".", "a.", "a.m", "a.txt", "a.mkv", "a.jpg", "a.mp3 ", "a.modules"] {
      #expect(!isAudio(name), "\(name)")
    }
    #expect(isAudio("a.It") && isAudio("a.module") && isAudio("a.mP+"))
  }

  @Test("a file system is named in stamps only where they have it")
  func stamped() {
    func inner(_ isInStamps: Bool) -> InnerFileSystem {
      InnerFileSystem(.mount, at: BytePath("/m"), fileSystem: 7, inode: 8, isInStamps: isInStamps)
    }
    #expect(inner(true).stamped == 7 && inner(false).stamped == 0)
  }

  @Test("the digest of an image file is another one with each part of its stamp")
  func imageStamps() {
    let stamp = FileStamp(
      identity: FileIdentity(fileSystem: 1, inode: 2, birth: 3), size: 4, modified: 5, changed: 6)
    var others = [FileStamp](repeating: stamp, count: 7)
    others[1].identity.fileSystem = 9
    others[2].identity.inode = 9
    others[3].identity.birth = 9
    others[4].size = 9
    others[5].modified = 9 << 56
    others[6].changed = 9
    #expect(Set(others.map { CoverDigest(of: $0) }).count == 7)
    #expect(CoverDigest(of: stamp) == CoverDigest(of: stamp))
    #expect(CoverDigest(of: [1, 2]) != CoverDigest(of: [2, 1]))
    #expect(CoverDigest(number: 1)?.description == "0000000000000001")
  }

  @Test("equal parts are kept once")
  func sharedParts() {
    let parts = SharedParts()
    func place(_ bytes: [UInt8]) -> UnsafeRawPointer? { bytes.withUnsafeBytes { $0.baseAddress } }
    let first = parts.same(as: Array("the first part of a path".utf8))
    let again = parts.same(as: Array("the first part of a path".utf8))
    #expect(first == Array("the first part of a path".utf8) && place(first) == place(again))
    let read = first.map { $0 }.withUnsafeBytes { parts.same(as: $0) }
    #expect(read == first && place(read) == place(first))
    let other = Array("another part".utf8).withUnsafeBytes { parts.same(as: $0) }
    #expect(other == Array("another part".utf8))
    #expect(place(parts.same(as: other.map { $0 })) == place(other))
    for number in 0..<2_000 {
      let part = Array("\(number)".utf8)
      #expect(parts.same(as: part) == part)
      #expect(part.withUnsafeBytes { parts.same(as: $0) } == part)
    }
  }

  @Test("a look that found anything at all is not empty")
  func contents() {
    let file = BytePath("/m/1")
    let empty = FolderContents(root: BytePath("/m"), seen: 1)
    #expect(empty.isEmpty)
    var others = [FolderContents](repeating: empty, count: 7)
    others[0].vanished = [file]
    others[1].absent = [file]
    others[2].turned = [file]
    others[3].renames = [.init(from: file, to: file)]
    others[4].endsFirstScan = true
    others[5].found = [.init(path: file, facts: World.facts(World.File(sound: 1)))]
    others[6].returned = [file]
    for other in others { #expect(!other.isEmpty) }
    others[0] = empty
    others[0].isFirstScan = true
    #expect(others[0].isEmpty)
  }

  @Test("by what a file was taken for a song is told, of those that it was")
  func evidence() {
    let path = BytePath("/m/1")
    let told = Evidence.allCases.map { evidence in
      Change.songFollowed(SongID(number: 1), path: path, digest: nil, by: evidence).note
    }
    #expect(
      told
        == [
          "the same sound", "its path", "a rename", "the same file", "its MusicBrainz ids",
          "its tags", "a duplicate",
        ].map { "/m/1 was recognised by \($0)" })
    #expect(
      Change.songFollowed(SongID(number: 1), path: path, digest: nil, by: .tags).note
        == "/m/1 was recognised by its tags")
    #expect(Change.crateAdded("x", after: nil).note == nil)
    #expect(Evidence.sound.sentence == "it was recognised by the same sound")
  }

  @Test("who asked is told in a line of at most 255 bytes")
  func origins() {
    for (text, isOrigin) in [
      ("", false), ("a", true), (String(repeating: "a", count: 255), true),
      (String(repeating: "a", count: 256), false), ("a b~", true), ("a\u{1F}", false),
      ("a\u{7F}", false), ("é", true),
    ] {
      #expect(Transaction.isOrigin(text) == isOrigin)
    }
  }

  @Test("what is kept of a gone song's texts has a bound of 1,024 bytes each")
  func traits() {
    for (count, kept) in [(1_024, 1_024), (1_025, 1_024)] {
      let text = String(repeating: "a", count: count)
      var file = World.File(sound: 1)
      (file.tags.title, file.tags.recording, file.tags.release) = (text, text, text)
      (file.tags.artist, file.tags.album, file.tags.albumArtist) = (text, text, text)
      (file.tags.disc, file.tags.track, file.tags.date) = (2, 3, "1959-08")
      let traits = Traits(World.facts(file), path: BytePath("/m/1"))
      for text in [
        traits.title, traits.recording, traits.release, traits.artist, traits.album,
        traits.albumArtist,
      ] {
        #expect(text.utf8.count == kept)
      }
      #expect(traits.disc == 2 && traits.track == 3 && traits.year == 1_959)
      #expect(traits.milliseconds == 60_000)
    }
  }
}
