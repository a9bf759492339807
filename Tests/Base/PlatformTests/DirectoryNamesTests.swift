import Foundation
import Glibc
import Platform
import TestSupport
import Testing

@Suite("Names in a directory", .limited)
struct DirectoryNamesTests {
  private func read(_ path: String) throws -> [String: DirectoryNames.Kind] {
    let descriptor = open(path, O_RDONLY | O_DIRECTORY)
    try #require(descriptor >= 0)
    defer { close(descriptor) }
    var found: [String: DirectoryNames.Kind] = [:]
    var count = 0
    try DirectoryNames().read(descriptor) { name, kind in
      found[String(decoding: name, as: UTF8.self)] = kind
      count += 1
    }
    #expect(count == found.count, "each is given once")
    return found
  }

  @Test("what the kernel says of a name's kind is understood, and where it says nothing")
  func types() {
    for type in UInt8.min ... .max {
      let expected: DirectoryNames.Kind =
        switch Int(type) {
        case DT_REG: .file
        case DT_DIR: .directory
        case DT_LNK: .link
        case DT_UNKNOWN: .unknown
        default: .other
        }
      #expect(DirectoryNames.Kind(type: type) == expected, "\(type)")
    }
  }

  @Test("each is given once with its kind, and those of the directory and of its parent never")
  func kinds() throws {
    let folder = try ScratchFolder()
    try FileManager.default.createDirectory(
      atPath: folder.path + "/folder", withIntermediateDirectories: false)
    for name in ["a", "..b", ".c", "...", "ä \n"] {
      #expect(FileManager.default.createFile(atPath: "\(folder.path)/\(name)", contents: nil))
    }
    #expect(symlink("a", folder.path + "/link") == 0)
    #expect(mkfifo(folder.path + "/pipe", 0o600) == 0)
    let kinds = try read(folder.path)
    #expect(Set(kinds.keys) == ["folder", "a", "..b", ".c", "...", "ä \n", "link", "pipe"])
    // A file system may leave them unsaid.
    guard kinds.values.allSatisfy({ $0 != .unknown }) else { return }
    #expect(kinds["a"] == .file && kinds["folder"] == .directory)
    #expect(kinds["link"] == .link && kinds["pipe"] == .other)
  }

  @Test("more of them than are read at once, and none, are all given")
  func many() throws {
    let folder = try ScratchFolder()
    #expect(try read(folder.path).isEmpty)
    // Some 70 bytes each, into a buffer of 64 KiB.
    let names = (0..<2_000).map { "\($0) " + String(repeating: "n", count: 40) }
    for name in names {
      #expect(FileManager.default.createFile(atPath: "\(folder.path)/\(name)", contents: nil))
    }
    #expect(try Set(read(folder.path).keys) == Set(names))
  }

  @Test("what can't be read is an error, and no empty directory")
  func unreadable() throws {
    let folder = try ScratchFolder()
    let path = folder.path + "/file"
    #expect(FileManager.default.createFile(atPath: path, contents: nil))
    let descriptor = open(path, O_RDONLY)
    defer { close(descriptor) }
    #expect(throws: SystemCallError.self) {
      try DirectoryNames().read(descriptor) { _, _ in Issue.record("nothing can be there") }
    }
  }
}
