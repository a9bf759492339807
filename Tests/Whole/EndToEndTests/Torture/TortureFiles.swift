import Glibc
import Platform
import ProgramSupport
import TestSupport
import Testing

/// The files of the torture test: two music folders, of which one is a drive, and what lies beside
/// them. Paths are as the daemon sees them.
final class TortureFiles {
  let home: Home
  private let space: MountSpace
  private let tagger: Tagger
  private var sounds: [SampleFormat: [String]] = [:]
  let roots: [String]
  /// The roots that are not there.
  private(set) var away: Set<String> = []
  /// Paths of each song's files; none while it is gone.
  private(set) var paths: [Int: [String]] = [:]
  private(set) var formats: [Int: SampleFormat] = [:]
  /// Songs that were deleted, and where they are until they are restored.
  private(set) var trash: [Int: String] = [:]
  private var lastName = 0

  init() throws {
    let folder = try TemporaryFolder()
    space = try MountSpace(folder)
    home = try Home(folder: folder, prefix: space.prefix)
    tagger = try Tagger()
    for format in StoryTests.formats { sounds[format] = try SampleMusic.sounds(format) }
    for name in ["Drive", "drive", "staging", "trash"] { try folder.makeFolder(name) }
    roots = [home.music, folder.path("Drive")]
    try space.mountNew(on: folder.path("drive"))
    try #require(mkdir(space.path(folder.path("drive/Music")), 0o755) == 0)
    try space.mount(folder.path("drive/Music"), on: roots[1])
    try home.configure("music_folders = [\"\(roots[0])\", \"\(roots[1])\"]\n")
  }

  /// Where the test finds what the daemon sees at this path.
  private func real(_ path: String) -> String {
    guard path.hasPrefix("\(roots[1])/") else { return path }
    return space.path(home.folder.path("drive/Music/\(path.dropFirst(roots[1].count + 1))"))
  }

  func root(of path: String) -> String {
    path.hasPrefix("\(roots[1])/") ? roots[1] : roots[0]
  }

  /// The file that has to be the song's: of those that are there the first in byte order. Nil where
  /// none is there.
  func path(of song: Int) -> String? {
    paths[song]?.first { !away.contains(root(of: $0)) }
  }

  /// A song's files that are there.
  func pathsThere(of song: Int) -> [String] {
    (paths[song] ?? []).filter { !away.contains(root(of: $0)) }
  }

  /// Whether all its files, if it has any, are there.
  func isWhole(_ song: Int) -> Bool {
    paths[song]?.allSatisfy { !away.contains(root(of: $0)) } ?? true
  }

  /// A name that was never used, and is not easy.
  func name() -> String {
    lastName += 1
    return ["\(lastName)", "#\(lastName) e\u{301}", "\(lastName) 'x\"", "ü \(lastName)"][
      lastName % 4]
  }

  func has(_ format: SampleFormat, _ count: Int = 1) -> Bool {
    (sounds[format]?.count ?? 0) >= count
  }

  private func path(_ folder: String, _ format: SampleFormat) -> String {
    "\(folder)/\(name()).\(format.pathExtension)"
  }

  // MARK: What is done to files

  /// Makes a song that was never there, in a folder.
  func make(_ song: Int, _ format: SampleFormat, _ tags: [String: String], in folder: String) throws
  {
    let last = sounds[format]?.popLast()
    let sound = try #require(last)
    let draft = home.folder.path("staging/\(song).\(format.pathExtension)")
    try writeFile(try readFile(sound), to: draft)
    try tagger.write(tags, picture: song % 3 * 5000, to: draft)
    let target = path(folder, format)
    try transfer(draft, to: target)
    paths[song] = [target]
    formats[song] = format
  }

  func retag(_ song: Int, _ tags: [String: String], picture: Int) throws {
    for path in paths[song] ?? [] { try tagger.write(tags, picture: picture, to: real(path)) }
  }

  /// - Parameter folder: nil: the file is renamed where it is.
  func move(_ song: Int, to folder: String?) throws {
    guard let old = paths[song]?.first, let format = formats[song] else { return }
    let target = path(folder ?? parent(old), format)
    try transfer(old, to: target)
    paths[song] = [target]
  }

  func swap(_ song: Int, _ other: Int) throws {
    guard let one = paths[song]?.first, let two = paths[other]?.first else { return }
    let aside = parent(one) + "/.aside"
    for (from, to) in [(one, aside), (two, one), (aside, two)] {
      try EndToEndTests.move(real(from), to: real(to))
    }
    paths[song] = [two]
    paths[other] = [one]
  }

  func duplicate(_ song: Int, to folder: String) throws {
    guard let old = paths[song]?.first, let format = formats[song] else { return }
    let target = path(folder, format)
    try makeFolders(above: target)
    try writeFile(try readFile(real(old)), to: real(target))
    paths[song] = ((paths[song] ?? []) + [target]).sorted {
      $0.utf8.lexicographicallyPrecedes($1.utf8)
    }
  }

  /// Deletes one of several files of the song.
  func delete(_ song: Int, file: Int) throws {
    guard let path = paths[song]?.remove(at: file) else { return }
    if paths[song] != [] { return removeTree(real(path)) }
    let format = try #require(formats[song])
    let kept = home.folder.path("trash/\(song).\(format.pathExtension)")
    try transfer(path, to: kept)
    trash[song] = kept
  }

  func restore(_ song: Int, _ tags: [String: String], to folder: String) throws {
    guard let kept = trash.removeValue(forKey: song), let format = formats[song] else { return }
    try tagger.write(tags, to: kept)
    let target = path(folder, format)
    try transfer(kept, to: target)
    paths[song] = [target]
  }

  /// The same song in another format.
  func replace(_ song: Int, by format: SampleFormat, _ tags: [String: String]) throws {
    guard let old = paths[song]?.first else { return }
    removeTree(real(old))
    try make(song, format, tags, in: parent(old))
  }

  /// The same song in another format beside the old file, which is not its file any longer.
  func add(_ song: Int, _ format: SampleFormat, _ tags: [String: String]) throws {
    guard let old = paths[song]?.first else { return }
    try make(song, format, tags, in: parent(old))
  }

  func remove(_ path: String) { removeTree(real(path)) }

  func renameFolder(_ folder: String, to new: String) throws {
    try makeFolders(above: new)
    try EndToEndTests.move(real(folder), to: real(new))
    for (song, files) in paths {
      paths[song] = files.map { path in
        path.hasPrefix("\(folder)/") ? new + path.dropFirst(folder.count) : path
      }.sorted { $0.utf8.lexicographicallyPrecedes($1.utf8) }
    }
  }

  /// A song that is not to come back.
  func drop(_ song: Int) {
    paths[song] = nil
    if let kept = trash.removeValue(forKey: song) { removeTree(kept) }
  }

  // MARK: Music folders

  /// Unmounts or mounts the drive; renames the other folder away or back.
  func toggle(_ root: String) throws {
    let goes = away.insert(root).inserted
    if !goes { away.remove(root) }
    if root == roots[1] {
      if goes {
        do {
          try space.unmount(root)
        } catch is MountError {
          // Busy, since what was just written is being read.
          try space.unmount(root, lazily: true)
        }
      } else {
        try space.mount(home.folder.path("drive/Music"), on: root)
      }
    } else {
      let other = home.folder.path("Music that is away")
      try EndToEndTests.move(goes ? root : other, to: goes ? other : root)
    }
  }

  /// Folders of songs in a root, and those above them.
  func folders(in root: String) -> [String] {
    var found: Set<String> = []
    for path in paths.values.joined() where self.root(of: path) == root {
      var folder = parent(path)
      while folder.count > root.count {
        found.insert(folder)
        folder = parent(folder)
      }
    }
    return found.sorted { $0.utf8.lexicographicallyPrecedes($1.utf8) }
  }

  private func parent(_ path: String) -> String {
    String(path[..<(path.lastIndex(of: "/") ?? path.startIndex)])
  }

  /// Between file systems it is copied and then removed, as mv does.
  private func transfer(_ source: String, to target: String) throws {
    try makeFolders(above: target)
    if rename(real(source), real(target)) == 0 { return }
    guard errno == EXDEV else { throw SystemCallError("rename", source) }
    try writeFile(try readFile(real(source)), to: real(target))
    removeTree(real(source))
  }

  private func makeFolders(above path: String) throws {
    let folder = parent(path)
    if access(real(folder), F_OK) == 0 { return }
    try makeFolders(above: folder)
    guard mkdir(real(folder), 0o755) == 0 else { throw SystemCallError("mkdir", folder) }
  }
}
