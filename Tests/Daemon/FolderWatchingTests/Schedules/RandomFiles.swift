import Glibc
import TestSupport

/// Random operations on a small tree, done on the disk and to the plain tree alike. Every text that
/// is written has a length of its own, so that no two look alike in one tick of the disk's clock.
struct RandomFiles: Sendable {
  let place: String
  private(set) var tree = PlainTree()
  /// Files that are open for writing.
  private(set) var writers: [(descriptor: Int32, file: Int, text: String)] = []
  /// The music folder is at its place.
  private(set) var isRootThere = true
  private var counter = 0

  init(place: String) {
    self.place = place
    mkdir(disk("m"), 0o755)
    mkdir(disk("o"), 0o755)
  }

  /// Where a path of the plain tree is on the disk.
  private func disk(_ path: String) -> String {
    let isInRoot = path.utf8.first == UInt8(ascii: "m")
    return isRootThere || !isInRoot ? "\(place)/\(path)" : "\(place)/away\(path.dropFirst())"
  }

  private mutating func newText() -> String {
    counter += 1
    let number = "\(counter)"
    return number + String(repeating: ".", count: 4 * counter + 8 - number.utf8.count)
  }

  // MARK: Choosing

  private func folder(_ numbers: inout SeededGenerator) -> String {
    if Int.random(in: 0..<4, using: &numbers) > 0 {
      return one(of: tree.folders, &numbers) ?? "m"
    }
    var path = Int.random(in: 0..<8, using: &numbers) == 0 ? "o" : "m"
    for _ in 0..<Int.random(in: 0...2, using: &numbers) { path += "/" + folderName(&numbers) }
    return path
  }

  private func folderName(_ numbers: inout SeededGenerator) -> String {
    // Now and then a file's name, and one that is left out.
    let names = ["a", "b", "c", "a", "b", "c", "a", "b", "c", "1.mp3", ".d"]
    return names.randomElement(using: &numbers) ?? "a"
  }

  private func newFolder(_ numbers: inout SeededGenerator) -> String {
    let parent = folder(&numbers)
    return parent + "/" + folderName(&numbers)
  }

  private func newFile(_ numbers: inout SeededGenerator) -> String {
    let names = ["1.mp3", "2.mp3", "3.mp3", "1.mp3", "2.mp3", "3.mp3", "1.mp3.part", "x.jpg"]
    return folder(&numbers) + "/" + (names.randomElement(using: &numbers) ?? "1.mp3")
  }

  private func oldFile(_ numbers: inout SeededGenerator) -> String {
    one(of: tree.names.keys, &numbers) ?? newFile(&numbers)
  }

  private func oldFolder(_ numbers: inout SeededGenerator) -> String {
    one(of: tree.folders.filter { $0.utf8.count > 1 }, &numbers) ?? newFolder(&numbers)
  }

  /// Most of what happens, happens in the music folder.
  private func one(of paths: some Sequence<String>, _ numbers: inout SeededGenerator) -> String? {
    let isOutside = Int.random(in: 0..<6, using: &numbers) == 0
    return paths.filter { ($0.utf8.first == UInt8(ascii: "o")) == isOutside }
      .sorted().randomElement(using: &numbers)
  }

  // MARK: Doing

  /// Not all that is chosen can be done.
  mutating func operate(_ numbers: inout SeededGenerator) -> String {
    switch Int.random(in: 0..<24, using: &numbers) {
    case 0...2: return makeFolder(newFolder(&numbers))
    case 3...8: return write(newFile(&numbers))
    case 9: return write(oldFile(&numbers))
    case 10...12: return move(oldFile(&numbers), newFile(&numbers))
    case 13...15: return move(oldFolder(&numbers), newFolder(&numbers))
    case 16: return move(oldFile(&numbers), oldFile(&numbers))
    case 17: return remove(oldFile(&numbers))
    case 18: return removeTree(oldFolder(&numbers))
    case 19: return exchange(oldFolder(&numbers), oldFolder(&numbers))
    case 20: return exchange(oldFile(&numbers), oldFile(&numbers))
    case 21: return link(oldFile(&numbers), newFile(&numbers))
    case 22: return cut(oldFile(&numbers))
    default: return writers.count < 2 ? beginWriting(newFile(&numbers)) : endWriting()
    }
  }

  private mutating func makeFolder(_ path: String) -> String {
    guard mkdir(disk(path), 0o755) == 0 else { return "" }
    tree.madeFolder(path)
    return "make \(path)"
  }

  private mutating func write(_ path: String) -> String {
    let text = newText()
    guard let descriptor = open(path, text) else { return "" }
    close(descriptor, of: tree.names[path]?.file)
    return "write \(path) \(tree.wrote(path, text))"
  }

  private func open(_ path: String, _ text: String) -> Int32? {
    let flags = O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC
    let descriptor = Glibc.open(disk(path), flags, 0o644)
    guard descriptor >= 0 else { return nil }
    append(descriptor, text)
    return descriptor
  }

  private func append(_ descriptor: Int32, _ text: String) {
    var text = text
    _ = text.withUTF8 { Glibc.write(descriptor, $0.baseAddress, $0.count) }
  }

  private func close(_ descriptor: Int32, of file: Int?) {
    if writers.contains(where: { $0.file == file }) {
      Glibc.close(descriptor)
    } else {
      TestSupport.endWriting(descriptor)
    }
  }

  private mutating func move(_ from: String, _ to: String) -> String {
    guard rename(disk(from), disk(to)) == 0 else { return "" }
    tree.moved(from, to)
    return "move \(from) \(to)"
  }

  private mutating func exchange(_ one: String, _ other: String) -> String {
    guard one != other, exchangeNames(disk(one), disk(other)) else { return "" }
    tree.exchanged(one, other)
    return "exchange \(one) \(other)"
  }

  private mutating func link(_ from: String, _ to: String) -> String {
    guard Glibc.link(disk(from), disk(to)) == 0 else { return "" }
    tree.linked(from, to)
    return "link \(from) \(to)"
  }

  private mutating func cut(_ path: String) -> String {
    guard let name = tree.names[path], let text = tree.texts[name.file],
      !writers.contains(where: { $0.file == name.file }), text.utf8.count % 4 == 0,
      truncate(disk(path), text.utf8.count - 1) == 0
    else { return "" }
    tree.wrote(path, String(text.dropLast()))
    return "cut \(path)"
  }

  private mutating func remove(_ path: String) -> String {
    guard Glibc.remove(disk(path)) == 0 else { return "" }
    tree.removed(path)
    return "remove \(path)"
  }

  private mutating func removeTree(_ path: String) -> String {
    let inside = (Array(tree.names.keys) + tree.folders).filter { $0.hasPrefix(path + "/") }
    for one in inside.sorted().reversed() + [path] { _ = remove(one) }
    return "remove all of \(path)"
  }

  private mutating func beginWriting(_ path: String) -> String {
    let text = newText()
    guard !writers.contains(where: { $0.file == tree.names[path]?.file }),
      let descriptor = open(path, text)
    else { return "" }
    let file = tree.wrote(path, text)
    writers.append((descriptor, file, text))
    return "begin to write \(path) \(file)"
  }

  mutating func endWriting() -> String {
    if writers.isEmpty { return "" }
    let writer = writers.removeFirst()
    // Another may have written to the file meanwhile.
    let isOurs = tree.texts[writer.file] == writer.text
    if isOurs {
      append(writer.descriptor, "!")
      tree.wrote(file: writer.file, writer.text + "!")
    }
    close(writer.descriptor, of: writer.file)
    return "end writing \(writer.file)"
  }

  mutating func moveRoot() -> String {
    let (here, away) = ("\(place)/m", "\(place)/away")
    guard rename(isRootThere ? here : away, isRootThere ? away : here) == 0 else { return "" }
    isRootThere.toggle()
    return isRootThere ? "the root is back" : "the root is away"
  }

  /// The paths of files that are being written.
  var unfinished: Set<String> {
    Set(tree.names.filter { one in writers.contains { $0.file == one.value.file } }.keys)
  }
}
