import TestSupport
import Testing

@testable import LibraryModel

@Suite("Paths as lists write them", .limited)
struct WantedPathTests {
  private func text(_ bytes: [UInt8]?) -> String? {
    bytes.map { String(decoding: $0, as: UTF8.self) }
  }

  @Test(
    "an address is told by its scheme and its slashes",
    arguments: [
      ("http://a/b", "http"), ("HTTP://a", "http"), ("svn+ssh://a", "svn+ssh"),
      ("a1.-://x", "a1.-"),
      ("file:/a", "file"), ("FILE:///a", "file"), ("file:a", nil), ("http:/a", nil),
      ("C:/Music", nil), ("c://Music", nil), ("ab://x", "ab"), ("1b://x", nil), ("a b://x", nil),
      ("a: b/c.mp3", nil), ("/a://b", nil), ("://b", nil), ("", nil), ("a", nil),
      ("nineteen-characters://a", "nineteen-characters"),
      ("twenty-characters-ab://a", nil), ("az09AZ://a", "az09az"), ("a@b://c", nil),
      ("a[b://c", nil),
      ("a`b://c", nil), ("a{b://c", nil), ("zz://c", "zz"), ("@a://c", nil), ("{a://c", nil),
    ] as [(String, String?)])
  func schemes(text: String, scheme: String?) {
    #expect(URIText.scheme(of: Array(text.utf8)) == scheme)
  }

  @Test(
    "the path of an address is what follows its host",
    arguments: [
      ("file:///a/b", "/a/b"), ("file://host/a", "/a"), ("file:/a/b", "/a/b"), ("file://host", ""),
      ("file:///a%20b", "/a b"), ("file:////a", "//a"),
    ])
  func paths(uri: String, path: String) {
    #expect(text(URIText.path(Array(uri.utf8))) == path)
  }

  @Test(
    "what says nothing is left out of a path, and above the root is the root",
    arguments: [
      ("a/b", "a/b"), ("/a//b/", "a/b"), ("./a/./b/.", "a/b"), ("a/../b", "b"), ("../../a", "a"),
      ("a/b/..", "a"), ("a/.../b", "a/.../b"), ("a/.b/..c", "a/.b/..c"), ("", ""), ("..", ""),
    ])
  func squashed(path: String, plain: String) {
    #expect(text(PathParts.squashed(Array(path.utf8))) == plain)
    #expect(text(PathParts.absolute(Array(path.utf8))) == "/" + plain)
  }

  @Test(
    "what lies behind a folder, which of Windows is compared as Windows does",
    arguments: [
      ("/a/b/c", "/a/b", "c"), ("/a/b/c", "/a/b/", "c"), ("/a/b/c", "/a/b//", "c"),
      ("/a/bc", "/a/b", nil), ("/a/b", "/a/b", nil), ("/a/b/", "/a/b", nil),
      ("/a/b/c", "/A/b", nil),
      ("/a/b/x", "/a/b", "x"), ("C:\\Musik\\A\\b.mp3", "c:\\musik", "A/b.mp3"),
      ("C:/Musik/a", "C:\\Musik\\", "a"), ("/C:/Musik/a", "C:\\Musik", "a"),
      ("C:\\Zz\\a", "c:/zZ", "a"), ("C:\\A[\\a", "c:\\a{", nil), ("C:\\A@\\a", "c:\\a`", nil),
      ("\\\\nas\\Musik\\a", "\\\\NAS\\musik", "a"), ("D:\\Musik\\a", "C:\\Musik", nil),
      ("/a:b/c", "/a:b", "c"), ("a:/B", "A:", "B"), ("/a\\b/c", "/a", nil), ("/x/c:/d", "c:", nil),
      ("/C:/a", "C:\\", "a"), ("/C:/a", "\\C:", "a"),
    ] as [(String, String, String?)])
  func behind(path: String, folder: String, rest: String?) {
    #expect(text(PathParts.rest(of: Array(path.utf8), behind: Array(folder.utf8))) == rest)
  }

  private func candidates(
    _ written: String, lists: [String] = [], roots: [(String, String)] = []
  ) -> [String] {
    WantedPath(
      Array(written.utf8), lists: lists.map { BytePath($0) }, folders: [BytePath("/m")],
      roots: roots.map { (Array($0.utf8), BytePath($1)) }
    ).candidates.map { "\($0.isExact ? "=" : "~")\(String(decoding: $0.path, as: UTF8.self))" }
  }

  @Test("the likeliest file comes first, and what names one exactly is known as that")
  func order() {
    #expect(candidates("/a/./b") == ["=/a/b"])
    #expect(
      candidates("a/b", lists: ["/l", "/k"]) == ["=/l/a/b", "=/k/a/b", "~/m/a/b", "~/m/a/b"])
    #expect(candidates("../b", lists: ["/l/x"]) == ["=/l/b", "~/b", "~/m/b"])
    #expect(candidates("/n/a", roots: [("/n", "/m")]) == ["=/n/a", "=/m/a"])
    #expect(candidates("a%20b") == ["~/m/a%20b", "~/m/a b", "~/m/a%20b", "~/m/a b"])
    #expect(candidates("a\\b") == ["~/m/a\\b", "~/m/a/b", "~/m/a\\b", "~/m/a/b"])
    #expect(candidates("file:///a%20b") == ["=/a b"])
    #expect(candidates("") == [])
    #expect(candidates("http://a/b") == [])
  }
}
