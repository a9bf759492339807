import Glibc
import Platform
import TestSupport
import Testing

@Suite("Directories that are made", .limited)
struct MakingDirectoriesTests {
  private let folder: TemporaryFolder

  init() throws { folder = try TemporaryFolder() }

  private func make(_ name: String) throws { try makeDirectories(Array(folder.path(name).utf8)) }

  @Test("with those above them, for this user alone, and again without harm")
  func made() throws {
    for path in ["one", "one", "two/three/four", "two/three", "one/two"] {
      // Whatever failed before.
      errno = 0
      try make(path)
      var status = stat()
      #expect(stat(folder.path(path), &status) == 0 && status.st_mode & 0o7777 == 0o700)
    }
  }

  @Test("not below a file, nor below a link that leads nowhere, which is no end of trying")
  func impossible() throws {
    try folder.write("x", to: "file")
    #expect(throws: SystemCallError("mkdir", folder.path("file/below/it"), code: ENOTDIR)) {
      try make("file/below/it")
    }
    try #require(symlink("gone", folder.path("link")) == 0)
    for name in ["link/a", "link/a/b"] {
      #expect(throws: SystemCallError("mkdir", folder.path("link/a"), code: ENOENT)) {
        try make(name)
      }
    }
  }
}
