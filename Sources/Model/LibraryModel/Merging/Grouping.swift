/// Which songs are one album (see merge-rules.md). Pure: judged over whole folders.
enum Grouping {
  /// What the tags of a file say of its album, and on which of its discs it is.
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

  /// The family of each file of one album folder, by what its tags say.
  struct Families {
    fileprivate var byTags: [Tags: String] = [:]
    /// The families in which songs without an album tag stay: the folder's own and its tags'.
    fileprivate var known: Set<String>
    /// The family of new songs without an album tag.
    fileprivate var arriving: String

    /// - Parameter former: the family that the song has had without an album tag; nil for a song
    ///   that arrives, or had one.
    func family(of tags: Tags, former: String? = nil) -> String {
      if let family = byTags[tags] { return family }
      // What arrives takes no songs from an album that is there.
      if let former, known.contains(former) { return former }
      return arriving
    }
  }

  /// - Parameters:
  ///   - counts: how many files of the folder say what.
  ///   - isAlbum: whether songs without an album tag are an album of the folder already.
  static func families(
    of counts: [Tags: Int], in folder: AlbumFolder, isAlbum: Bool = false
  ) -> Families {
    // Whose album it is, said by the songs of the folder that say so.
    var tagged: [String: [String: Int]] = [:]
    let own = GroupKey.folder(folder)
    var families = Families(known: [own], arriving: own)
    for (tags, count) in counts where !tags.album.isEmpty && !tags.artist.isEmpty {
      let family = GroupKey.tagged(artist: tags.artist, album: tags.album)
      families.byTags[tags] = family
      tagged[folded(tags.album), default: [:]][family, default: 0] += count
    }
    let artistless = counts.keys.filter { !$0.album.isEmpty && $0.artist.isEmpty }
    // A folder is no disc where any of its songs says another one. Not asked of each album alone:
    // where a part of one is retitled, what is left keeps its group.
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

  /// The family that most songs name; of equals the first in byte order.
  private static func mostUsed(_ counts: [String: Int]) -> String? {
    counts.max { ($0.value, $1.key) < ($1.value, $0.key) }?.key
  }

  // MARK: Editions

  /// What one album folder holds of a tagged family.
  struct Part {
    var folder: AlbumFolder
    /// Whether something was found or missed in the folder: no other one changes its edition.
    var hasNews = true
    /// Whether it holds nothing but copies of songs in other folders: then it has no group to lose.
    var holdsCopies = false
    /// The edition it is in already; nil for a folder that is new to the family.
    var wish: Wish?
    /// Older editions that most of its songs came from, the oldest first.
    var homes: [Home] = []
    /// MusicBrainz release ids and how many songs have each.
    var releases: [String: Int] = [:]
    var sounds = Sounds()
    /// The disc by the folder's name; nil if the songs' tags say another one.
    var disc: FolderDisc?

    /// Whether the other folder holds another disc of the same album.
    fileprivate func isBeside(_ other: Part) -> Bool {
      guard let disc, let another = other.disc else { return false }
      return disc.siblings == another.siblings && disc.number != another.number
    }

    /// What most of its songs say, of equals the first; empty where none says one. Never what
    /// another folder says: no group changes by what arrives there.
    var release: String {
      releases.max { ($0.value, $1.key) < ($1.value, $0.key) }?.key ?? ""
    }
  }

  /// An edition, and what ties a folder to it.
  struct Wish: Comparable {
    var claim: Claim
    /// When the song that tells so was seen first.
    var seen: Int64
    var edition: String

    static func < (left: Wish, right: Wish) -> Bool {
      (left.claim.rawValue, left.seen, left.edition)
        < (right.claim.rawValue, right.seen, right.edition)
    }
  }

  /// Why a folder is in an edition, the best reason first.
  enum Claim: Int {
    /// A file of the edition is there as it was.
    case stays
    /// A file of the edition is there, made anew.
    case remade
    /// The sound of one of its songs that are without a file came there.
    case arrived
    /// The folder held files of the edition, and holds others now.
    case held
  }

  /// An edition that keeps slots for songs of a folder which left it.
  struct Home {
    var edition: String
    /// Sounds of its songs that are gone.
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

    /// Whether the two hold the same disc and track with different sound.
    func differ(from other: Sounds) -> Bool {
      bySlot.contains { slot, sounds in
        other.bySlot[slot].map { sounds.isDisjoint(with: $0) } ?? false
      }
    }
  }

  /// The edition of each part (merge-rules.md, 2).
  ///
  /// What nothing happened to keeps its own. Of the others, those with the best claims come first,
  /// then what was seen first, then by folder; last, those that hold only copies. Each stays where
  /// it is unless it differs from a folder that is there by now. One that has to leave, or is new,
  /// joins the first edition that has a folder and in which it differs from nothing; else it is the
  /// plain one, or begins one of its own. One that left goes back when nothing is in its way any
  /// more.
  static func editions(of parts: [Part]) -> [AlbumFolder: String] {
    func rank(_ part: Part) -> (Int, Int, Int64, AlbumFolder) {
      (
        part.holdsCopies ? 1 : 0, part.wish?.claim.rawValue ?? .max, part.wish?.seen ?? .max,
        part.folder
      )
    }
    let parts = parts.sorted { rank($0) < rank($1) }
    var judging = Editions()
    // During a first scan nothing is in an edition yet, whatever came before.
    func isFixed(_ part: Part) -> Bool {
      part.wish != nil && !part.hasNews && !part.holdsCopies
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
      if let wish = part.wish { put(part, in: wish.edition) }
    }

    /// Lets a part stay in the edition it is in, if it may.
    mutating func keep(_ part: Part) {
      guard let edition = part.wish?.edition, release(in: edition) == part.release,
        takes(part, edition)
      else { return }
      put(part, in: edition)
    }

    /// Lets a part go home, only to an edition that is there: another folder may hold what set the
    /// two apart.
    mutating func goHome(_ part: Part) {
      let home = part.homes.first { home in
        release(in: home.edition) == part.release && parts[home.edition]?.isEmpty == false
          && takes(part, home.edition) && !home.gone.differ(from: part.sounds)
      }
      if let home { put(part, in: home.edition) }
    }

    /// Finds an edition for a part that has none yet.
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
        // No folder is called so.
        label = "\(part.release) \(part.folder.key)//\(number)"
      }
      put(part, in: label)
    }

    /// An edition is a release, or that and a folder.
    private func release(in edition: String) -> String { String(edition.prefix { $0 != " " }) }
  }
}
