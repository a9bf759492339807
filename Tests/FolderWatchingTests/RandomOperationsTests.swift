import FolderWatching
import Glibc
import LibraryModel
import TestSupport
import Testing

@Suite struct RandomOperationsTests {
  @Test("after random operations and a sync, what was told is what is there", arguments: 1...25)
  func operations(seed: Int) throws {
    var numbers = SeededGenerator(seed: UInt64(seed))
    let folder = WatchedFolder()
    let outside = TemporaryFolder()
    try folder.start()
    let prefix = folder.music.path.display.utf8.count + 1
    var counter = 0
    for round in 0..<12 {
      for _ in 0..<Int.random(in: 1...60, using: &numbers) {
        counter += 1
        operate(folder.music, outside, counter, &numbers)
      }
      folder.sync()
      let told = folder.songs
      let there = Dictionary(
        uniqueKeysWithValues: folder.music.walk().map {
          (String($0.key.dropFirst(prefix)), $0.value)
        })
      // Two small sets say more than two whole trees.
      let missing = there.filter { told[$0.key] != $0.value }
      let surplus = told.filter { there[$0.key] == nil }
      #expect(missing.isEmpty && surplus.isEmpty, "seed \(seed), round \(round)")
      if told != there { return }
    }
  }

  private func operate(
    _ music: TemporaryFolder, _ outside: TemporaryFolder, _ counter: Int,
    _ numbers: inout SeededGenerator
  ) {
    func name() -> String { ["a", "b", "c", "d"].randomElement(using: &numbers) ?? "a" }
    func folder() -> String {
      (0..<Int.random(in: 0...3, using: &numbers)).map { _ in name() }.joined(separator: "/")
    }
    func file() -> String {
      let folder = folder()
      return (folder.isEmpty ? "" : folder + "/") + name() + ".mp3"
    }
    switch Int.random(in: 0..<12, using: &numbers) {
    case 0, 1: music.makeFolder(folder())
    case 2, 3, 4:
      let path = file()
      music.makeFolder(path.split(separator: "/").dropLast().joined(separator: "/"))
      music.write(path, "text \(counter)")
    case 5, 6: _ = rename(music(file()), music(file()))
    case 7: _ = rename(music(name()), music(folder() + "/" + name()))
    case 8: _ = rename(music(folder() + "/" + name()), music(name()))
    case 9: _ = remove(music(file()))
    case 10: music.delete(name())
    default:
      _ = rename(music(name()), outside(name()))
      _ = rename(outside(name()), music(name()))
    }
  }
}
