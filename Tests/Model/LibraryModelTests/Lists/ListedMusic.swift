import ModelSupport
import TestSupport
import Testing

@testable import LibraryModel

/// Crates of albums, the lists that were written of them, and what players make of those.
struct ListedMusic {
  var library = Library()
  private var number: UInt64 = 0
  /// By crate: the lists that a player may have read, as the daemon keeps them.
  private(set) var bases: [String: [[SongID]]] = [:]

  /// - Parameter sizes: of each crate's albums.
  init(_ crates: [(String, sizes: [Int])]) throws {
    for (crate, sizes) in crates {
      try apply(.crateAdded(crate, after: library.crates.last?.name))
      for size in sizes { try add(album: size, to: crate) }
    }
    for (crate, _) in crates { write(crate) }
  }

  mutating func apply(_ changes: Change...) throws {
    for change in changes { try library.apply(change, by: .person) }
    library.advance(to: library.sequence + changes.count)
  }

  @discardableResult
  mutating func add(album size: Int, to crate: String) throws -> AlbumID {
    number += 1
    let album = AlbumID(number: number)
    try apply(
      .albumAdded(
        album, crate: crate, after: library.crate(named: crate)?.albums.last,
        group: GroupKey(family: "by\tArtist\tAlbum \(number)"), isFresh: false, seen: 0))
    for track in 1...size {
      number += 1
      let song = SongID(number: number)
      try apply(
        .songAdded(
          song, album: album, after: library.albums[album]?.entries.last,
          path: BytePath("/m/\(album)/\(track).flac"), digest: nil, added: 0, seen: 0))
      var tags = SongTags()
      (tags.title, tags.album) = ("Song \(number)", "Album \(album.number)")
      (tags.artist, tags.track) = ("Artist", track)
      let stamp = FileStamp(
        identity: FileIdentity(fileSystem: 1, inode: number, birth: 0), size: 1, modified: 0,
        changed: 0)
      library.attach(
        FileFacts(
          stamp: stamp, tags: tags, audio: AudioProperties(), digest: nil, format: "flac"),
        to: song)
    }
    return album
  }

  func albums(_ crate: String) -> [AlbumID] {
    library.crate(named: crate).map { Array($0.albums) } ?? []
  }

  func songs(of album: AlbumID) -> [SongID] {
    library.albums[album].map { library.listedSongs(of: $0).map(\.id) } ?? []
  }

  /// What is written of the crate now.
  func list(_ crate: String) -> [SongID] { albums(crate).flatMap { songs(of: $0) } }

  /// The daemon writes the crate's list.
  mutating func write(_ crate: String) {
    let list = list(crate)
    if bases[crate]?.last == list { return }
    bases[crate, default: []].append(list)
    bases[crate] = bases[crate]?.suffix(EditedList.mostBases)
  }

  /// The daemon removes the lists of crates that went.
  mutating func removeLists() {
    for name in bases.keys where library.crate(named: name) == nil { bases[name] = nil }
  }

  func verdict(
    _ lines: [EditedList.Line], _ crate: String, newAlbums: String? = nil,
    _ reading: EditedList.Reading = .held
  ) throws -> ListVerdict {
    let id = try #require(library.crate(named: crate)?.id)
    return library.decide(
      EditedList(
        name: "\(crate).m3u", crate: id, lines: lines, bases: bases[crate] ?? [], reading),
      newAlbums: newAlbums)
  }

  /// A player has written this list, and it is taken if it can be.
  ///
  /// - Returns: what was taken; nil where it was refused.
  @discardableResult
  mutating func take(
    _ songs: [SongID], _ crate: String, _ reading: EditedList.Reading = .held
  ) throws -> Decision? {
    let verdict = try verdict(songs.map { .song($0) }, crate, reading)
    guard case .taken(let decision, _) = verdict else { return nil }
    library = decision.library
    library.advance(to: library.sequence + decision.changes.count)
    var seen: Set<SongID> = []
    let read = Set((bases[crate] ?? []).joined())
    let home = library.crate(named: crate)?.id
    bases[crate] = [
      songs.filter { id in
        let album = library.songs[id].flatMap { library.albums[$0.album] }
        return seen.insert(id).inserted && (album?.crate == home || read.contains(id))
      }
    ]
    return decision
  }

  /// The person's own change.
  mutating func edit(_ edit: Edit) throws {
    let decision = try library.decide(edit, newAlbums: nil)
    library = decision.library
    library.advance(to: library.sequence + decision.changes.count)
  }
}

extension ListVerdict {
  var decision: Decision? { if case .taken(let decision, _) = self { decision } else { nil } }
  var problem: String? { if case .taken(_, let problem) = self { problem } else { nil } }
  var refusal: String? { if case .refused(let reason) = self { reason } else { nil } }
}

extension Array {
  /// Moves as players do: the one at a place to another place of the list without it.
  mutating func move(_ place: Int, to goal: Int) { insert(remove(at: place), at: goal) }
}
