import Glibc
import TestSupport
import Testing

@testable import Platform

@Suite("Paths without links", .limited)
struct ResolvedPathTests {
  @Test("Links are followed, to what is not there now as well")
  func links() throws {
    let folder = try ScratchFolder()
    let real = try #require(realpath(folder.path, nil))
    defer { free(real) }
    let root = String(cString: real)
    #expect(mkdir(folder.path + "/disk", 0o755) == 0)
    for (target, name) in [
      ("disk", "link"), ("away/music/", "dangling"), ("\(folder.path)/away", "absolute"),
      ("dangling/x", "chain"), ("loop", "loop"), ("q/", "short"),
    ] { #expect(symlink(target, "\(folder.path)/\(name)") == 0) }
    for (path, expected) in [
      ("disk", "disk"), ("link", "disk"), ("link/a/b", "disk/a/b"), ("none/a", "none/a"),
      ("dangling", "away/music"), ("dangling/a/b", "away/music/a/b"), ("absolute/a", "away/a"),
      ("short", "q"), ("chain/a", "away/music/x/a"), ("link/../disk", "disk"), ("loop/a", "loop/a"),
    ] {
      let found = resolvedPath(Array("\(folder.path)/\(path)".utf8))
      #expect(String(decoding: found, as: UTF8.self) == "\(root)/\(expected)", "\(path)")
    }
    for path in ["/", "/nowhere-at-all", "/nowhere-at-all/", "/nowhere-at-all//b", "nowhere"] {
      #expect(resolvedPath(Array(path.utf8)) == Array(path.utf8))
      #expect(resolvedPathWaiting(Array(path.utf8)) == Array(path.utf8), "without giving up")
    }
    #expect(resolvedPath(Array("/nowhere-at-all/a".utf8)) == Array("/nowhere-at-all/a".utf8))
  }

  @Test("As many links to nowhere are followed as the kernel follows of others")
  func manyLinks() throws {
    let folder = try TemporaryFolder()
    for number in 1...41 {
      let target = number == 1 ? "nowhere" : "\(number - 1)"
      #expect(symlink(target, folder.path("\(number)")) == 0)
    }
    func resolved(_ name: String) -> String {
      String(decoding: resolvedPath(Array(folder.path(name).utf8)), as: UTF8.self)
    }
    let root = resolved("")
    #expect(resolved("40") == "\(root)/nowhere")
    #expect(resolved("40/a") == "\(root)/nowhere/a")
    #expect(resolved("41") == "\(root)/1")
  }
}
