import TestSupport
import Testing

@testable import LibraryModel

@Suite("Paths in two parts", .limited)
struct BytePathTests {
  /// All of up to four bytes, of two letters and slashes, and some that are longer.
  private static let texts: [[UInt8]] = {
    var all: [[UInt8]] = [[]]
    var last = all
    for _ in 0..<4 {
      last = last.flatMap { text in [0x61, 0xFF, slash].map { text + [$0] } }
      all += last
    }
    return all
      + ["/music/a/b/1.mp3", "/music/a", "/music/a/", "/music/ab/1"].map { Array($0.utf8) }
  }()

  @Test("are the same as all their bytes in one row")
  func alone() {
    for bytes in Self.texts {
      let path = BytePath(bytes)
      #expect(path.bytes == bytes && path.count == bytes.count && path.isEmpty == bytes.isEmpty)
      let last = bytes.lastIndex(of: slash)
      #expect(path.name == Array(last.map { bytes[($0 + 1)...] } ?? bytes[...]))
      #expect(path.parent.bytes == Array(last.map { bytes[..<$0] } ?? []))
      #expect(path.sharingFolder() == path && path.sharingFolder().bytes == bytes)
    }
  }

  @Test("are equal, ordered, inside each other and put together as all their bytes are")
  func pairs() {
    for left in Self.texts {
      for right in Self.texts {
        let (one, other) = (BytePath(left), BytePath(right))
        #expect((one == other) == (left == right))
        #expect(one.isSame(as: right) == (left == right))
        #expect((one < other) == left.lexicographicallyPrecedes(right))
        let isInside =
          left.starts(with: right)
          && (left.count == right.count || right.isEmpty || right.last == slash
            || left[right.count] == slash)
        #expect(one.isInside(other) == isInside)
        let rest = left.dropFirst(right.count)
        let relative = Array(rest.first == slash ? rest.dropFirst() : rest)
        #expect(one.relative(to: other)?.bytes == (isInside ? relative : nil))
        let between = left.isEmpty || left.last == slash ? [] : [slash]
        #expect(one.appending(other).bytes == (right.isEmpty ? left : left + between + right))
      }
    }
    let hashes = Set(Self.texts.map { BytePath($0).hashValue })
    #expect(hashes.count == Self.texts.count)
  }

  @Test(
    "a name's extension is in lower case, and a hidden file has none",
    arguments: [
      ("/m/a.MP3", "mp3"), ("/m/.hidden", ""), ("/m/a.", ""), ("/m/a", ""), ("/m/a.b.C", "c"),
      ("/x.y/z", ""), ("a.É", "é"), ("/m/..a", "a"),
    ])
  func pathExtensions(path: String, ending: String) {
    #expect(BytePath(path).pathExtension == ending)
  }

  @Test("a path comes back from its address, whatever its bytes are")
  func addresses() {
    for byte in UInt8.min...UInt8.max {
      let path = BytePath([0x2F, byte, 0x41])
      #expect(BytePath(uriOrPath: path.fileURI) == path)
      let isPlain = "0123456789ABCXYZabcxyz-./_~".utf8.contains(byte)
      if isPlain { #expect(path.fileURI.utf8.count == 10) }
    }
    #expect(BytePath("/a b/é%+Zz09.flac").fileURI == "file:///a%20b/%C3%A9%25%2BZz09.flac")
    #expect(BytePath("/@[`{:/").fileURI == "file:///%40%5B%60%7B%3A/")
  }

  @Test(
    "an address with half an escape is no path, nor is one of another machine",
    arguments: [
      ("/a%20b", "/a%20b"), ("file:///a%20b", "/a b"), ("file:///%41", "/A"),
      ("file:///%c3%A9", "/é"), ("file:///a%2", nil), ("file:///a%", nil), ("file:///%zz", nil),
      ("file:///%+1", nil), ("file://host/a", nil), ("file:/a", nil), ("a", nil), ("", nil),
    ] as [(String, String?)])
  func odd(text: String, path: String?) {
    #expect(BytePath(uriOrPath: text)?.display == path)
  }

  @Test(
    "without its extension",
    arguments: [
      ("/a/b.mp3", "/a/b"), ("/a/b", "/a/b"), ("/a/.b", "/a/.b"), ("/a/b.c.d", "/a/b.c"),
      ("b.mp3", "b"), ("/a.x/b", "/a.x/b"),
    ])
  func stems(path: String, stem: String) {
    #expect(BytePath(path).withoutExtension == BytePath(stem))
  }

  @Test("of one folder have its bytes in common, and a name is not copied")
  func memory() {
    let folder = BytePath("/music/a long enough name of a folder")
    func name(_ path: BytePath) -> UnsafeRawPointer? {
      path.name.withUnsafeBytes { $0.baseAddress }
    }
    let bare = BytePath("the name of a file")
    #expect(name(folder.appending(bare)) == name(bare))
    #expect(name(folder.appending(bare).sharingFolder()) == name(bare))
    #expect(name(folder.appending(bare).relative(to: BytePath("/music")) ?? folder) == name(bare))
    #expect(name(folder.appending(bare.name)) == name(bare))
  }
}

private let slash = UInt8(ascii: "/")
