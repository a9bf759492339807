import Glibc
import LibraryModel
import Platform
import TestSupport
import Testing

@testable import DaemonCore

@Suite("Directories that are made", .limited)
struct MadeDirectoriesTests {
  @Test("with those above them, for this user alone, and again without harm")
  func made() throws {
    let folder = try TemporaryFolder()
    for path in ["one", "one", "two/three/four", "two/three", "one/two"] {
      // Whatever failed before.
      errno = 0
      try makeDirectories(BytePath(folder.path(path)))
      var status = stat()
      #expect(stat(folder.path(path), &status) == 0 && status.st_mode & 0o7777 == 0o700)
    }
    let file = try folder.write("x", to: "file")
    let failure = try #require(throws: SystemCallError.self) {
      try makeDirectories(BytePath(file + "/below/it"))
    }
    #expect(failure.code == ENOTDIR)
  }
}
