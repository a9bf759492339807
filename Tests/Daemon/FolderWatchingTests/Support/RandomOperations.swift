import Glibc
import TestSupport

extension TemporaryFolder {
  /// Songs that random operations leave alone, and more than they make: a folder that loses most of
  /// its songs at once may be offline.
  func writeLasting() { for number in 0..<64 { write("lasting \(number).mp3", "") } }
}

/// Things that people and programs do to a tree of a few names, at random.
struct RandomOperations {
  /// A file may have many names in many ways, but in one way at a time.
  enum Links: CaseIterable {
    case none, hard, toFiles, toFolders
  }

  private let music: TemporaryFolder
  private let outside: TemporaryFolder
  private let links: Links
  private var counter = 0

  init(_ music: TemporaryFolder, _ outside: TemporaryFolder, _ links: Links) {
    self.music = music
    self.outside = outside
    self.links = links
  }

  private func name(_ numbers: inout SeededGenerator) -> String {
    ["a", "b", "c", "d"].randomElement(using: &numbers) ?? "a"
  }

  private func folder(_ numbers: inout SeededGenerator) -> String {
    (0..<Int.random(in: 0...3, using: &numbers)).map { _ in name(&numbers) }.joined(separator: "/")
  }

  private func inFolder(_ name: String, _ numbers: inout SeededGenerator) -> String {
    let folder = folder(&numbers)
    return folder.isEmpty ? name : folder + "/" + name
  }

  private func file(_ numbers: inout SeededGenerator) -> String {
    inFolder(name(&numbers) + ".mp3", &numbers)
  }

  mutating func operate(_ numbers: inout SeededGenerator) {
    counter += 1
    switch Int.random(in: 0..<18, using: &numbers) {
    case 0, 1: music.makeFolder(folder(&numbers))
    case 2, 3, 4, 5:
      let path = file(&numbers)
      music.makeFolder(path.split(separator: "/").dropLast().joined(separator: "/"))
      _ = write(music(path), "text \(counter)", O_CREAT | O_TRUNC)
    case 6, 7: _ = rename(music(file(&numbers)), music(file(&numbers)))
    case 8: _ = rename(music(name(&numbers)), music(inFolder(name(&numbers), &numbers)))
    case 9: _ = rename(music(inFolder(name(&numbers), &numbers)), music(name(&numbers)))
    case 10: _ = remove(music(file(&numbers)))
    case 11: music.delete(name(&numbers))
    case 12:
      _ = rename(music(name(&numbers)), outside(name(&numbers)))
      _ = rename(outside(name(&numbers)), music(name(&numbers)))
    case 13: _ = exchangeNames(music(file(&numbers)), music(file(&numbers)))
    case 14:
      let other = music(inFolder(name(&numbers), &numbers))
      _ = exchangeNames(music(name(&numbers)), other)
    case 15: edit(music(file(&numbers)))
    case 16: _ = truncate(music(file(&numbers)), Int.random(in: 1...5, using: &numbers))
    default: link(&numbers)
    }
  }

  private func write(_ path: String, _ text: String, _ flags: Int32) -> Bool {
    let descriptor = open(path, O_WRONLY | O_CLOEXEC | flags, 0o644)
    guard descriptor >= 0 else { return false }
    music.append(descriptor, text)
    endWriting(descriptor)
    return true
  }

  /// Leaves size and time of the last change as they were.
  private func edit(_ path: String) {
    var before = stat()
    guard stat(path, &before) == 0, before.st_mode & S_IFMT == S_IFREG else { return }
    let digits = "\(counter)"
    let text = String(repeating: "0", count: max(0, before.st_size - digits.utf8.count)) + digits
    guard write(path, String(text.prefix(before.st_size)), 0) else { return }
    utimensat(AT_FDCWD, path, [before.st_atim, before.st_mtim], 0)
  }

  private func link(_ numbers: inout SeededGenerator) {
    switch links {
    case .none: edit(music(file(&numbers)))
    case .hard: _ = Glibc.link(music(file(&numbers)), music(file(&numbers)))
    case .toFiles:
      _ = symlink(music(file(&numbers)), music(file(&numbers)))
    case .toFolders:
      _ = symlink(music(folder(&numbers)), music(inFolder(name(&numbers), &numbers)))
    }
  }
}
