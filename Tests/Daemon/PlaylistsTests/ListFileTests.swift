import Glibc
import LibraryModel
import Platform
import TestSupport
import Testing

@testable import Playlists

@Suite("The files of a directory of playlists", .limited)
struct ListFileTests {
  private let folder: TemporaryFolder
  private let jazz = BytePath("Jazz.m3u8")

  init() throws { folder = try TemporaryFolder() }

  private func lists() throws -> PlaylistFolder { try PlaylistFolder(BytePath(folder.path)) }

  private func status(_ name: String) throws -> FileStatus? {
    FileStatus(name: folder.path(name), followsLinks: false)
  }

  /// Writes pieces, and does something before the file gets its name.
  private func write(
    _ pieces: [[UInt8]], over former: FileStatus?,
    before isNamed: (TextDigest) throws(SystemCallError) -> Void = { _ in }
  ) throws(SystemCallError) -> FileStatus? {
    let lists: PlaylistFolder
    do { lists = try PlaylistFolder(BytePath(folder.path)) } catch {
      throw SystemCallError("open", folder.path)
    }
    return try lists.write(jazz, over: former, beforeRename: isNamed) {
      (take) throws(SystemCallError) in
      for piece in pieces where !(try take(piece)) { return }
    }
  }

  @Test("a list is written whole, over what was there and nothing else")
  func written() throws {
    var digests: [TextDigest] = []
    let first = try write([[1, 2], [3]], over: nil) { digests.append($0) }
    #expect(try first == status("Jazz.m3u8") && readFile(folder.path("Jazz.m3u8")) == [1, 2, 3])
    #expect(throws: SystemCallError("rename", "", code: EEXIST)) { try write([[4]], over: nil) }
    #expect(try readFile(folder.path("Jazz.m3u8")) == [1, 2, 3])
    let second = try write([[4]], over: first) { digests.append($0) }
    #expect(try second == status("Jazz.m3u8") && readFile(folder.path("Jazz.m3u8")) == [4])
    #expect(digests == [TextDigest(of: [1, 2, 3]), TextDigest(of: [4])])
    // What it was before is another file now.
    #expect(try write([[5]], over: first) == nil)
    #expect(try readFile(folder.path("Jazz.m3u8")) == [4] && names(in: folder.path).count == 1)
  }

  @Test("what a player writes meanwhile stays, and so it does where something fails")
  func meanwhile() throws {
    let former = try write([[1]], over: nil)
    let path = folder.path("Jazz.m3u8")
    let after = try write([[2]], over: former) { _ in
      unlink(path)
      try? writeFile([9, 9], to: path)
    }
    #expect(try after == nil && readFile(path) == [9, 9])
    #expect(try names(in: folder.path) == ["Jazz.m3u8"])
    let fault = SystemCallError("write", "", code: ENOSPC)
    #expect(throws: fault) {
      try write([[2]], over: status("Jazz.m3u8")) { _ throws(SystemCallError) in throw fault }
    }
    #expect(try names(in: folder.path) == ["Jazz.m3u8"] && readFile(path) == [9, 9])
  }

  @Test("it is removed where its bytes are ours, also where it went meanwhile")
  func removed() throws {
    let path = folder.path("Jazz.m3u8")
    let ours = TextDigest(of: [1])
    _ = try write([[1]], over: nil)
    try lists().remove(jazz) { $0 != ours }
    #expect(try names(in: folder.path) == ["Jazz.m3u8"])
    try lists().remove(jazz) { digest in
      unlink(path)
      return digest == ours
    }
    #expect(try names(in: folder.path) == [])
    _ = try write([[1]], over: nil)
    #expect(throws: SystemCallError("unlink", "", code: EISDIR)) {
      try lists().remove(jazz) { _ in
        unlink(path)
        mkdir(path, 0o755)
        return true
      }
    }
    // What is no file is not ours.
    try lists().remove(jazz) { _ in true }
    rmdir(path)
    try lists().remove(jazz) { _ in true }
    _ = try write([[1]], over: nil)
    try lists().remove(jazz) { $0 == ours }
    #expect(try names(in: folder.path) == [])
  }

  @Test("whether a problem may pass by itself is known of each kind")
  func problems() {
    let path = BytePath("/m/Lists/Jazz.m3u8")
    for (problem, mayPass) in [
      (PlaylistProblem(path, "so"), true), (PlaylistProblem(foreign: path), true),
      (PlaylistProblem(path, SystemCallError("open", "", code: EACCES)), true),
      (PlaylistProblem(leftOut: path), false), (PlaylistProblem(edited: path, "so"), false),
      (PlaylistProblem(tolerated: path), false),
    ] {
      #expect(problem.path == path && problem.mayPass == mayPass, "\(problem.message)")
    }
  }
}
