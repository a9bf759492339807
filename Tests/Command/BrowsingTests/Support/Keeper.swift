import CratesInterface
import LibraryModel
import ModelSupport
import Ordering
import TestSupport

@testable import Browsing

/// A library that decides edits by the daemon's own rules, and tells what they came to as the
/// daemon does.
struct Keeper {
  private(set) var library = Library()
  private var history = UndoHistory()
  private var titles: [String: String] = [:]
  private var came: [String: Int] = [:]
  private var covers: [String: String] = [:]
  private(set) var sequence = 1
  private var songCount: UInt64 = 0

  /// Whether facts say which albums were moved, as the daemon does.
  var tellsMoves = false
  private var moved: Set<String> = []

  /// Songs of each album.
  private let songs: Int

  /// - Parameter crates: names, and the titles of their albums.
  init(_ crates: [(name: String, albums: [String])], songs: Int = 3) {
    self.songs = songs
    var last: String?
    for (name, albums) in crates {
      make([.crateAdded(name, after: last)])
      last = name
      for title in albums.reversed() { add(title, to: name) }
    }
    sequence = 1
    came = came.mapValues { _ in 1 }
  }

  static func id(_ title: String) -> LibraryModel.AlbumID {
    let number = title.utf8.reduce(UInt64(7)) { ($0 &* 31 &+ UInt64($1)) & 0xFFFF_FFFF }
    return AlbumID(number: number << 20 | 0x5_5555)
  }

  private mutating func make(_ changes: [Change]) {
    for change in changes {
      do {
        try library.apply(change, by: .folder)
      } catch {
        preconditionFailure("\(change): \(error)")
      }
    }
  }

  private mutating func changes(adding title: String, to crate: String) -> [Change] {
    let id = Self.id(title)
    titles["\(id)"] = title
    came["\(id)"] = sequence
    var changes: [Change] = []
    if library.crate(named: crate) == nil {
      changes.append(.crateAdded(crate, after: library.crates.last?.name))
    }
    changes.append(
      .albumAdded(
        id, crate: crate, after: nil, group: GroupKey(family: "folder\t\(title)", edition: ""),
        isFresh: true, seen: 0))
    for number in 0..<songs {
      songCount += 1
      changes.append(
        .songAdded(
          SongID(number: songCount << 20 | 0x5_5555), album: id, after: nil,
          path: BytePath("/m/\(title)/\(number).flac"), digest: nil, added: 1, seen: 1))
    }
    return changes
  }

  // MARK: What happens by itself

  /// An album comes in on top of a crate.
  @discardableResult
  mutating func add(_ title: String, to crate: String) -> Interface.Change {
    let before = library
    sequence += 1
    let changes = changes(adding: title, to: crate)
    make(changes)
    return told(changes, from: before, isPersons: false, albums: ["\(Self.id(title))"])
  }

  /// The folder loses an album, of which no place is kept.
  mutating func lose(_ title: String) -> Interface.Change {
    sequence += 1
    let move = Interface.Move(crate: nil, album: "\(Self.id(title))")
    return Interface.Change(sequence: sequence, isPersons: false, moves: [move])
  }

  /// An image comes to lie beside an album's songs, or goes, which is no change.
  mutating func setCover(of id: String, _ digest: String?) { covers[id] = digest }

  /// Another client's edit.
  mutating func edit(_ edit: LibraryModel.Edit) -> Interface.Change? {
    guard let decision = try? library.decide(edit, newAlbums: nil), !decision.changes.isEmpty
    else { return nil }
    return take(decision)
  }

  // MARK: What is asked

  mutating func answer(_ request: Call) -> (answer: Answer, told: Interface.Change?) {
    switch request {
    case .undo(_, _, let change, _, _, _):
      moved = []
      guard let last = history.undoable.last, change == nil || change == last.sequence,
        let decision = library.decideUndo([last], newAlbums: nil)
      else { return (.refused("there is nothing to undo"), nil) }
      let told = take(decision)
      return (.done(told), told)
    case .redo:
      guard let decision = library.decideRedo(history, newAlbums: nil) else {
        return (.refused("there is nothing to redo"), nil)
      }
      let told = take(decision)
      return (.done(told), told)
    default: break
    }
    if case .moveAlbums(let ids, _, _, _, _, _) = request { moved.formUnion(ids) }
    do {
      let decision = try library.decide(edit(request), newAlbums: nil)
      if decision.changes.isEmpty {
        return (.done(Interface.Change(isChange: false, sequence: sequence)), nil)
      }
      let told = take(decision)
      return (.done(told), told)
    } catch {
      return (.refused("\(error)"), nil)
    }
  }

  private func edit(_ request: Call) -> LibraryModel.Edit {
    switch request {
    case .moveAlbums(let ids, let place, let crate, _, _, _):
      .moveAlbums(ids.map(album), place?.place.mapped(album), crate: crate)
    case .moveSongs(let ids, let place, _, _, _):
      .moveSongs(ids.map(song), place.place.mapped(song))
    case .moveCrate(let crate, let place, _, _): .moveCrate(crate, place.place)
    case .renameCrate(let crate, let name, _, _): .renameCrate(crate, to: name)
    case .sortAlbums(let ids, _, _, _, _): .sortAlbums(ids.map(album), .reversed)
    case .sortSongs(let ids, _, _, _, _): .sortSongs(ids.map(song), .reversed)
    default: .forget(songs: [], albums: [], all: true)
    }
  }

  private func album(_ id: String) -> LibraryModel.AlbumID { AlbumID(id) ?? AlbumID(number: 0) }
  private func song(_ id: String) -> SongID { SongID(id) ?? SongID(number: 0) }

  private mutating func take(_ decision: Decision) -> Interface.Change {
    let before = library
    library = decision.library
    sequence += 1
    history.follow(decision.transaction.at(sequence))
    return told(decision.changes, from: before, isPersons: true, albums: [])
  }

  private func told(
    _ changes: [Change], from before: Library, isPersons: Bool, albums: [String]
  ) -> Interface.Change {
    let (moves, isWhole) = Library.listedMoves(of: changes, from: before, to: library, most: 1_000)
    return Interface.Change(
      sequence: sequence, isPersons: isPersons, summary: "done",
      moves: moves.map {
        Interface.Move(
          crate: $0.crate, album: $0.album.map { "\($0)" }, song: $0.song.map { "\($0)" },
          after: $0.after, was: $0.was)
      }, albums: albums, isComplete: isWhole)
  }

  // MARK: Listings

  /// Crates, and the titles of their albums.
  var lists: [(name: String, albums: [String])] {
    library.crates.map { crate in
      (crate.name, crate.albums.map { titles["\($0)"] ?? "?" })
    }.filter { !$0.albums.isEmpty }
  }

  func facts(_ id: String) -> AlbumFacts? {
    guard let album = library.albums[self.album(id)], let title = titles[id] else { return nil }
    let isLong = title.count > 1
    return AlbumFacts(
      id: id, crate: library.crate(album.crate)?.name ?? "", title: title,
      artist: isLong ? "Artist of \(title)" : "\(title) \(title)", year: 1900 + title.utf8.count,
      songs: songs, seconds: 2_700,
      isMoved: title.hasPrefix("Known") || tellsMoves && moved.contains(id),
      came: came[id] ?? 0, cover: covers[id])
  }

  var listing: Message {
    .listed(
      crates: lists.map(\.name),
      library.crates.flatMap { $0.albums.compactMap { facts("\($0)") } }, sequence: sequence)
  }

  /// Albums and songs that have the words, from the first crate to the last.
  func search(_ query: String) -> (albums: [String], songs: [FoundSong]) {
    let search = Search(query)
    let ids = library.crates.flatMap { $0.albums.map { "\($0)" } }
    let albums = ids.compactMap(facts).filter {
      search.findsWords(Search.text("\($0.title) \($0.artist)"))
    }
    let songs = ids.flatMap { id in
      self.songs(of: id).filter { search.findsWords(Search.text($0.title)) }
        .map { FoundSong(album: id, $0) }
    }
    return (albums.map(\.id), songs)
  }

  func songs(of id: String) -> [SongFacts] {
    guard let album = library.albums[self.album(id)] else { return [] }
    return library.listedSongs(of: album).enumerated().map { place, song in
      SongFacts(
        id: "\(song.id)", title: "Song \(song.id.number >> 20)",
        artist: "Somebody", seconds: Double(60 + place))
    }
  }
}
