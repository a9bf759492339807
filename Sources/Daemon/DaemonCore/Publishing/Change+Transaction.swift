import CratesInterface
import LibraryModel
import LibraryStore
import Platform

extension Interface.Change {
  /// - Parameter moves: Its moves in listings; empty if they are not known any more.
  init(_ transaction: Transaction, moves: ListedMoves = ListedMoves()) {
    var touched = Touched()
    for change in transaction.changes { touched.note(change) }
    var notes = Array(transaction.notes.prefix(Self.listedMost))
    notes += transaction.changes.lazy.compactMap(\.note).prefix(Self.listedMost - notes.count)
    self.init(
      changed: true, sequence: transaction.sequence, time: Timestamp.text(transaction.time),
      author: Interface.Author(transaction.author), summary: transaction.sentence,
      origin: transaction.origin, moves: moves.moves,
      notes: notes,
      albums: touched.albums.shown, songs: touched.songs.shown,
      crates: touched.crates.shown,
      complete: moves.isWhole && transaction.notes.count <= Self.listedMost
        && touched.albums.isWhole && touched.songs.isWhole
        && touched.crates.isWhole)
  }
}

extension Interface.Author {
  init(_ author: Author) {
    self =
      switch author {
      case .person: .person
      case .folder: .folder
      case .machine: .machine
      }
  }
}

extension PastLibrary {
  /// Returns the newest changes with a smaller number in the form that clients receive, the newest
  /// first. The transactions are released one by one.
  func changes(before: Int, most: Int) throws(UnreadablePast) -> [Interface.Change] {
    var told: [Interface.Change] = []
    try forEachNewest(before: before, most: most, of: nil) { transaction in
      told.append(Interface.Change(transaction, moves: ListedMoves(ofRenamed: transaction)))
    }
    return told
  }
}

/// The moves in listings that a transaction causes, in the form that clients receive.
struct ListedMoves {
  var moves: [Interface.Move] = []
  var isWhole = true

  init() {}

  /// The moves of renamed crates, which need no library.
  init(ofRenamed transaction: Transaction) {
    for case .crateRenamed(let old, let new) in transaction.changes {
      moves.append(Interface.Move(crate: new, was: old))
    }
  }

  init(of transaction: Transaction, from before: Library, to after: Library) {
    let (moves, isWhole) = Library.listedMoves(
      of: transaction.changes, from: before, to: after, most: Interface.Change.listedMost)
    self.moves = moves.map { move in
      Interface.Move(
        crate: move.crate, album: move.album.map { "\($0)" }, song: move.song.map { "\($0)" },
        after: move.after, was: move.was)
    }
    self.isWhole = isWhole
  }
}

/// The items that a change names: each once, in the order of its steps, and no more than an answer
/// may list.
private struct Touched {
  struct List {
    var shown: [String] = []
    var isWhole = true
    private var seen: Set<String> = []

    mutating func note(_ name: @autoclosure () -> String) {
      // A first scan names thousands.
      if !isWhole { return }
      let name = name()
      guard seen.insert(name).inserted else { return }
      if shown.count < Interface.Change.listedMost { shown.append(name) } else { isWhole = false }
    }
  }

  var albums = List()
  var songs = List()
  var crates = List()

  mutating func note(_ change: Change) {
    switch change {
    case .crateAdded(let name, _, _), .crateRemoved(let name, _, _), .crateMoved(let name, _, _):
      crates.note(name)
    case .crateRenamed(let old, let new):
      crates.note(old)
      crates.note(new)
    case .albumAdded(let id, let record):
      albums.note("\(id)")
      crates.note(record.crate)
    case .albumMoved(let id, let crate, _, let former, _):
      albums.note("\(id)")
      crates.note(crate)
      crates.note(former)
    case .albumRemoved(let id, _), .albumArranged(let id, _),
      .albumRegrouped(let id, _, _, _), .aliasDropped(_, let id), .aliasRestored(_, let id):
      albums.note("\(id)")
    case .albumTookOver(let id, let other):
      albums.note("\(id)")
      albums.note("\(other)")
    case .albumTouched, .firstScanEnded: break
    case .songAdded(let id, let record):
      songs.note("\(id)")
      albums.note("\(record.album)")
    case .songRegrouped(let id, let album, _, _), .songRetagged(let id, let album):
      songs.note("\(id)")
      albums.note("\(album)")
    case .songMoved(let id, _, _, _), .songFollowed(let id, _, _, _), .songGone(let id, _),
      .songForgotten(let id, _):
      songs.note("\(id)")
    case .slotDropped(let id, let album, _), .slotRestored(let id, let album, _):
      songs.note("\(id)")
      albums.note("\(album)")
    }
  }
}

extension InterfaceError {
  /// Converts a refusal of the rules.
  init(_ refusal: Refusal) {
    switch refusal {
    case .noSuchCrate(let name): self = .noSuchCrate(name: name)
    case .noSuchAlbum(let id): self = .noSuchAlbum(id: "\(id)")
    case .noSuchSong(let id): self = .noSuchSong(id: "\(id)")
    case .notOneAlbum(let songs): self = .notOneAlbum(songs: songs.map { "\($0)" })
    case .invalidPlace(let reason): self = .invalidPlace(reason: reason)
    case .crateExists(let name): self = .crateExists(name: name)
    case .invalidName(let name, let reason): self = .invalidName(name: name, reason: reason)
    case .nothingChosen(let parameter): self = .invalidParameter(parameter: parameter)
    case .noSuchFolder(let path): self = .noSuchPath(path: path.display)
    case .stillThere: self = .invalidParameter(parameter: "songs")
    case .editRejected(let line, let reason): self = .editRejected(line: line, reason: reason)
    }
  }
}
