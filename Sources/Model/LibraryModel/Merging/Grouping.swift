/// The rules that decide which songs are one album (see merge-rules.md). Pure functions that judge
/// whole folders.
enum Grouping {
  /// The tags of a file that determine its album, and its disc.
  struct Tags: Hashable, Sendable {
    let album: String
    let artist: String
    let disc: Int?

    init(_ facts: FileFacts) {
      album = facts.album
      artist = facts.albumArtist
      disc = facts.disc
    }
  }

  /// The family of each file of one album folder, by its tags.
  struct Families {
    fileprivate var byTags: [Tags: String] = [:]
    /// The families in which songs without an album tag stay: the folder's own, and those of its
    /// tagged songs.
    fileprivate var known: Set<String>
    /// The family of new songs without an album tag.
    fileprivate var arriving: String

    /// - Parameter former: the former family of a song without an album tag. Nil for a new song, or
    ///   one that had an album tag.
    func family(of tags: Tags, former: String? = nil) -> String {
      if let family = byTags[tags] { return family }
      // New songs take no songs from an existing album.
      if let former, known.contains(former) { return former }
      return arriving
    }
  }

  /// - Parameters:
  ///   - counts: the number of files of the folder with each combination of tags.
  ///   - isAlbum: whether songs without an album tag are an album of the folder already.
  static func families(
    of counts: [Tags: Int], in folder: AlbumFolder, isAlbum: Bool = false
  ) -> Families {
    // The families of each album, as the folder's songs with an album artist name them.
    var tagged: [String: [String: Int]] = [:]
    let own = GroupKey.folder(folder)
    var families = Families(known: [own], arriving: own)
    for (tags, count) in counts where !tags.album.isEmpty && !tags.artist.isEmpty {
      let family = GroupKey.tagged(artist: tags.artist, album: tags.album)
      families.byTags[tags] = family
      tagged[folded(tags.album), default: [:]][family, default: 0] += count
    }
    let artistless = counts.keys.filter { !$0.album.isEmpty && $0.artist.isEmpty }
    // A folder is no disc if any of its songs has another disc number. This is not decided per
    // album, so that the rest of a partly retitled album keeps its group.
    let number = folder.disc?.number
    let isDisc = counts.keys.allSatisfy { $0.disc == nil || $0.disc == number }
    for tags in artistless {
      families.byTags[tags] =
        tagged[folded(tags.album)].flatMap(mostUsed)
        ?? GroupKey.inFolder(folder, isDisc: isDisc, album: tags.album)
    }
    let albums = Set(families.byTags.values)
    families.known.formUnion(albums)
    let untagged = counts.reduce(0) { $0 + ($1.key.album.isEmpty ? $1.value : 0) }
    let all = counts.values.reduce(0, +)
    if !isAlbum, albums.count == 1, let only = albums.first, untagged * 2 < all {
      families.arriving = only
    }
    return families
  }

  /// Returns the family that most songs have, of equals the first in byte order.
  private static func mostUsed(_ counts: [String: Int]) -> String? {
    counts.max { ($0.value, $1.key) < ($1.value, $0.key) }?.key
  }

  // MARK: Editions

  /// The files of a tagged family in one album folder.
  struct Part {
    var folder: AlbumFolder
    /// Whether a file was found or is missing in the folder. Other folders keep their editions.
    var hasNews = true
    /// Whether it contains only copies of songs in other folders. It then has no edition to keep.
    var holdsCopies = false
    /// Its present edition. Nil for a folder that is new to the family.
    var preference: Preference?
    /// Older editions that most of its songs came from, the oldest first.
    var homes: [Home] = []
    /// The number of songs with each MusicBrainz release id.
    var releases: [String: Int] = [:]
    var sounds = Sounds()
    /// The disc by the folder's name. Nil if a song's tags have another disc.
    var disc: FolderDisc?

    /// Whether the other folder contains another disc of the same album.
    fileprivate func isBeside(_ other: Part) -> Bool {
      guard let disc, let another = other.disc else { return false }
      return disc.siblings == another.siblings && disc.number != another.number
    }

    /// The release id that most of its songs have, of equals the first, or an empty string. It
    /// never depends on other folders, so that files arriving there change no group.
    var release: String {
      releases.max { ($0.value, $1.key) < ($1.value, $0.key) }?.key ?? ""
    }
  }

  /// An edition, and the reason why a folder is in it.
  struct Preference: Comparable {
    var claim: Claim
    /// The time at which the song that proves it was first seen.
    var seen: Int64
    var edition: String

    static func < (left: Preference, right: Preference) -> Bool {
      (left.claim.rawValue, left.seen, left.edition)
        < (right.claim.rawValue, right.seen, right.edition)
    }
  }

  /// The reason why a folder is in an edition, the strongest first.
  enum Claim: Int {
    /// A file of the edition exists unchanged.
    case stays
    /// A file of the edition exists, but was recreated.
    case remade
    /// The folder received the sound of one of its songs that have no file.
    case arrived
    /// The folder contained files of the edition, and contains others now.
    case held
  }

  /// An edition that keeps slots for songs of a folder that left it.
  struct Home {
    var edition: String
    /// The sounds of its gone songs.
    var gone = Sounds()
  }

  struct Slot: Hashable {
    var disc: Int
    var track: Int
  }

  /// The sounds of several songs, by disc and track.
  struct Sounds {
    private var bySlot: [Slot: Set<AudioDigest>] = [:]

    mutating func insert(_ digest: AudioDigest, at slot: Slot) {
      bySlot[slot, default: []].insert(digest)
    }

    /// Whether both have a disc and track with different sounds.
    func differ(from other: Sounds) -> Bool {
      bySlot.contains { slot, sounds in
        other.bySlot[slot].map { sounds.isDisjoint(with: $0) } ?? false
      }
    }
  }

  /// Returns the edition of each part (merge-rules.md, 2).
  ///
  /// 1. A part to which nothing happened keeps its edition.
  /// 2. The other parts are ordered by their claims, by the time at which they were first seen, and
  ///    by folder. Parts that contain only copies come last. Each keeps its edition if that has its
  ///    release, and no folder in it that the part differs from.
  /// 3. A part that had left an edition returns when nothing prevents it any more.
  /// 4. A part that has to leave its edition, or is new, joins the first edition that has a folder
  ///    and from which it does not differ. If there is none, it gets the plain edition, or a new
  ///    one.
  static func editions(of parts: [Part]) -> [AlbumFolder: String] {
    func rank(_ part: Part) -> (Int, Int, Int64, AlbumFolder) {
      (
        part.holdsCopies ? 1 : 0, part.preference?.claim.rawValue ?? .max,
        part.preference?.seen ?? .max,
        part.folder
      )
    }
    let parts = parts.sorted { rank($0) < rank($1) }
    var judging = Editions()
    // During a first scan no part has an edition yet, whatever arrived earlier.
    func isFixed(_ part: Part) -> Bool {
      part.preference != nil && !part.hasNews && !part.holdsCopies
    }
    for part in parts where isFixed(part) { judging.stay(part) }
    for part in parts where !isFixed(part) { judging.keep(part) }
    for part in parts where part.hasNews { judging.goHome(part) }
    for part in parts { judging.settle(part) }
    return judging.editions
  }

  /// The editions of a family while its folders are judged.
  private struct Editions {
    private(set) var editions: [AlbumFolder: String] = [:]
    private var parts: [String: [Part]] = [:]

    private mutating func put(_ part: Part, in edition: String) {
      if let former = editions.updateValue(edition, forKey: part.folder) {
        parts[former]?.removeAll { $0.folder == part.folder }
      }
      parts[edition, default: []].append(part)
    }

    private func takes(_ part: Part, _ edition: String) -> Bool {
      (parts[edition] ?? []).allSatisfy {
        $0.folder == part.folder || $0.isBeside(part) || !$0.sounds.differ(from: part.sounds)
      }
    }

    mutating func stay(_ part: Part) {
      if let preference = part.preference { put(part, in: preference.edition) }
    }

    /// Lets a part keep its edition, if possible.
    mutating func keep(_ part: Part) {
      guard let edition = part.preference?.edition, release(in: edition) == part.release,
        takes(part, edition)
      else { return }
      put(part, in: edition)
    }

    /// Returns a part to its former edition, but only if that still has a folder. Otherwise another
    /// folder may contain what distinguished the two.
    mutating func goHome(_ part: Part) {
      let home = part.homes.first { home in
        release(in: home.edition) == part.release && parts[home.edition]?.isEmpty == false
          && takes(part, home.edition) && !home.gone.differ(from: part.sounds)
      }
      if let home { put(part, in: home.edition) }
    }

    /// Finds an edition for a part without one.
    mutating func settle(_ part: Part) {
      if editions[part.folder] != nil { return }
      let there = parts.filter { release(in: $0.key) == part.release && !$0.value.isEmpty }
      if let fitting = there.keys.sorted().first(where: { takes(part, $0) }) {
        return put(part, in: fitting)
      }
      if takes(part, part.release) { return put(part, in: part.release) }
      var label = "\(part.release) \(part.folder.key)"
      var number = 1
      while !takes(part, label) {
        number += 1
        // No folder has such a name.
        label = "\(part.release) \(part.folder.key)//\(number)"
      }
      put(part, in: label)
    }

    /// Returns the release of an edition, which is a release, or a release and a folder.
    private func release(in edition: String) -> String { String(edition.prefix { $0 != " " }) }
  }
}
