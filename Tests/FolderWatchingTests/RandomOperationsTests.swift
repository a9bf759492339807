import FolderWatching
import Glibc
import LibraryModel
import Testing

@Suite struct RandomOperationsTests {
  @Test("after random operations and a sync, what was told is what is there", arguments: 1...400)
  func operations(seed: Int) throws {
    var numbers = SeededNumbers(seed: UInt64(seed))
    let folder = WatchedFolder()
    let outside = TemporaryFolder()
    try folder.start()
    var counter = 0
    var operations: [String] = []
    for round in 0..<12 {
      for _ in 0..<Int.random(in: 1...60, using: &numbers) {
        counter += 1
        operations.append(operate(folder.music, outside, counter, &numbers))
      }
      folder.sync()
      let there = folder.music.walk()
      let told = folder.songs
      let prefix = folder.music.path.display.utf8.count + 1
      let expected = Dictionary(
        uniqueKeysWithValues: there.map { (String($0.key.dropFirst(prefix)), $0.value) })
      // Two small sets say more than two whole trees.
      let missing = expected.filter { told[$0.key] != $0.value }
      let surplus = told.filter { expected[$0.key] == nil }
      #expect(missing.isEmpty && surplus.isEmpty, "seed \(seed), round \(round)")
      if told != expected {
        print("MISSING", missing, "SURPLUS", surplus, operations.suffix(60))
        func check(_ what: String) {
          let told = folder.songs
          print("AFTER", what, expected.filter { told[$0.key] != $0.value })
        }
        folder.sync()
        check("sync")
        folder.rescan()
        check("rescan")
        usleep(300_000)
        check("300 ms")
        usleep(2_500_000)
        check("2.5 s")
        return
      }
    }
  }

  private func operate(
    _ music: TemporaryFolder, _ outside: TemporaryFolder, _ counter: Int,
    _ numbers: inout SeededNumbers
  ) -> String {
    func name() -> String { ["a", "b", "c", "d"].randomElement(using: &numbers) ?? "a" }
    func folder() -> String {
      (0..<Int.random(in: 0...3, using: &numbers)).map { _ in name() }.joined(separator: "/")
    }
    func file() -> String {
      let folder = folder()
      return (folder.isEmpty ? "" : folder + "/") + name() + ".mp3"
    }
    switch Int.random(in: 0..<12, using: &numbers) {
    case 0, 1: 
      let f = folder()
      music.makeFolder(f)
      return "mkdir \(f)"
    case 2, 3, 4:
      let path = file()
      let parent = path.split(separator: "/").dropLast().joined(separator: "/")
      music.makeFolder(parent)
      music.write(path, "text \(counter)")
      return "write \(path)"
    case 5, 6: 
      let (a, b) = (file(), file())
      return "mv \(a) \(b) \(rename(music(a), music(b)))"
    case 7: 
      let (a, b) = (name(), folder() + "/" + name())
      return "mv \(a) \(b) \(rename(music(a), music(b)))"
    case 8: 
      let (a, b) = (folder() + "/" + name(), name())
      return "mv \(a) \(b) \(rename(music(a), music(b)))"
    case 9: 
      let a = file()
      return "rm \(a) \(remove(music(a)))"
    case 10: 
      let a = name()
      music.delete(a)
      return "rm -r \(a)"
    default:
      let (a, b, c, d) = (name(), name(), name(), name())
      return "out \(a) \(b) \(rename(music(a), outside(b))) in \(c) \(d) \(rename(outside(c), music(d)))"
    }
  }
}
