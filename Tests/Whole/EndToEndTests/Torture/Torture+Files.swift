import ProgramSupport
import TestSupport

/// What is done to the files. Each answers false where there is nothing to do it to.
extension Torture {
  // MARK: What there is to choose from

  private func isFree(_ song: Int) -> Bool {
    !touched.contains(song) && files.isWhole(song)
  }

  /// Songs with one file, which is there and was left alone since the last comparison.
  var single: [Int] {
    model.songs.keys.filter { isFree($0) && files.paths[$0]?.count == 1 }.sorted()
  }

  var onlineRoots: [String] { files.roots.filter { !files.away.contains($0) } }

  func aFolder() -> String? {
    guard let root = pick(onlineRoots) else { return nil }
    let folders = files.folders(in: root)
    if oneIn(3) || folders.isEmpty {
      let parent = oneIn(3) ? pick(folders) ?? root : root
      return "\(parent)/\(files.name())"
    }
    return pick(folders)
  }

  func aFormat() -> SampleFormat? { pick(StoryTests.formats.filter { files.has($0) }) }

  func tags(_ song: Int) -> [String: String] {
    guard let known = model.songs[song] else { return [:] }
    return [
      "title": known.title, "artist": "Somebody", "album": known.albumTitle,
      "album_artist": "Somebody", "track": "\(known.track)",
    ]
  }

  func retag(_ song: Int) throws {
    touched.insert(song)
    try files.retag(song, tags(song), picture: pick([0, 300, 20_000]) ?? 0)
  }

  // MARK: What changes no order

  func move() throws -> Bool {
    guard let song = pick(single), let folder = oneIn(3) ? "" : aFolder() else { return false }
    note("move \(song) to \(folder)")
    touched.insert(song)
    if oneIn(2) { try retitle(song) }
    try files.move(song, to: folder.isEmpty ? nil : folder)
    return true
  }

  private func retitle(_ song: Int) throws {
    note("with another title")
    model.songs[song]?.title = "Song \(nextNumber())"
    try retag(song)
  }

  func retag() throws -> Bool {
    guard let song = pick(single) else { return false }
    note("retag \(song)")
    try retitle(song)
    return true
  }

  func swap() throws -> Bool {
    guard let song = pick(single),
      let other = pick(single.filter { $0 != song && files.formats[$0] == files.formats[song] }),
      let one = files.paths[song]?.first, let two = files.paths[other]?.first,
      files.root(of: one) == files.root(of: two)
    else { return false }
    note("swap \(song) and \(other)")
    touched.formUnion([song, other])
    try files.swap(song, other)
    return true
  }

  func delete() throws -> Bool {
    guard
      let song = pick(model.songs.keys.filter { isFree($0) && files.paths[$0] != nil }.sorted()),
      let count = files.paths[song]?.count, count > 0
    else { return false }
    let file = Int.random(in: 0..<count, using: &chance)
    note("delete file \(file + 1) of \(count) of \(song)")
    touched.insert(song)
    try files.delete(song, file: file)
    model.songs[song]?.isGone = count == 1
    return true
  }

  func deleteAlbum() throws -> Bool {
    guard let album = pick(model.listedAlbums) else { return false }
    let songs = model.listed(album)
    guard songs.allSatisfy(single.contains) else { return false }
    note("delete album \(album)")
    for song in songs {
      touched.insert(song)
      try files.delete(song, file: 0)
      model.songs[song]?.isGone = true
    }
    return true
  }

  func restore() throws -> Bool {
    guard let song = pick(files.trash.keys.filter { !touched.contains($0) }.sorted()),
      let folder = aFolder()
    else { return false }
    // Some come back together, as from a backup.
    let rest = model.members(model.songs[song]?.album ?? 0).filter { other in
      other != song && files.trash[other] != nil && !touched.contains(other)
    }
    for song in [song] + (oneIn(2) ? rest : []) {
      note("restore \(song) to \(folder)")
      touched.insert(song)
      let title = model.albums[model.songs[song]?.album ?? 0]?.title ?? ""
      model.songs[song]?.albumTitle = title
      try files.restore(song, tags(song), to: folder)
      model.songs[song]?.isGone = false
    }
    return true
  }

  func replace() throws -> Bool {
    guard let song = pick(single), let format = aFormat(), format != files.formats[song] else {
      return false
    }
    note("replace \(song) by \(format)")
    touched.insert(song)
    try files.replace(song, by: format, tags(song))
    return true
  }

  /// The new file is there before the old one goes, and is a song of its own for that time.
  func replaceLater() throws -> Bool {
    try settle()
    guard let song = pick(single), let format = aFormat(), format != files.formats[song] else {
      return false
    }
    note("replace \(song) by \(format) at leisure")
    touched.insert(song)
    let old = files.paths[song] ?? []
    try files.add(song, format, tags(song))
    if !isDown { try client.sync() }
    for path in old { files.remove(path) }
    try settle()
    return true
  }

  func duplicate() throws -> Bool {
    guard let song = pick(single), let folder = aFolder() else { return false }
    note("duplicate \(song) in \(folder)")
    touched.insert(song)
    try files.duplicate(song, to: folder)
    return true
  }

  func renameFolder() throws -> Bool {
    guard let root = pick(onlineRoots), let folder = pick(files.folders(in: root)) else {
      return false
    }
    let inside = files.paths.filter { $0.value.contains { $0.hasPrefix("\(folder)/") } }.map(\.key)
    guard touched.isDisjoint(with: inside) else { return false }
    let parents = files.folders(in: root).filter { $0 != folder && !$0.hasPrefix("\(folder)/") }
    let new = "\(oneIn(3) ? pick(parents) ?? root : root)/\(files.name())"
    note("rename folder \(folder) to \(new)")
    touched.formUnion(inside)
    try files.renameFolder(folder, to: new)
    return true
  }
}
