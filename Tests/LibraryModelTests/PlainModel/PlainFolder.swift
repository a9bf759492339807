import TestSupport

@testable import LibraryModel

/// A file of a simulated music folder, as far as the specification looks at it.
struct PlainFile: Hashable {
  /// 0: too little sound to tell files apart by it.
  var sound: Int
  var tags = SongTags()
  var inode: UInt64
  var milliseconds = 60_000
  /// Milliseconds since 1970.
  var modified: Int64

  var facts: FileFacts {
    var audio = AudioProperties()
    audio.milliseconds = milliseconds
    let stamp = FileStamp(
      identity: FileIdentity(
        fileSystem: 1, inode: inode, birth: 2_000_000_000_000_000_000 + Int64(inode)),
      size: 1000, modified: modified * 1_000_000, changed: 0)
    return FileFacts(
      stamp: stamp, tags: tags, audio: audio, digest: plainDigest(sound), format: "flac")
  }
}

func plainDigest(_ sound: Int) -> AudioDigest? {
  sound == 0 ? nil : AudioDigest(high: UInt64(sound), low: UInt64(sound))
}

/// A music folder `m` with a mount `m/usb` inside it. Paths are written without the first slash.
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

  var paths: [String] { files.keys.sorted() }

  func isAway(_ path: String) -> Bool { away.contains { isInside(path, $0) } }

  mutating func fresh() -> Int {
    nextName += 1
    return nextName
  }

  mutating func sound() -> Int {
    nextSound += 1
    return nextSound
  }

  mutating func put(_ path: String, _ tags: SongTags, sound: Int? = nil, milliseconds: Int = 60_000)
  {
    nextInode += 1
    let sound = sound ?? self.sound()
    files[path] = PlainFile(
      sound: sound, tags: tags, inode: nextInode, milliseconds: milliseconds,
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

  mutating func copy(_ old: String, to new: String) {
    guard var file = files[old] else { return }
    nextInode += 1
    file.inode = nextInode
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

// MARK: Paths

func isInside(_ path: String, _ folder: String) -> Bool {
  path == folder || path.hasPrefix(folder + "/")
}

func parent(_ path: String) -> String {
  guard let slash = path.lastIndex(of: "/") else { return "" }
  return String(path[..<slash])
}

func fileName(_ path: String) -> String {
  guard let slash = path.lastIndex(of: "/") else { return path }
  return String(path[path.index(after: slash)...])
}

/// The number of a disc directory; the histories only have `CD1`, `CD2` and so on.
func plainDisc(ofFolder folder: String) -> Int? {
  let name = fileName(folder)
  return name.hasPrefix("CD") ? Int(name.dropFirst(2)) : nil
}

/// The directory of a file without trailing disc directories.
func plainAlbumFolder(_ path: String) -> String {
  var folder = parent(path)
  while folder != PlainFolder.root, plainDisc(ofFolder: folder) != nil { folder = parent(folder) }
  return folder
}

func bytePath(_ path: String) -> BytePath { BytePath("/" + path) }

func plainPath(_ path: BytePath) -> String { String(path.display.dropFirst()) }
