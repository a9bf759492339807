/// Which songs are one album (see Documentation/merge-rules.md). Pure: judged over whole folders.
enum Grouping {
  /// The family of each file of one album folder, in the order given, by what its tags say.
  static func families(
    of files: [(album: String, albumArtist: String)], in folder: AlbumFolder
  ) -> [String] {
    // Whose album it is, said by the songs of the folder that say so.
    var tagged: [String: [String: Int]] = [:]
    for tags in files where !tags.album.isEmpty && !tags.albumArtist.isEmpty {
      let family = GroupKey.tagged(artist: tags.albumArtist, album: tags.album)
      tagged[folded(tags.album), default: [:]][family, default: 0] += 1
    }
    let named = files.map { tags -> String? in
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
    /// What ties the folder to that edition.
    var claim = Claim.arrived
    /// Whether something was found in the folder, so that it may leave its edition by itself.
    var hasNews = true
    /// Songs that were in this edition's album from the first.
    var natives = 0
    /// MusicBrainz release ids and how many songs have each.
    var releases: [String: Int] = [:]
    /// Sounds by disc and track.
    var sounds: [Slot: Set<AudioDigest>] = [:]
  }

  /// Why a folder is in an edition, the weakest reason first.
  enum Claim: Int {
    /// Sounds of the edition's songs came there.
    case arrived
    /// It had files of the edition, and has others in their places.
    case remade
    /// A file of the edition is there as it was.
    case stays
  }

  struct Slot: Hashable {
    var disc: Int
    var track: Int
  }

  /// The edition of each part. Parts that are in an edition keep it where the rules allow it, so
  /// that what comes later never takes the place of what was there, and none changes by what comes
  /// to another folder. One that has only duplicates leaves where something comes to it that
  /// differs. Where two of one edition come to differ, the one with the best claim keeps
  /// it, then the one with the most songs that began there.
  static func editions(of parts: [Part]) -> [AlbumFolder: String] {
    let parts = parts.sorted { $0.folder < $1.folder }
    let releases = releases(of: parts)
    var classes: [EditionClass] = []
    var loose: [Int] = []
    let known = parts.indices.filter { parts[$0].edition != nil }
    func rank(_ index: Int) -> (String, Int, Int, Int) {
      let part = parts[index]
      return (part.edition ?? "", -part.claim.rawValue, -part.natives, index)
    }
    for index in known.sorted(by: { rank($0) < rank($1) }) {
      let label = parts[index].edition ?? ""
      let isItsOwn = label.prefix { $0 != " " } == releases[index]
      if let place = classes.firstIndex(where: { $0.label == label }) {
        let isKept =
          parts[index].claim == .stays && (!parts[index].hasNews || parts[index].natives > 0)
        if isItsOwn, isKept || classes[place].takes(index, parts) {
          classes[place].members.append(index)
          continue
        }
      } else if isItsOwn {
        classes.append(EditionClass(release: releases[index], label: label, members: [index]))
        continue
      }
      loose.append(index)
    }
    joinAlike(&classes, parts)
    for index in (loose + parts.indices.filter { parts[$0].edition == nil }).sorted() {
      let release = releases[index]
      let fitting = classes.firstIndex { $0.release == release && $0.takes(index, parts) }
      if let fitting {
        classes[fitting].members.append(index)
        continue
      }
      let labels = Set(classes.map(\.label))
      let label = labels.contains(release) ? "\(release) \(parts[index].folder.key)" : release
      classes.append(EditionClass(release: release, label: label, members: [index]))
    }
    var editions: [AlbumFolder: String] = [:]
    for one in classes { for index in one.members { editions[parts[index].folder] = one.label } }
    return editions
  }

  private struct EditionClass {
    var release: String
    var label: String
    var members: [Int]

    func takes(_ part: Int, _ parts: [Part]) -> Bool {
      members.allSatisfy { !differ(parts[$0], parts[part]) }
    }
  }

  private static func joinAlike(_ classes: inout [EditionClass], _ parts: [Part]) {
    func stays(_ one: EditionClass) -> Bool {
      one.members.contains { parts[$0].claim == .stays }
    }
    var joined: [EditionClass] = []
    for one in classes {
      let fitting = joined.firstIndex { other in
        other.release == one.release && one.members.allSatisfy { other.takes($0, parts) }
          && !(stays(one) && stays(other))
      }
      if let fitting {
        // Under the label that an album bears, not that of a song which only comes back.
        let natives = { (one: EditionClass) in one.members.contains { parts[$0].natives > 0 } }
        if natives(one), !natives(joined[fitting]) { joined[fitting].label = one.label }
        joined[fitting].members += one.members
      } else {
        joined.append(one)
      }
    }
    classes = joined
  }

  /// The release of each part: what most of its songs say; empty where none says one. Never what
  /// another folder says: no group changes by what arrives there.
  private static func releases(of parts: [Part]) -> [String] {
    parts.map { part in
      part.releases.max { ($0.value, $1.key) < ($1.value, $0.key) }?.key ?? ""
    }
  }

  /// Whether the two hold the same disc and track with different sound.
  private static func differ(_ left: Part, _ right: Part) -> Bool {
    left.sounds.contains { slot, sounds in
      guard let others = right.sounds[slot] else { return false }
      return sounds.isDisjoint(with: others)
    }
  }
}
