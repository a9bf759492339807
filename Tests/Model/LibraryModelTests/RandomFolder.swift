import TestSupport

@testable import LibraryModel

/// What may happen to a music folder, by chance.
extension PlainFolder {
  /// Folders as paths are written here: `Caf%C3%A9` and `Cafe%CC%81` are one name in two normal
  /// forms.
  private static let folders = [
    "m/a", "m/b", "m/c/d", "m/usb/e", "m/a/CD1", "m/a/CD2", "m/a", "m/b", "m/usb/e", "m/a",
    "m/Caf%C3%A9", "m/Cafe%CC%81", "m/100%25", "m/%01b",
  ]
  private static let titles = [
    "N1", "N2", "N3", "n1", "", "N1", "N2", "Stra\u{DF}e", "STRASSE", "Caf\u{E9}", "Cafe\u{301}",
    "\u{130}x", "\u{FB01}n", "fin", "100%", "a\u{1}b",
  ]
  private static let artists = ["X", "Y", "X feat. Z", "X", "Y", "Stra\u{DF}e", "STRASSE"]

  mutating func addAlbum(_ random: inout SeededGenerator) -> String {
    let folder = pick(Self.folders + ["m/f\(fresh())", "m/f\(fresh())"], &random)
    var tags = SongTags()
    tags.album = pick(Self.titles + ["A\(fresh())", "A\(fresh())"], &random)
    tags.artist = pick(Self.artists, &random)
    if Bool.random(using: &random) { tags.albumArtist = tags.artist }
    tags.date = pick(["", "1959", "1976-03-01"], &random)
    let count = [1, 2, 2, 3, 4].randomElement(using: &random) ?? 1
    let isNumbered = Int.random(in: 0..<8, using: &random) > 0
    for track in 1...count { addSong(folder, tags, track: isNumbered ? track : nil, &random) }
    return "new album \(tags.album) by \(tags.albumArtist) of \(count) in \(folder)"
  }

  /// Now and then of a sound that is there already, of none, or titled alike.
  private mutating func addSong(
    _ folder: String, _ tags: SongTags, track: Int?, _ random: inout SeededGenerator
  ) {
    var tags = tags
    tags.title = Int.random(in: 0..<8, using: &random) == 0 ? "Interlude" : "T\(fresh())"
    tags.track = track
    let path = "\(folder)/\(track ?? fresh()).flac"
    var sound: Int?
    switch Int.random(in: 0..<24, using: &random) {
    case 0: sound = 0
    case 1: sound = paths.randomElement(using: &random).flatMap { files[$0]?.sound }
    default: break
    }
    put(files[path] == nil ? path : "\(folder)/\(fresh()).flac", tags, sound: sound)
  }

  /// - Returns: what happened, in words.
  mutating func change(_ random: inout SeededGenerator) -> String {
    let there = paths.filter { !isAway($0) }
    guard let path = there.randomElement(using: &random) else {
      away = []
      return addAlbum(&random)
    }
    let folder = parent(path)
    let around = there.filter { isInside($0, folder) }
    switch Int.random(in: 0..<30, using: &random) {
    case 0: return addAlbum(&random)
    case 1:
      addSong(
        folder, files[path]?.tags ?? SongTags(), track: Int.random(in: 1...5, using: &random),
        &random)
      return "new song in \(folder)"
    case 2:
      remove([path])
      return "delete \(path)"
    case 3:
      remove(around)
      return "delete \(folder)"
    case 4, 5:
      if bin.isEmpty { return "nothing" }
      restore(Int.random(in: bin.indices, using: &random))
      return "restore"
    case 6: return rename(path, to: "\(folder)/r\(fresh()).flac")
    case 7: return rename(path, to: "\(pick(Self.folders, &random))/r\(fresh()).flac")
    case 8, 9:
      let new = pick(["m/g\(fresh())", "m/g\(fresh())"] + Self.folders, &random)
      if new == folder || new.hasPrefix(folder) || files.keys.contains(where: { isInside($0, new) })
      {
        return "nothing"
      }
      moveFolder(folder, to: new)
      return "move folder \(folder) to \(new)"
    case 10, 11, 12: return retagOne(path, &random)
    case 13, 14, 15: return retagAll(around, folder, &random)
    case 16:
      let new = "\(pick(Self.folders, &random))/r\(fresh()).flac"
      let words = retagOne(path, &random)
      return words + ", " + rename(path, to: new)
    case 17:
      guard let old = files[path] else { break }
      remove([path])
      put(path + ".mp3", old.tags, milliseconds: old.milliseconds + 1500)
      return "replace \(path) by another format"
    case 18:
      guard let other = there.filter({ $0 != path }).randomElement(using: &random) else { break }
      swap(path, other)
      return "swap \(path) and \(other)"
    case 19:
      let new = "\(pick(Self.folders + [folder, folder], &random))/c\(fresh()).flac"
      copy(path, to: new)
      return "copy \(path) to \(new)"
    case 20:
      let new = sound()
      files[path]?.sound = new
      return "repair \(path)"
    case 21:
      let title = "T\(fresh())"
      var tags = files[path]?.tags ?? SongTags()
      (tags.title, tags.track) = (title, Int.random(in: 5...9, using: &random))
      put(path, tags)
      return "another song \(title) at \(path)"
    case 22: return makeEdition(around, &random)
    case 23...27: return work(around, folder, &random)
    default: return unplug(&random)
    }
    return "nothing"
  }

  private mutating func rename(_ old: String, to new: String) -> String {
    move(old, to: new)
    return "move \(old) to \(new)"
  }

  private mutating func retagOne(_ path: String, _ random: inout SeededGenerator) -> String {
    let (title, album) = ("T\(fresh())", pick(Self.titles, &random))
    let track = Int.random(in: 0...5, using: &random)
    let artist = pick(Self.artists + [""], &random)
    switch Int.random(in: 0..<6, using: &random) {
    case 0: retag(path) { $0.title = title }
    case 1: retag(path) { $0.track = track }
    case 2: retag(path) { $0.disc = track % 3 }
    case 3: retag(path) { $0.albumArtist = artist }
    case 4: retag(path) { $0.artist = artist }
    default: retag(path) { $0.album = album }
    }
    guard let tags = files[path]?.tags else { return "nothing" }
    return "retag \(path): \(tags.title), disc \(tags.disc ?? 0), track \(tags.track ?? 0),"
      + " album \(tags.album) by \(tags.albumArtist)"
  }

  private mutating func retagAll(
    _ chosen: [String], _ folder: String, _ random: inout SeededGenerator
  ) -> String {
    let album = pick(Self.titles + ["A\(fresh())", "A\(fresh())", "A\(fresh())"], &random)
    let artist = pick(Self.artists + [""], &random)
    let isArtist = Int.random(in: 0..<4, using: &random) == 0
    // One file after the other, perhaps not to the end.
    let part = Bool.random(using: &random) ? chosen : chosen.filter { _ in random.next() % 3 > 0 }
    for path in part {
      retag(path) { tags in
        if isArtist { tags.albumArtist = artist } else { tags.album = album }
      }
    }
    return "retag \(part) \(isArtist ? "by \(artist)" : "album \(album)")"
  }

  /// The same album once more in another folder, with other sound.
  private mutating func makeEdition(
    _ chosen: [String], _ random: inout SeededGenerator
  ) -> String {
    if Int.random(in: 0..<4, using: &random) > 0 { return "nothing" }
    let folder = "m/e\(fresh())"
    for path in chosen {
      guard let file = files[path] else { continue }
      put("\(folder)/\(fileName(path))", file.tags)
    }
    return "another edition of \(chosen) in \(folder)"
  }

  /// The ways of tools and movers, to the end or as far as a look gets to see.
  private mutating func work(
    _ chosen: [String], _ folder: String, _ random: inout SeededGenerator
  ) -> String {
    let chosen = Bool.random(using: &random) ? chosen : Array(chosen.prefix(1))
    let (new, album, track) = ("m/w\(fresh())", pick(Self.titles, &random), fresh())
    let isAlbum = Bool.random(using: &random)
    func change(_ tags: inout SongTags) {
      if isAlbum { tags.album = album } else { tags.track = track }
    }
    let way = Int.random(in: 0..<5, using: &random)
    for path in chosen {
      let (name, isHalf) = (fileName(path), Int.random(in: 0..<6, using: &random) == 0)
      switch way {
      case 0:
        copy(path, to: "\(folder)/tmp_\(name)", change)
        if !isHalf { move("\(folder)/tmp_\(name)", to: path) }
      case 1:
        move(path, to: "\(folder)/orig_\(name)")
        copy("\(folder)/orig_\(name)", to: path, change)
        if !isHalf { remove(["\(folder)/orig_\(name)"]) }
      case 2:
        copy(path, to: "\(new)/\(name)")
        if !isHalf { remove([path]) }
      case 3: copy(path, to: "\(new)/\(name)")
      default:
        guard let file = files[path] else { continue }
        put(stem(path) + ".mp3", file.tags, milliseconds: file.milliseconds + 500)
        if !isHalf { remove([path]) }
      }
    }
    let ways = [
      "over by a temporary", "by way of an original", "copied away", "copied", "converted",
    ]
    return "\(ways[way]): \(chosen), album \(album), track \(track), in \(new)"
  }

  /// What somebody does on another computer to what is away.
  private mutating func changeElsewhere(_ random: inout SeededGenerator) -> String {
    let there = paths.filter(isAway)
    guard let path = there.randomElement(using: &random), parent(path) != Self.root,
      parent(path) != Self.mount
    else { return "nothing" }
    let new = parent(path) + "-\(fresh())"
    moveFolder(parent(path), to: new)
    return "move folder \(parent(path)) to \(new), which is away"
  }

  private mutating func unplug(_ random: inout SeededGenerator) -> String {
    if !away.isEmpty, Bool.random(using: &random) { return changeElsewhere(&random) }
    let place = pick([Self.mount, Self.mount, Self.root], &random)
    if away.remove(place) == nil { away.insert(place) }
    return "\(place) goes or comes"
  }

  private func pick(_ names: [String], _ random: inout SeededGenerator) -> String {
    names[Int.random(in: names.indices, using: &random)]
  }
}
