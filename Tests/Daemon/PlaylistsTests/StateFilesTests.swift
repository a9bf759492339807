import Glibc
import LibraryModel
import Platform
import TestSupport
import Testing

@testable import Playlists

@Suite("Small files of crated's own", .limited)
struct StateFilesTests {
  let folder: TemporaryFolder

  init() throws { folder = try TemporaryFolder() }

  @Test("they are replaced as a whole, in a directory that is made, and read up to a size")
  func files() throws {
    let files = StateFiles(path: BytePath(folder.path("a/b/c")))
    #expect(files.names().isEmpty)
    #expect(try files.read("x", most: 9) == nil)
    try files.write([1, 2, 3, 4], to: "x")
    try files.write([1, 2, 3], to: "x")
    try files.write([], to: "empty")
    #expect(files.names().map(\.display) == ["empty", "x"])
    #expect(try files.read("x", most: 3) == [1, 2, 3])
    #expect(try files.read("empty", most: 0) == [])
    #expect(throws: SystemCallError("read", "", code: EFBIG)) { try files.read("x", most: 2) }
    try #require(symlink("x", folder.path("a/b/c/link")) == 0)
    #expect(throws: SystemCallError("open", "", code: ELOOP)) { try files.read("link", most: 9) }
    files.remove("x")
    #expect(files.names().map(\.display) == ["empty", "link"])
    var status = stat()
    #expect(stat(folder.path("a"), &status) == 0 && status.st_mode & 0o777 == 0o700)
    #expect(stat(folder.path("a/b/c/empty"), &status) == 0 && status.st_mode & 0o777 == 0o600)
  }

  @Test("where a directory's link leads nowhere there are none, and below a file none can be read")
  func noDirectory() throws {
    try #require(symlink("gone", folder.path("link")) == 0)
    let files = StateFiles(path: BytePath(folder.path("link/a")))
    #expect(try files.read("x") == nil && files.names().isEmpty)
    #expect(throws: SystemCallError.self) { try files.write([1], to: "x") }
    let below = StateFiles(path: BytePath(try folder.write("", to: "file") + "/a"))
    #expect(throws: SystemCallError.self) { try below.write([1], to: "x") }
    #expect(throws: SystemCallError("open", "", code: ENOTDIR)) { try below.read("x") }
  }

  @Test("a part of a file is what it has there, and its digest that of its bytes")
  func parts() throws {
    let piece = 64 << 10
    for size in [0, 5, piece - 1, piece, 2 * piece] {
      let bytes = (0..<size).map { UInt8(truncatingIfNeeded: $0 / 3) }
      let path = try folder.write(bytes, to: "file")
      let opened = OpenFile(owning: open(path, O_RDONLY | O_CLOEXEC))
      let status = try #require(FileStatus(descriptor: opened.descriptor))
      let file = PlaylistFile(opened, status)
      let (digest, whole) = (try file.digest(), try file.bytes())
      #expect(digest == TextDigest(of: bytes) && whole == bytes)
      for (offset, most) in [(0, 3), (0, size), (1, size), (size - 1, 9), (size, 9), (size + 9, 9)]
      where offset >= 0 {
        let part = try file.bytes(at: offset, most: most)
        #expect(part == Array(bytes.dropFirst(offset).prefix(most)), "\(offset) \(most) of \(size)")
      }
    }
  }
}

@Suite("Lists that are kept before they are written over", .limited)
struct ListBackupsTests {
  private let folder: TemporaryFolder
  private let lists: ListBackups

  init() throws {
    folder = try TemporaryFolder()
    lists = ListBackups(in: BytePath(folder.path))
  }

  /// - Returns: the name under which it is kept.
  @discardableResult
  private func keep(_ text: String, of name: String, at seconds: Int64) throws -> String {
    let kept = try lists.add(
      Array(text.utf8), of: BytePath(name), saved: seconds * 1_000_000_000 + 999_999_999)
    let display = kept.display
    #expect(try readFile(display) == Array(text.utf8))
    return String(display.dropFirst(folder.path("kept/").count))
  }

  private func kept() throws -> [String] { try names(in: folder.path("kept")) }

  @Test("each has the list's name and the time, with a number where there is more than one")
  func naming() throws {
    let time: Int64 = 1_795_237_862
    #expect(try keep("a", of: "Jazz.m3u8", at: time) == "Jazz 20261121-051102.m3u8")
    #expect(try keep("a", of: "Jazz.m3u8", at: time) == "Jazz 20261121-051102.m3u8")
    #expect(try keep("b", of: "Jazz.m3u8", at: time) == "Jazz 20261121-051102 (2).m3u8")
    #expect(try keep("b", of: "Jazz.m3u8", at: time) == "Jazz 20261121-051102 (2).m3u8")
    #expect(try keep("c", of: "Jazz.m3u8", at: time) == "Jazz 20261121-051102 (3).m3u8")
    #expect(try keep("a", of: "a.b.m3u", at: 0) == "a.b 19700101-000000.m3u")
    #expect(try keep("a", of: "Jazz", at: 946_684_799) == "Jazz 19991231-235959")
    let long = String(repeating: "n", count: 201)
    #expect(try keep("a", of: long + ".m3u8", at: 0) == "\(long.dropLast()) 19700101-000000.m3u8")
    #expect(try kept().count == 6)
  }

  @Test("of each list twenty are kept, the newest, and what belongs to others stays")
  func most() throws {
    let time: Int64 = 1_795_237_862
    for other in ["Jazz live.m3u8", "Jazz 2 birds.m3u8", "Jazz 20.m3u8", "Jazz.m3u"] {
      try keep("x", of: other, at: time)
    }
    let others = try kept()
    var names: [String] = []
    for number in 0..<25 {
      names.append(try keep("\(number)", of: "Jazz.m3u8", at: time + Int64(number)))
      let mine = try kept().filter { !others.contains($0) }
      #expect(mine == Array(names.suffix(ListBackups.most)))
    }
    #expect(try Set(others).isSubset(of: kept()) && others.count == 4)
  }

  @Test("more than twenty of one second leave the last of them")
  func oneSecond() throws {
    for number in 1...25 { try keep("\(number)", of: "Jazz.m3u8", at: 1_795_237_862) }
    let names = try kept()
    #expect(names.count == ListBackups.most)
    let last = folder.path("kept/Jazz 20261121-051102 (20).m3u8")
    #expect(try readFile(last) == Array("25".utf8))
  }
}
