@testable import LibraryModel

/// What one merge is told, as the specification sees it.
struct PlainLook {
  /// Every file that is known to be there; where a place can't be looked at, as it was last seen.
  var files: [String: PlainFile]
  /// New at their path, or changed.
  var found: Set<String>
  /// Known before.
  var known: Set<String>
  /// Not there at the moment, and still waited for: what becomes of it nobody knows yet. Its song
  /// may be found at a free file meanwhile, and takes nothing from others.
  var absent: Set<String> = []
  var away: Set<String> = []
  /// The configured music folders.
  var roots: [String] = [PlainFolder.root]
  /// The folder that was looked at.
  var root = PlainFolder.root
  /// Renames that the kernel reported, by the new path.
  var renames: [String: String] = [:]
  /// The time of the look.
  var seen: Int64
  var isFirstScan = false
  var endsFirstScan = false
  var newAlbums: String?

  func isConfigured(_ path: String) -> Bool { roots.contains { isInside(path, $0) } }

  func isAway(_ path: String) -> Bool { away.contains { isInside(path, $0) } }
}

/// Gives ids to what is new.
struct PlainNaming {
  /// The song whose file is at the path.
  var song: (String) -> SongID?
  /// The album of the song.
  var album: (SongID) -> AlbumID?
}

/// The merge of specification 1.2 to 1.4, by simple loops over everything.
struct PlainMerge {
  /// The files that are one song: the same sound in the same group.
  struct Piece {
    var group: PlainGroup
    var sound: Int
    /// In byte order; those that can't be looked at now last.
    var paths: [String]
    /// Without those.
    var there: [String]
  }

  typealias Song = PlainLibrary.Song
  typealias Album = PlainLibrary.Album

  let old: PlainLibrary
  var look: PlainLook
  let naming: PlainNaming
  var now: PlainLibrary
  var groups: [String: PlainGroup] = [:]
  var pieces: [Piece] = []
  var pieceAt: [String: Int] = [:]
  /// The piece that a song has, and the other way round.
  var has: [SongID: Int] = [:]
  var holder: [Int: SongID] = [:]
  /// Younger songs whose file became another's.
  var gaveWay: Set<SongID> = []
  /// Songs that took the place of one that went back to a slot.
  var successors: [SongID: (of: SongID, in: AlbumID)] = [:]
  /// Album of each song of old, as long as it isn't forgotten.
  var homes: [SongID: AlbumID] = [:]
  var nextName: UInt64 = 1 << 58

  static func merge(
    _ look: PlainLook, into old: PlainLibrary, naming: PlainNaming
  ) -> PlainLibrary {
    var look = look
    var merge = PlainMerge(old: old, look: look, naming: naming, now: old)
    merge.recogniseAll()
    // Who is found elsewhere is not waited for any longer: it is judged without those files.
    while case let left = merge.leftBehind, !left.isEmpty {
      for path in left { look.files[path] = nil }
      look.absent.subtract(left)
      merge = PlainMerge(old: old, look: look, naming: naming, now: old)
      merge.recogniseAll()
    }
    merge.follow()
    merge.place()
    return merge.now
  }

  private var leftBehind: [String] {
    old.songs.values.filter { has[$0.id] != nil }.flatMap(\.paths).filter(look.absent.contains)
  }

  private mutating func recogniseAll() {
    judge()
    gather()
    recognise()
  }

  // MARK: Groups and pieces

  private mutating func judge() {
    let (look, old) = (look, old)
    func untagged(_ path: String, _ file: PlainFile, _ folder: String) -> PlainGroup? {
      if look.isFirstScan { return nil }
      let songs = old.songs.values.filter(\.file.tags.album.isEmpty)
      // A file to which nothing happened stays with its song, whose own file may be tagged.
      let own = (look.found.contains(path) ? songs : Array(old.songs.values))
        .first { !$0.isGone && $0.paths.contains(path) }
      let alike = songs.first { song in
        file.sound != 0 && song.file.sound == file.sound
          && plainAlbumFolder(song.path, roots: look.roots) == folder
      }
      let original = old.songs.values.first { song in
        !song.isGone && song.paths.contains { $0 != path && stem($0) == stem(path) }
          && abs(song.file.milliseconds - file.milliseconds) <= 2_000
      }
      return (own ?? alike ?? original).flatMap { old.group(of: $0) }
    }
    var judged = PlainGroups(
      look.files, roots: look.roots, untagged: untagged,
      albums: look.isFirstScan ? [] : Set(old.albums.values.map(\.group.base)))
    let songs = old.songs.values.compactMap { song -> PlainGroups.Former? in
      guard let album = old.albums[song.album] else { return nil }
      let slots = old.albums.values.filter { $0.id != album.id && $0.entries.contains(song.id) }
      return PlainGroups.Former(
        group: album.group, paths: song.isGone ? [] : song.paths, file: song.file,
        disc: song.disc, seen: song.seen, isGone: song.isGone, albumSeen: album.seen,
        slots: slots.map { ($0.group, $0.seen) })
    }
    judged.setEditionsApart(
      found: look.found, lost: look.known.filter { look.files[$0] == nil }, absent: look.absent,
      isAway: look.isAway, songs: songs)
    groups = judged.groups
  }

  private mutating func gather() {
    for path in look.files.keys.inByteOrder {
      if look.absent.contains(path) { continue }
      guard let file = look.files[path], let group = groups[path] else { continue }
      let fit = pieces.indices.first { index in
        file.sound != 0 && pieces[index].sound == file.sound && pieces[index].group == group
          && !pieces[index].paths.contains { isOtherTrack($0, path) }
      }
      if let fit {
        pieces[fit].paths.append(path)
      } else {
        pieces.append(Piece(group: group, sound: file.sound, paths: [path], there: []))
      }
    }
    for index in pieces.indices {
      let paths = pieces[index].paths
      pieces[index].there = paths.filter { !look.isAway($0) }
      pieces[index].paths = pieces[index].there + paths.filter(look.isAway)
      for path in paths { pieceAt[path] = index }
    }
  }

  /// In one album folder, with different track numbers.
  private func isOtherTrack(_ left: String, _ right: String) -> Bool {
    guard let one = look.files[left], let other = look.files[right],
      plainAlbumFolder(left, roots: look.roots) == plainAlbumFolder(right, roots: look.roots)
    else { return false }
    // Without track numbers they are not different ones.
    if one.tags.track == nil, other.tags.track == nil { return false }
    return one.tags.track != other.tags.track || plainDisc(one, left) != plainDisc(other, right)
  }

  // MARK: What becomes of the songs

  /// A song is where its piece is; one without a piece is gone, or offline.
  private mutating func follow() {
    homes = old.songs.mapValues(\.album)
    for id in forgotten {
      now.songs[id] = nil
      homes[id] = nil
      for album in now.albums.keys { now.albums[album]?.entries.removeAll { $0 == id } }
    }
    for id in now.albums.values.filter(\.entries.isEmpty).map(\.id) { now.removeAlbum(id) }
    for song in old.songs.values where has[song.id] == nil && !isWaiting(song) {
      if isOffline(song) {
        // A copy that is away as well is still its copy.
        let piece = pieceAt[song.path].map { pieces[$0] }
        let others = piece.map { $0.there.isEmpty ? $0.paths : [] } ?? []
        now.songs[song.id]?.paths = [song.path] + others.filter { $0 != song.path }
      } else if case let copies = copiesAway(song), let copy = copies.first {
        // Another file of those that are one song takes over, though it is away.
        now.songs[song.id]?.paths = copies
        if let file = look.files[copy] { now.songs[song.id]?.file = file }
      } else {
        now.songs[song.id]?.isGone = true
        now.songs[song.id]?.paths = [song.path]
      }
    }
    for index in pieces.indices where !pieces[index].there.isEmpty { follow(index) }
    // What another song has by now is no file of one that is waited for.
    for song in old.songs.values where has[song.id] == nil && isWaiting(song) {
      func isKnown(_ path: String) -> Bool { look.files[path] != nil || look.isAway(path) }
      var others = song.paths.dropFirst().filter { path in
        isKnown(path) && pieceAt[path].flatMap { holder[$0] } == nil
      }
      var own = song.path
      // What is waited for no longer, or is another song's, gives its place to what is.
      if !isKnown(own) || pieceAt[own].flatMap({ holder[$0] }) != nil,
        let other = others.filter(look.absent.contains).inByteOrder.first
      {
        others.removeAll { $0 == other }
        own = other
        if let file = look.files[own] { now.songs[song.id]?.file = file }
      }
      now.songs[song.id]?.paths = [own] + others
    }
  }

  /// A song's files that can't be looked at now, where no other file goes with them.
  private func copiesAway(_ song: Song) -> [String] {
    song.paths.filter { path in
      look.isAway(path) && look.files[path]?.sound == song.file.sound
        && pieceAt[path].map { pieces[$0].there.isEmpty } == true
    }.inByteOrder
  }

  /// An offline song that nothing becomes of keeps its own file.
  private func isKept(_ path: String, from id: SongID) -> Bool {
    old.songs.values.contains { song in
      song.id != id && !song.isGone && song.path == path && has[song.id] == nil && isOffline(song)
    }
  }

  private mutating func follow(_ index: Int) {
    let piece = pieces[index]
    if let id = holder[index] {
      guard let song = old.songs[id] else { return }
      let own = piece.there.contains(song.path) ? song.path : piece.paths[0]
      let others = piece.paths.filter { $0 != own && !isKept($0, from: id) }
      now.songs[id]?.paths = [own] + others
      if let file = look.files[own] { now.songs[id]?.file = file }
      now.songs[id]?.isGone = false
    } else {
      let own = piece.paths[0]
      guard let file = look.files[own] else { return }
      var id = naming.song(own)
      if id == nil || now.songs[id ?? SongID(number: 0)] != nil { id = SongID(number: fresh()) }
      guard let id else { return }
      let paths = piece.paths.filter { !isKept($0, from: id) }
      var added = look.seen
      if look.isFirstScan { added = min(added, file.modified, bornAt(file)) }
      now.songs[id] = Song(
        id: id, album: AlbumID(number: 0), paths: paths, file: file, added: added, seen: look.seen)
      holder[index] = id
      if let back = goneBack[index] { successors[id] = back }
    }
  }

  private func bornAt(_ file: PlainFile) -> Int64 {
    file.birth == 0 ? .max : file.birth / 1_000_000
  }

  mutating func fresh() -> UInt64 {
    nextName += 1
    return nextName
  }

  /// Songs that went back to a slot, by the piece they had: a new song takes that and their place.
  var goneBack: [Int: (of: SongID, in: AlbumID)] = [:]
  /// Songs that never were.
  var forgotten: Set<SongID> = []
}

extension PlainMerge {
  /// Whether a song's file can't be looked at: the folder or the mount is away, or in no setting
  /// any more.
  func isOffline(_ song: Song) -> Bool {
    !song.isGone
      && (look.isAway(song.path) || !look.isConfigured(song.path) || isStillToBeSeen(song.path))
  }

  /// Nobody knows yet what became of its file.
  func isWaiting(_ song: Song) -> Bool {
    !song.isGone && song.paths.contains(where: look.absent.contains)
  }

  /// Whether a path's music folder is configured again, and was not looked at yet.
  private func isStillToBeSeen(_ path: String) -> Bool {
    !isInside(path, look.root) && !look.known.contains(path) && look.files[path] == nil
  }

  /// The same, but for a folder that left the configuration, whose songs are found like vanished
  /// ones.
  func isBoundToFile(_ song: Song) -> Bool { isOffline(song) && look.isConfigured(song.path) }
}
