@testable import LibraryModel

/// Editions, and what was there before (merge-rules.md 2).
extension PlainGroups {
  /// A song as it was before the look.
  struct Former {
    var group: PlainGroup
    /// Where its files were, as far as they can be looked at; none of a gone one.
    var paths: [String]
    var file: PlainFile
    var disc: Int
    var seen: Int64
    var isGone: Bool
    /// The first sight of its album.
    var albumSeen: Int64
    /// Other albums that keep a slot for it.
    var slots: [(group: PlainGroup, seen: Int64)]
  }

  /// What one album folder holds of a group.
  private struct Part {
    var folder: String
    var paths: [String]
    /// Those of them that are there for certain.
    var there: [String]
    /// The songs whose files are there as they were.
    var stayed: [Former] = []
    /// The song that tells its edition.
    var witness: Former?
    /// 0: its file is there as it was, 1: it is there, made anew, 2: its sound came, 3: its file
    /// was there, 4: nothing.
    var claim = 4
    var hasNews = false
    /// All its files are copies of songs that have another file.
    var holdsCopies = false

    var order: (Int, Int, Int64) { (holdsCopies ? 1 : 0, claim, witness?.seen ?? .max) }
    var isFixed: Bool { !hasNews && !holdsCopies }
  }

  /// Sets folders apart that hold the same disc and track with different sound.
  ///
  /// - Parameters:
  ///   - found: files that were read in this look.
  ///   - lost: files that were known, and are not there.
  ///   - absent: files that are not there either, and still waited for.
  ///   - isAway: whether a file can't be looked at.
  ///   - songs: all there were.
  mutating func setEditionsApart(
    found: Set<String>, lost: [String], absent: Set<String>, isAway: (String) -> Bool,
    songs: [Former]
  ) {
    func isThere(_ path: String) -> Bool { !absent.contains(path) && !isAway(path) }
    let tagged = groups.filter(\.value.isTagged)
    for (group, paths) in Dictionary(grouping: tagged.keys, by: { tagged[$0] }) {
      guard let group else { continue }
      let all = songs
      let songs = songs.filter { $0.group.base == group.base && $0.group.release == group.release }
      let parts = Dictionary(grouping: paths, by: folder).map { folder, paths in
        var part = Part(folder: folder, paths: paths, there: paths.filter { !absent.contains($0) })
        part.hasNews = found.union(lost).contains { self.folder($0) == folder }
        setWitness(&part, found, isThere, songs, back: goneBack(group, all, found))
        return part
      }
      judge(parts, songs)
    }
  }

  /// Songs of other groups that were retagged and have a slot in one of these, as songs of that.
  private func goneBack(
    _ group: PlainGroup, _ songs: [Former], _ found: Set<String>
  ) -> [Former] {
    songs.filter { song in
      song.file.sound != 0
        && song.paths.contains { found.contains($0) && files[$0]?.sound == song.file.sound }
    }.compactMap { song in
      let slots = song.slots.filter {
        $0.group.base == group.base && $0.group.release == group.release
      }
      guard let slot = slots.min(by: { ($0.seen, $0.group.edition) < ($1.seen, $1.group.edition) })
      else { return nil }
      var song = song
      song.group = slot.group
      return song
    }
  }

  private func setWitness(
    _ part: inout Part, _ found: Set<String>, _ isThere: (String) -> Bool, _ songs: [Former],
    back: [Former]
  ) {
    var stayed: [Former] = []
    var remade: [Former] = []
    var came: [Former] = []
    let were = songs.filter { $0.paths.first.map { folder($0) == part.folder } ?? false }
    for path in part.paths {
      guard let file = files[path] else { continue }
      let own = songs.filter { song in
        song.paths.contains(path)
          && (!found.contains(path) || (file.sound != 0 && file.sound == song.file.sound))
      }
      let others = songs.filter { song in
        file.sound != 0 && song.file.sound == file.sound
          && !song.paths.contains { files[$0]?.sound == file.sound && isThere($0) }
      }
      let slots = back.filter { $0.paths.contains(path) && file.sound == $0.file.sound }
      if !own.isEmpty {
        stayed += own
      } else if !others.isEmpty || !slots.isEmpty {
        came += others + slots
      } else {
        remade += were.filter { stem($0.paths[0]) == stem(path) }
      }
    }
    part.stayed = stayed
    part.holdsCopies =
      !stayed.isEmpty && remade.isEmpty && came.isEmpty
      && !stayed.contains { part.paths.contains($0.paths[0]) }
    for (claim, songs) in [stayed, remade, came, were].enumerated() where part.witness == nil {
      part.claim = songs.isEmpty ? 4 : claim
      part.witness = songs.min { ($0.seen, $0.group.edition) < ($1.seen, $1.group.edition) }
    }
  }

  private mutating func judge(_ parts: [Part], _ songs: [Former]) {
    let parts = parts.sorted { left, right in
      left.order == right.order ? isEarlier(left.folder, right.folder) : left.order < right.order
    }
    var editions: [String: String] = [:]
    func mayBe(_ part: Part, _ edition: String) -> Bool {
      !parts.contains { other in
        other.folder != part.folder && editions[other.folder] == edition && differ(other, part)
      }
    }
    // What nothing happened to stays; then each stays that may.
    for part in parts where part.isFixed { editions[part.folder] = part.witness?.group.edition }
    for part in parts where !part.isFixed {
      if let edition = part.witness?.group.edition, mayBe(part, edition) {
        editions[part.folder] = edition
      }
    }
    // Where most came from, if nothing there is in the way.
    for part in parts where part.hasNews {
      let back = homes(part).first { home in
        parts.contains { $0.folder != part.folder && editions[$0.folder] == home.edition }
          && mayBe(part, home.edition)
          && !songs.contains { $0.isGone && $0.group == home && isInTheWay($0, of: part) }
      }
      if let back { editions[part.folder] = back.edition }
    }
    // The first that is there and has room.
    for part in parts where editions[part.folder] == nil {
      let there = Set(editions.values).inByteOrder
      let own = [part.folder] + (2...9).map { "\(part.folder)//\($0)" }
      editions[part.folder] = (there + [""] + own).first { mayBe(part, $0) }
    }
    for part in parts {
      for path in part.paths { groups[path]?.edition = editions[part.folder] ?? "" }
    }
  }

  /// Older albums in which more than half of the songs that stayed keep slots, the oldest first.
  private func homes(_ part: Part) -> [PlainGroup] {
    guard let witness = part.witness, part.claim == 0 else { return [] }
    let slots = part.stayed.flatMap(\.slots).filter { home in
      home.group.base == witness.group.base && home.group.release == witness.group.release
        && (home.seen, home.group.edition) < (witness.albumSeen, witness.group.edition)
        && part.stayed.count { song in song.slots.contains { $0.group == home.group } } * 2
          > part.stayed.count
    }
    return slots.sorted { ($0.seen, $0.group.edition) < ($1.seen, $1.group.edition) }.map(\.group)
  }

  /// Whether both hold a disc and track, and no sound of it is the other's.
  private func differ(_ left: Part, _ right: Part) -> Bool {
    if let one = disc(left), let other = disc(right), one.name == other.name,
      one.number != other.number
    {
      return false
    }
    let (one, other) = (sounds(left), sounds(right))
    return one.contains { place, sounds in
      other[place].map { sounds.isDisjoint(with: $0) } ?? false
    }
  }

  private func disc(_ part: Part) -> (name: String, number: Int)? {
    let album = plainName(part.paths.first.flatMap { files[$0]?.tags.album } ?? "")
    guard let sibling = disc(part.folder, { plainName($0.album) == album }) else { return nil }
    let discs = part.paths.compactMap { files[$0]?.tags.disc }
    return discs.allSatisfy { $0 == sibling.number } ? sibling : nil
  }

  private func isInTheWay(_ song: Former, of part: Part) -> Bool {
    guard let track = song.file.tags.track, song.file.sound != 0 else { return false }
    return sounds(part)[[song.disc, track]].map { !$0.contains(song.file.sound) } ?? false
  }

  private func sounds(_ part: Part) -> [[Int]: Set<Int>] {
    var sounds: [[Int]: Set<Int>] = [:]
    for path in part.there {
      guard let file = files[path], file.sound != 0, let track = file.tags.track else { continue }
      sounds[[plainDisc(file, path), track], default: []].insert(file.sound)
    }
    return sounds
  }
}
