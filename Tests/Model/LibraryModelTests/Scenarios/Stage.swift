@testable import LibraryModel

/// A music folder with somebody who keeps its library: does what a scenario says, and looks.
struct Stage<Kept: Keeper> {
  var keeper: Kept
  private(set) var files: [String: PlainFile] = [:]
  /// What the keeper was told of last.
  private var known: [String: PlainFile] = [:]
  private(set) var away: Set<String> = []
  private var roots = [PlainFolder.root]
  private var now: Int64 = 1_700_000_000_000
  private var nextInode: UInt64 = 0
  /// Where each song was at first; what began later is new.
  private(set) var firstPaths: [SongID: String] = [:]
  private var firstAlbums: Set<AlbumID> = []

  init(_ keeper: Kept) { self.keeper = keeper }

  // MARK: Looking

  private func isAway(_ path: String) -> Bool { away.contains { isInside(path, $0) } }

  /// Looks at all directories, or at these.
  @discardableResult
  mutating func look(
    at isMeant: (String) -> Bool = { _ in true }, isFirstScan: Bool = false
  ) throws -> [String] {
    now += 1000
    var changes: [String] = []
    // Each music folder is looked at by itself.
    for root in roots {
      var seen = known
      for path in Set(known.keys).union(files.keys)
      where isInside(path, root) && isMeant(parent(path)) && !isAway(path) {
        seen[path] = files[path]
      }
      // A path in no configured folder is no file.
      seen = seen.filter { path, _ in roots.contains { isInside(path, $0) } }
      var look = PlainLook(
        files: seen, found: Set(seen.keys.filter { seen[$0] != known[$0] }),
        known: Set(known.keys), away: away, roots: roots, root: root, seen: now)
      (look.isFirstScan, look.endsFirstScan) = (isFirstScan, isFirstScan)
      known = seen
      changes += try keeper.merge(look)
    }
    return changes
  }

  /// Merges once more all that is there, as if it were news.
  mutating func lookAgain() throws -> [String] {
    try roots.flatMap { root in
      let found = known.keys.filter { isInside($0, root) && !isAway($0) }
      return try keeper.merge(
        PlainLook(
          files: known, found: Set(found), known: Set(known.keys), away: away, roots: roots,
          root: root, seen: now))
    }
  }

  mutating func setFiles(_ files: [String: PlainFile]) { self.files = files }

  mutating func noteFirstPaths() {
    for song in keeper.view.songs { firstPaths[song.id] = song.path }
    firstAlbums = Set(keeper.view.albums.map(\.id))
  }

  // MARK: Steps

  mutating func take(_ step: Scenario.Step) throws {
    switch step {
    case .put(let path, let values):
      nextInode += 1
      var file = PlainFile(
        sound: 0, inode: nextInode, milliseconds: 200_000, modified: 1_600_000_000_000)
      set(values, of: &file, keepsTitle: false)
      files[full(path)] = file
    case .move(let old, let new):
      guard let file = files.removeValue(forKey: full(old)) else { throw missing(old) }
      files[full(new)] = file
    case .copy(let old, let new, let values):
      guard var file = files[full(old)] else { throw missing(old) }
      nextInode += 1
      file = PlainFile(
        sound: file.sound, tags: file.tags, inode: nextInode, milliseconds: file.milliseconds,
        modified: file.modified)
      set(values, of: &file)
      files[full(new)] = file
    case .remove(let path):
      if files.removeValue(forKey: full(path)) == nil { throw missing(path) }
    case .tag(let path, let values):
      guard var file = files[full(path)] else { throw missing(path) }
      set(values, of: &file)
      files[full(path)] = file
    case .plugOff(let folder): away.insert(full(folder))
    case .plugIn: away = []
    case .folders(let names): roots = names.map(full)
    case .crate, .order, .reverse: try act(step)
    case .look: try look()
    }
  }

  private func missing(_ path: String) -> Scenario.Fault {
    Scenario.Fault(description: "\(path) is not there")
  }

  /// A path below the music folder, or outside it: `../bin/1.mp3`. `%20` is a blank.
  private func full(_ path: String) -> String {
    let path = plainPath(bytes: plainBytes(path))
    return path.hasPrefix("../") ? String(path.dropFirst(3)) : "\(PlainFolder.root)/\(path)"
  }

  /// - Parameter keepsTitle: a title that is not given stays.
  private func set(
    _ values: [String: String], of file: inout PlainFile, keepsTitle: Bool = true
  ) {
    for (key, value) in values {
      switch key {
      case "sound": file.sound = Int(value) ?? 0
      case "album": file.tags.album = value
      case "artist": file.tags.albumArtist = value
      case "track": file.tags.track = Int(value)
      case "disc": file.tags.disc = Int(value)
      case "title": file.tags.title = value
      case "recording": file.tags.recording = value
      case "release": file.tags.release = value
      case "genre": file.tags.genre = value
      case "year": file.tags.date = value
      case "seconds": file.milliseconds = (Int(value) ?? 0) * 1000
      default: preconditionFailure("a file has no “\(key)”")
      }
    }
    if !keepsTitle, values["title"] == nil { file.tags.title = "T\(file.sound)" }
  }

  // MARK: The person

  private mutating func act(_ step: Scenario.Step) throws {
    switch step {
    case .crate(let title, let crate):
      guard let song = try album(title).songs.first else { return }
      try keeper.move(song.id, toCrate: crate)
    case .reverse(let title):
      try keeper.arrange(album(title).songs.filter { !$0.isGone }.map(\.id).reversed())
    case .order(let title, let names):
      let songs = try album(title).songs.filter { !$0.isGone }
      let order = names.compactMap { name in songs.first { stem(fileName($0.path)) == name } }
      try keeper.arrange((order + songs.filter { !order.contains($0) }).map(\.id))
    default: break
    }
  }

  /// The listed album of that title, or of that title in a folder: `X@B`.
  private func album(_ title: String) throws -> KeptView.Album {
    let parts = title.split(separator: "@").map(String.init)
    let found = keeper.view.listed.albums.first { album in
      album.title == parts[0]
        && (parts.count < 2 || album.songs[0].path.hasPrefix(full(parts[1]) + "/"))
    }
    guard let found else { throw Scenario.Fault(description: "no album is called \(title)") }
    return found
  }

  // MARK: What is listed

  /// `Best: Art/X* (A/6 B/5<A/5 +A/7 C/8~)`: arranged, moved from A/5, new, offline.
  var listing: [String] { listing(isOrdered: true) }

  /// The same, but with albums that began later in order of their names where they stand together:
  /// those that split off the same one go by first sight among themselves.
  var listingAnyhow: [String] { listing(isOrdered: false) }

  private func listing(isOrdered: Bool) -> [String] {
    let view = keeper.view
    var lines = view.listed.crates.map { crate in
      var albums: [String] = []
      var new: [String] = []
      for album in crate.albums {
        if !isOrdered, !firstAlbums.contains(album.id) {
          new.append(name(album))
        } else {
          albums += new.sorted() + [name(album)]
          new = []
        }
      }
      return "\(crate.name): " + (albums + new.sorted()).joined(separator: ", ")
    }
    let gone = view.songs.filter { $0.isGone && firstPaths[$0.id] != nil }.map(name)
    if !gone.isEmpty { lines.append("gone: " + gone.sorted().joined(separator: " ")) }
    let copies = view.duplicates.map(short)
    if !copies.isEmpty { lines.append("copies: " + copies.sorted().joined(separator: " ")) }
    let there = Set(view.songs.map(\.id))
    let lost = firstPaths.filter { !there.contains($0.key) }.map { short($0.value) }
    if !lost.isEmpty { lines.append("lost: " + lost.sorted().joined(separator: " ")) }
    return lines
  }

  private func name(_ album: KeptView.Album) -> String {
    (album.artist.isEmpty ? "" : "\(album.artist)/")
      + "\(album.title)\(album.isArranged ? "*" : "")"
      + " (\(album.songs.map(name).joined(separator: " ")))"
  }

  private func name(_ song: KeptView.Song) -> String {
    let isThere = roots.contains { isInside(song.path, $0) } && !isAway(song.path)
    let path = short(song.path) + (isThere || song.isGone ? "" : "~")
    guard let first = firstPaths[song.id] else { return "+\(path)" }
    if song.isGone { return short(first) }
    if first == song.path { return path }
    return "\(path)<\(short(first))"
  }

  private func short(_ path: String) -> String {
    stem(String(path.dropFirst(PlainFolder.root.count + 1)))
  }
}

extension Scenario {
  /// What is listed after the steps, each of which is looked at if that is asked for.
  func play<Kept: Keeper>(
    _ keeper: Kept, isFirstScan: Bool = false, looksAfter: (Int) -> Bool
  ) throws -> (listing: [String], second: [String]) {
    var stage = Stage(keeper)
    for step in files { try stage.take(step) }
    try stage.look(isFirstScan: isFirstScan)
    for step in acts { try stage.take(step) }
    stage.noteFirstPaths()
    for (number, step) in steps.enumerated() {
      // The person acts on what is listed.
      if step.isOfPerson { try stage.look() }
      try stage.take(step)
      switch step {
      case .plugOff, .folders: try stage.look()
      default: break
      }
      if step.isOfFolder, looksAfter(number) { try stage.look() }
    }
    try stage.look()
    let listing = stage.listing
    let second = try stage.look() + stage.lookAgain()
    if stage.listing != listing { return (listing, stage.listing) }
    return (listing, second)
  }
}
