@testable import LibraryModel

/// A music folder `m` with a mount `m/usb` inside it.
struct PlainFolder {
  static let root = "m"
  static let mount = "m/usb"

  var files: [String: PlainFile] = [:]
  /// What was taken out, and may come back.
  var bin: [[String: PlainFile]] = []
  /// Places that can't be looked at now.
  var away: Set<String> = []
  private var nextSound = 1
  private var nextInode: UInt64 = 1
  private var nextName = 1

  var paths: [String] { files.keys.inByteOrder }

  func isAway(_ path: String) -> Bool { away.contains { isInside(path, $0) } }

  mutating func fresh() -> Int {
    nextName += 1
    return nextName
  }

  mutating func sound() -> Int {
    nextSound += 1
    return nextSound
  }

  mutating func inode() -> UInt64 {
    nextInode += 1
    return nextInode
  }

  mutating func put(_ path: String, _ tags: SongTags, sound: Int? = nil, milliseconds: Int = 60_000)
  {
    let sound = sound ?? self.sound()
    files[path] = PlainFile(
      sound: sound, tags: tags, inode: inode(), milliseconds: milliseconds,
      modified: Int64(1000 + sound % 3))
  }

  /// Puts a file under another name, with what a writer of tags does to it on the way.
  mutating func move(_ old: String, to new: String, _ retag: (inout SongTags) -> Void = { _ in }) {
    guard var file = files.removeValue(forKey: old) else { return }
    retag(&file.tags)
    files[new] = file
  }

  mutating func retag(_ path: String, _ change: (inout SongTags) -> Void) {
    guard var file = files[path] else { return }
    change(&file.tags)
    files[path] = file
  }

  mutating func moveFolder(_ old: String, to new: String) {
    for path in paths where isInside(path, old) {
      move(path, to: new + path.dropFirst(old.count))
    }
  }

  mutating func copy(_ old: String, to new: String, _ retag: (inout SongTags) -> Void = { _ in }) {
    guard var file = files[old] else { return }
    file.inode = inode()
    file.birth = 2_000_000_000_000_000_000 + Int64(file.inode)
    retag(&file.tags)
    files[new] = file
  }

  mutating func swap(_ left: String, _ right: String) {
    (files[left], files[right]) = (files[right], files[left])
  }

  mutating func remove(_ chosen: [String]) {
    var taken: [String: PlainFile] = [:]
    for path in chosen { taken[path] = files.removeValue(forKey: path) }
    bin.append(taken)
  }

  mutating func restore(_ number: Int) {
    for (path, file) in bin.remove(at: number) where files[path] == nil { files[path] = file }
  }
}
