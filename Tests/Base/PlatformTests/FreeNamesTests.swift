import Glibc
import Platform
import TestSupport
import Testing

@Suite("Renaming to free names", .limited)
final class FreeNamesTests {
  private let folder: TemporaryFolder
  private let old: OpenFile
  private let new: OpenFile

  init() throws {
    folder = try TemporaryFolder()
    old = OpenFile(owning: open(try folder.makeFolder("old"), O_RDONLY | O_DIRECTORY | O_CLOEXEC))
    new = OpenFile(owning: open(try folder.makeFolder("new"), O_RDONLY | O_DIRECTORY | O_CLOEXEC))
    try folder.write("a", to: "old/a")
  }

  /// The error's code; 0 where there is none.
  private func rename(
    _ name: String, to other: String, _ atOnce: ((Int32, [CChar], Int32, [CChar]) -> Int32)? = nil
  ) -> Int32 {
    let (name, other) = (Array(name.utf8CString), Array(other.utf8CString))
    do {
      if let atOnce {
        try renameToFreeName(
          name, in: old.descriptor, to: other, in: new.descriptor, atOnce: atOnce)
      } else {
        try renameToFreeName(name, in: old.descriptor, to: other, in: new.descriptor)
      }
      return 0
    } catch {
      #expect(error.call == "rename")
      return error.code
    }
  }

  private func files() throws -> [String] {
    try ["old", "new"].flatMap { place in try names(in: folder.path(place)).map { "\(place)/\($0)" }
    }
  }

  private func failing(_ code: Int32) -> (Int32, [CChar], Int32, [CChar]) -> Int32 {
    { _, _, _, _ in
      errno = code
      return -1
    }
  }

  @Test("A file gets a name that nobody has", arguments: [0, EINVAL, ENOSYS])
  func free(code: Int32) throws {
    #expect(rename("a", to: "b", code == 0 ? nil : failing(code)) == 0)
    #expect(try files() == ["new/b"])
    #expect(try readFile(folder.path("new/b")) == Array("a".utf8))
    #expect(rename("a", to: "c", code == 0 ? nil : failing(code)) == ENOENT)
  }

  @Test("What bears the name stays, a link to nowhere too", arguments: [0, EINVAL, ENOSYS])
  func taken(code: Int32) throws {
    try folder.write("b", to: "new/b")
    try #require(symlink("nowhere", folder.path("new/c")) == 0)
    for name in ["b", "c"] {
      #expect(rename("a", to: name, code == 0 ? nil : failing(code)) == EEXIST)
    }
    #expect(try files() == ["old/a", "new/b", "new/c"])
    #expect(try readFile(folder.path("new/b")) == Array("b".utf8))
  }

  @Test("Another error is no reason to try it in two steps", arguments: [EPERM, EXDEV, EEXIST])
  func otherErrors(code: Int32) throws {
    #expect(rename("a", to: "b", failing(code)) == code)
    #expect(try files() == ["old/a"])
  }

  @Test("Where it can't be told whether the name is free, nothing is renamed")
  func unknown() throws {
    try folder.write("", to: "new/file")
    #expect(rename("a", to: "file/b", failing(EINVAL)) == ENOTDIR)
    #expect(try files() == ["old/a", "new/file"])
  }

  @Test("One step is all where it succeeds")
  func once() throws {
    #expect(rename("a", to: "b", { _, _, _, _ in 0 }) == 0)
    #expect(try files() == ["old/a"])
  }
}
