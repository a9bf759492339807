import TestSupport

@testable import LibraryModel

/// Some operations of tools on a few files, by chance: the same for every way of looking at them.
struct Trial {
  enum Kind: CaseIterable {
    case rename, moveFolder, copyFolderAndRemove, copyAndRemove, copyFolder, tag, tagAll
    case beside, original, delete, deleteAndRestore, encode, convert, swap, new
  }

  var random: SeededGenerator
  private(set) var files: [String: PlainFile] = [:]
  private var nextInode: UInt64 = 0
  private var nextName = 0

  typealias Step = (inout [String: PlainFile]) -> Void

  /// Two or three albums in folders A, B and C.
  init(seed: UInt64) {
    random = SeededGenerator(seed: seed)
    for number in 0..<pick([2, 3]) {
      let artist = pick(["", "Art", "Art\(number)"])
      let name = pick(["X", "X\(number)"])
      for track in 1...pick([2, 3]) {
        var tags = SongTags()
        tags.album = chance(15) ? "" : name
        tags.albumArtist = artist
        tags.track = chance(10) ? nil : track
        tags.title = "\(number)-\(track)"
        let sound = chance(20) ? 99 : 10 * number + track
        files["m/\(["A", "B", "C"][number])/\(track).mp3"] = file(sound, tags)
      }
    }
  }

  private mutating func pick<Item>(_ items: [Item]) -> Item {
    items[Int.random(in: items.indices, using: &random)]
  }

  private mutating func chance(_ one: Int) -> Bool { Int.random(in: 0..<one, using: &random) == 0 }

  private mutating func file(_ sound: Int, _ tags: SongTags) -> PlainFile {
    nextInode += 1
    return PlainFile(
      sound: sound, tags: tags, inode: nextInode, milliseconds: 200_000,
      modified: 1_600_000_000_000)
  }

  // MARK: Operations

  /// The steps of an operation on the files as they are; they are taken here at once.
  mutating func operation(_ kinds: [Kind] = Kind.allCases) -> [Step] {
    let paths = files.keys.sorted()
    if paths.isEmpty { return [] }
    let kind = pick(kinds)
    let path = pick(paths)
    let folder = parent(path)
    let inside = paths.filter { parent($0) == folder }
    let new = pick(["A", "B", "C", "D", "E", "F"].map { "m/\($0)" }.filter { $0 != folder })
    nextName += 1
    let steps = steps(
      kind, path, folder, inside, new, isFree: !paths.contains { parent($0) == new })
    for step in steps { step(&files) }
    return steps
  }

  private mutating func steps(
    _ kind: Kind, _ path: String, _ folder: String, _ inside: [String], _ new: String, isFree: Bool
  ) -> [Step] {
    let (number, file) = (nextName, files[path] ?? PlainFile(sound: 0, inode: 0))
    switch kind {
    case .rename: return [move(path, "\(folder)/r\(number)\(path.dropFirst(stem(path).count))")]
    case .moveFolder: return isFree ? inside.map { move($0, "\(new)/\(fileName($0))") } : []
    case .copyFolderAndRemove:
      return isFree ? inside.map { copy($0, "\(new)/\(fileName($0))") } + inside.map(remove) : []
    case .copyAndRemove:
      return isFree ? inside.flatMap { [copy($0, "\(new)/\(fileName($0))"), remove($0)] } : []
    case .copyFolder: return isFree ? inside.map { copy($0, "\(new)/\(fileName($0))") } : []
    case .tag: return [tag(path, change().change)]
    case .tagAll:
      let change = change()
      return change.isOfTrack ? [] : inside.map { tag($0, change.change) }
    case .beside:
      let change = change()
      return (change.isOfTrack ? [path] : inside).flatMap { path -> [Step] in
        let other = "\(folder)/tmp_\(fileName(path))"
        return [copy(path, other, change.change), move(other, path)]
      }
    case .original:
      let change = change()
      return (change.isOfTrack ? [path] : inside).flatMap { path -> [Step] in
        let other = "\(folder)/orig_\(fileName(path))"
        return [move(path, other), copy(other, path, change.change), remove(other)]
      }
    case .delete: return [remove(path)]
    case .deleteAndRestore: return [remove(path), put(path, self.file(file.sound, file.tags))]
    case .encode: return [put(path, self.file(file.sound + 1000, file.tags))]
    case .convert:
      let other = stem(path) + ".flac"
      if other == path || files[other] != nil { return [] }
      return [put(other, self.file(file.sound + 1000, file.tags)), remove(path)]
    case .swap:
      let other = pick(files.keys.sorted())
      return other == path ? [] : [move(path, "m/swap"), move(other, path), move("m/swap", other)]
    case .new:
      var tags = file.tags
      (tags.track, tags.title) = (9, "n\(number)")
      return [put("\(folder)/n\(number).mp3", self.file(500 + number, tags))]
    }
  }

  private mutating func change() -> (isOfTrack: Bool, change: (inout SongTags) -> Void) {
    let (track, album) = (Int.random(in: 1...9, using: &random), pick(["X", "New", "X1"]))
    let artist = pick(["Art", "Neu"])
    switch Int.random(in: 0..<3, using: &random) {
    case 0: return (true, { $0.track = track })
    case 1: return (false, { $0.album = album })
    default: return (false, { $0.albumArtist = artist })
    }
  }

  private func move(_ old: String, _ new: String) -> Step {
    { files in
      guard let file = files.removeValue(forKey: old) else { return }
      files[new] = file
    }
  }

  private mutating func copy(
    _ old: String, _ new: String, _ change: @escaping (inout SongTags) -> Void = { _ in }
  ) -> Step {
    nextInode += 1
    let inode = nextInode
    return { files in
      guard let file = files[old] else { return }
      var tags = file.tags
      change(&tags)
      files[new] = PlainFile(
        sound: file.sound, tags: tags, inode: inode, milliseconds: file.milliseconds,
        modified: file.modified)
    }
  }

  private func remove(_ path: String) -> Step { { $0[path] = nil } }

  private func put(_ path: String, _ file: PlainFile) -> Step { { $0[path] = file } }

  private func tag(_ path: String, _ change: @escaping (inout SongTags) -> Void) -> Step {
    { files in
      if var tags = files[path]?.tags {
        change(&tags)
        files[path]?.tags = tags
      }
    }
  }
}

/// When somebody looks.
enum Looking: CaseIterable {
  /// Once, when all is done; after each operation; after each step; at random; at some directories
  /// at a time.
  case once, operations, steps, random, folders
}

extension Trial {
  /// The library after so many operations, as it was looked at.
  ///
  /// - Parameters:
  ///   - acts: the person does something between.
  ///   - check: what must hold after each look, of what was listed before and then.
  static func live<Kept: Keeper>(
    _ keeper: Kept, seed: UInt64, operations: Int, _ looking: Looking, acts: Bool = false,
    check: (KeptView, KeptView, [String: PlainFile]) throws -> Void = { _, _, _ in }
  ) throws -> Stage<Kept> {
    var trial = Trial(seed: seed)
    var moments = SeededGenerator(seed: seed &+ 1)
    var stage = Stage(keeper)
    stage.setFiles(trial.files)
    try stage.look()
    var person = SeededGenerator(seed: seed &+ 2)
    try stage.actAll(&person)
    stage.noteFirstPaths()
    var files = trial.files
    func look(_ folders: Set<String>? = nil) throws {
      let before = stage.keeper.view
      stage.setFiles(files)
      try stage.look { folders?.contains($0) ?? true }
      try check(before, stage.keeper.view, files)
    }
    for _ in 0..<operations {
      if acts, Int.random(in: 0..<5, using: &moments) < 2 { try stage.actOnce(&moments) }
      for step in trial.operation() {
        step(&files)
        switch looking {
        case .steps: try look()
        case .random: if Int.random(in: 0..<5, using: &moments) < 2 { try look() }
        case .folders:
          let folders = ["A", "B", "C", "D", "E", "F"].shuffled(using: &moments).prefix(2)
          if Int.random(in: 0..<5, using: &moments) < 3 { try look(Set(folders.map { "m/\($0)" })) }
        case .once, .operations: break
        }
      }
      if looking == .operations { try look() }
    }
    try look()
    return stage
  }
}

extension Stage {
  /// The person takes some albums to other crates, and orders the songs of some.
  fileprivate mutating func actAll(_ random: inout SeededGenerator) throws {
    let albums = keeper.view.listed.albums.sorted { isEarlier($0.songs[0].path, $1.songs[0].path) }
    for album in albums {
      if Int.random(in: 0..<5, using: &random) < 3 {
        let crate = Bool.random(using: &random) ? "Best" : "Rest"
        try keeper.move(album.songs[0].id, toCrate: crate)
      }
      if Int.random(in: 0..<5, using: &random) < 3 { try shuffle(album, &random) }
    }
  }

  private mutating func shuffle(
    _ album: KeptView.Album, _ random: inout SeededGenerator
  ) throws {
    let songs = album.songs.sorted { isEarlier($0.path, $1.path) }.map(\.id)
    try keeper.arrange(songs.shuffled(using: &random))
  }

  fileprivate mutating func actOnce(_ random: inout SeededGenerator) throws {
    let albums = keeper.view.listed.albums
    guard let album = albums.randomElement(using: &random) else { return }
    if Bool.random(using: &random) {
      let crate = ["Best", "Rest", "Music"].randomElement(using: &random) ?? "Best"
      try keeper.move(album.songs[0].id, toCrate: crate)
    } else {
      try shuffle(album, &random)
    }
  }
}
