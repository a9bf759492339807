extension Library {
  /// Applies a player's version of a crate's list as an edit of the crate, merged with the changes
  /// since the player read it. Items that the edit did not move stay where they are now. A list
  /// can't remove songs, so no album is lost.
  ///
  /// - Parameter newAlbums: the crate that is kept while it is empty.
  package func decide(_ list: EditedList, newAlbums: String?) -> ListVerdict {
    guard let crate = crate(list.crate) else {
      return .refused("its crate is not there any more")
    }
    guard var taking = TakingList(list, crate, now: self) else {
      return .refused("it is not known which list it was made of")
    }
    if let reason = taking.refusal { return .refused(reason) }
    taking.arrangeAlbums()
    taking.arrangeSongs()
    taking.decision.dropEmptyCrates(except: newAlbums)
    taking.decision.touch(taking.moved)
    if !taking.decision.isEmpty, Transaction.isOrigin(list.name) {
      taking.decision.transaction.origin = list.name
    }
    taking.tell()
    return .taken(taking.decision, problem: taking.problem)
  }
}

/// The merge of one edited list, step by step.
private struct TakingList {
  private let now: Library
  private let crate: Crate
  private let name: String
  /// The songs of the version that the player had read.
  private let base: [SongID]
  /// The songs of the list that can be in the crate.
  private let written: GatheredSongs
  private let songCount: Int
  private let sorting: SortedLines
  var decision: Decision
  /// Albums that the edit moved.
  private(set) var moved: [AlbumID] = []
  private var putBack = 0

  /// Returns nil if there is no version to compare with.
  init?(_ list: EditedList, _ crate: Crate, now: Library) {
    let sorting = SortedLines(list, crate, now: now)
    guard let base = sorting.base else { return nil }
    self.base = base
    self.now = now
    self.crate = crate
    self.sorting = sorting
    name = list.name
    let arriving = Set(sorting.arrivals)
    let songs = sorting.known.filter { id in
      guard let album = now.songs[id]?.album else { return false }
      return now.albums[album]?.crate == crate.id || arriving.contains(album)
    }
    songCount = songs.count
    written = GatheredSongs(songs) { now.songs[$0]?.album }
    decision = Decision(library: now, by: .person)
  }

  var problem: String? {
    sorting.refused.isEmpty
      ? nil
      : "\(sorting.refused.count) albums of other crates were added, and none of them was taken:"
        + " more than \(EditedList.mostArrivals) at once are moved with `crate move`"
  }

  /// The reason to refuse a list that is shuffled or sorted by title. Users don't order albums like
  /// that.
  var refusal: String? {
    let isAstray =
      written.astray > EditedList.fewAstray
      && written.astray * EditedList.oneAstrayOf > songCount
    let isMixed =
      written.moreBlocks > EditedList.blocksOfDrag && written.split * 2 > written.albums.count
    if isAstray || isMixed {
      return "it mixes the songs of \(counted(written.split, "album"))"
    }
    return nil
  }

  mutating func arrangeAlbums() {
    let now = self.now
    let albums = merge(
      base: GatheredSongs(base) { home(of: $0) }.albums, wanted: written.albums,
      now: Array(crate.albums)
    ) { now.unlisted[$0] != nil }
    moved = albums.moved
    decision.arrange(albums.goal, in: crate, chosen: albums.carried)
  }

  /// Arranges the songs, but only of albums that the player had read in this list. The song order
  /// of an added album is the player's, and means nothing.
  mutating func arrangeSongs() {
    let now = self.now
    let read = GatheredSongs(base) { home(of: $0) }
    for id in read.albums {
      guard let album = now.albums[id], let before = read.songs[id] else { continue }
      let wanted = written.songs[id] ?? []
      if wanted == before { continue }
      putBack += Set(before).subtracting(wanted).count
      let songs = merge(base: before, wanted: wanted, now: now.members(of: album)) {
        now.songs[$0]?.isGone == true
      }
      decision.arrange(songs.goal, in: album, chosen: songs.carried)
    }
  }

  /// Returns the album of a song, if it is listed in this crate.
  private func home(of song: SongID) -> AlbumID? {
    guard let song = now.songs[song], !song.isGone, let album = now.albums[song.album],
      album.crate == crate.id
    else { return nil }
    return album.id
  }
}

// MARK: Telling

extension TakingList {
  mutating func tell() {
    decision.tell(.text, from: now)
    decision.transaction.notes += notes
  }

  private var notes: [String] {
    var notes: [String] = []
    if sorting.isOldCopy { notes.append(EditedList.oldCopy) }
    if decision.changes.isEmpty, sorting.isOfEarlier, !sorting.isOldCopy {
      notes.append(
        "it was made of an earlier list, and brings nothing new: the crate stays as it is")
    }
    for id in sorting.arrivals {
      guard let album = now.albums[id], let former = now.crate(album.crate) else { continue }
      notes.append("\(title(of: album)) came from crate \(former.name)")
    }
    for (id, count) in sorting.parts {
      guard let album = now.albums[id], let home = now.crate(album.crate) else { continue }
      notes.append(
        "left out \(counted(count, "song")) of \(title(of: album)), which is in crate \(home.name):"
          + " add all its songs to move it")
    }
    if written.astray > 0 {
      notes.append(
        "\(counted(written.astray, "song")) stood apart: an album stays whole, where most of it is")
    }
    if putBack > 0 {
      notes.append("put back \(counted(putBack, "song")): the music folder decides what is there")
    }
    if sorting.repeated > 0 {
      notes.append("left out \(counted(sorting.repeated, "song")) that the list has twice")
    }
    if !sorting.unknown.isEmpty {
      let shown = sorting.unknown.prefix(SortedLines.mostShown).joined(separator: ", ")
      let more = sorting.unknown.count - SortedLines.mostShown
      notes.append(
        "left out what is no song in a music folder: \(shown)"
          + (more > 0 ? " and \(more) more" : ""))
    }
    return notes
  }

  private func title(of album: Album) -> String { now.passingFace(of: album).title }
}

/// The lines of a list, sorted by what can be done with them.
private struct SortedLines {
  /// The most unknown lines that are shown.
  static let mostShown = 3

  /// The listed songs, each once.
  private(set) var known: [SongID] = []
  private(set) var base: [SongID]?
  /// Whether it is an earlier version without any edit.
  private(set) var isOldCopy = false
  /// Whether it was made of an earlier version.
  private(set) var isOfEarlier = false
  /// Albums of other crates all of whose songs are in the list.
  private(set) var arrivals: [AlbumID] = []
  /// The same albums, if they are too many to be intended.
  private(set) var refused: [AlbumID] = []
  /// Albums of other crates of which only some songs are in the list, with their number.
  private(set) var parts: [(AlbumID, Int)] = []
  let repeated: Int
  private(set) var unknown: [String] = []

  init(_ list: EditedList, _ crate: Crate, now: Library) {
    var seen: Set<SongID> = []
    var songLines = 0
    var foreign: [AlbumID: Int] = [:]
    var order: [AlbumID] = []
    for line in list.lines {
      switch line {
      case .unknown(let text): unknown.append(text)
      case .song(let id):
        guard let song = now.songs[id], !song.isGone else { continue }
        songLines += 1
        guard seen.insert(id).inserted else { continue }
        known.append(id)
        guard let album = now.albums[song.album], album.crate != crate.id else { continue }
        if foreign[album.id] == nil { order.append(album.id) }
        foreign[album.id, default: 0] += 1
      }
    }
    repeated = songLines - known.count
    base = nearestBase(of: known, among: list.bases, list.reading) { now.songs[$0]?.album }
    isOfEarlier = base != list.bases.last
    isOldCopy = isOfEarlier && base == known
    let read = Set(base ?? [])
    for id in order {
      guard let album = now.albums[id], let count = foreign[id] else { continue }
      let songs = now.listedSongs(of: album)
      // The player had read it here, and it has been moved to another crate since.
      if songs.contains(where: { read.contains($0.id) }) { continue }
      if count == songs.count { arrivals.append(id) } else { parts.append((id, count)) }
    }
    if arrivals.count > EditedList.mostArrivals { (refused, arrivals) = (arrivals, []) }
  }
}
