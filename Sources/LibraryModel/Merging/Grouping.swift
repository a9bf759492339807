/// Which songs are one album (see Documentation/merge-rules.md). Pure: judged over whole folders.
enum Grouping {
  /// The family of each file of one album folder, in the order given.
  static func families(
    of files: [(path: BytePath, tags: SongTags)], in folder: AlbumFolder
  ) -> [String] {
    // Whose album it is, said by the songs of the folder that say so.
    var tagged: [String: [String: Int]] = [:]
    for (_, tags) in files where !tags.album.isEmpty && !tags.albumArtist.isEmpty {
      let family = GroupKey.tagged(artist: tags.albumArtist, album: tags.album)
      tagged[folded(tags.album), default: [:]][family, default: 0] += 1
    }
    let named = files.map { (_, tags) -> String? in
      if tags.album.isEmpty { return nil }
      if !tags.albumArtist.isEmpty {
        return GroupKey.tagged(artist: tags.albumArtist, album: tags.album)
      }
      return tagged[folded(tags.album)].flatMap(mostUsed)
        ?? GroupKey.inFolder(folder, album: tags.album)
    }
    let albums = Set(named.compactMap { $0 })
    let rest = albums.count == 1 ? albums.first : nil
    return named.map { $0 ?? rest ?? GroupKey.folder(folder) }
  }

  /// The family that most songs name; of equals the first in byte order.
  private static func mostUsed(_ counts: [String: Int]) -> String? {
    counts.max { ($0.value, $1.key) < ($1.value, $0.key) }?.key
  }

  /// What one album folder holds of a tagged family.
  struct Part {
    var folder: AlbumFolder
    /// The edition its songs are in already; nil for a folder that is new to the family.
    var edition: String?
    /// MusicBrainz release ids and how many songs have each.
    var releases: [String: Int] = [:]
    /// Sounds by disc and track.
    var sounds: [Slot: Set<AudioDigest>] = [:]
  }

  struct Slot: Hashable {
    var disc: Int
    var track: Int
  }

  /// The edition of each part. Parts that are in an edition already keep it where the rules allow it,
  /// so that what comes later never takes the place of what was there.
  static func editions(of parts: [Part]) -> [AlbumFolder: String] {
    let own = parts.map { part in
      part.releases.max { ($0.value, $1.key) < ($1.value, $0.key) }?.key ?? ""
    }
    let smallest = own.filter { !$0.isEmpty }.min() ?? ""
    // A folder without a release id stays with the release it is with, else joins the smallest.
    let releases = parts.indices.map { index in
      if !own[index].isEmpty { return own[index] }
      let known = parts[index].edition.map { String($0.prefix { $0 != " " }) } ?? ""
      return own.contains(known) ? known : smallest
    }
    var order = Array(parts.indices)
    order.sort { left, right in
      let (a, b) = (parts[left], parts[right])
      if (a.edition == nil) != (b.edition == nil) { return a.edition != nil }
      if let x = a.edition, let y = b.edition, x != y { return x < y }
      return a.folder < b.folder
    }
    var editions: [AlbumFolder: String] = [:]
    var classes: [(release: String, label: String, parts: [Int])] = []
    for index in order {
      let part = parts[index]
      let release = releases[index]
      let fitting = classes.firstIndex { known in
        known.release == release && known.parts.allSatisfy { !differ(parts[$0], part) }
      }
      if let fitting {
        classes[fitting].parts.append(index)
        editions[part.folder] = classes[fitting].label
      } else {
        let isFirst = !classes.contains { $0.release == release }
        let label = isFirst ? release : "\(release) \(part.folder.key)"
        classes.append((release, label, [index]))
        editions[part.folder] = label
      }
    }
    return editions
  }

  /// Whether the two hold the same disc and track with different sound.
  private static func differ(_ left: Part, _ right: Part) -> Bool {
    left.sounds.contains { slot, sounds in
      guard let others = right.sounds[slot] else { return false }
      return sounds.isDisjoint(with: others)
    }
  }
}
