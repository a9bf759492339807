// The places that edits name are those of any list.
@_exported public import Ordering

/// What a person asks for, in the imperative.
package enum Edit: Hashable, Sendable {
  case moveAlbums([AlbumID], Place<AlbumID>?, crate: String?, gathered: Gathering = .kept)
  case moveSongs([SongID], Place<SongID>, gathered: Gathering = .kept)
  case moveCrate(String, Place<String>)
  case renameCrate(String, to: String)
  /// - `ascending`: nil for the order's own direction.
  case sortAlbums([AlbumID], AlbumSorting, ascending: Bool? = nil)
  case sortSongs([SongID], SongSorting, ascending: Bool? = nil)
  /// Drops kept places: of these songs, of what is not there of these albums or below this folder,
  /// or of all that is gone.
  case forget(songs: [SongID], albums: [AlbumID], folder: BytePath? = nil, all: Bool)
}

/// How several things that move together come to stand among themselves.
package enum Gathering: Hashable, Sendable {
  /// The order in which they stand now.
  case kept
  /// The order in which they were named, each where it is named first. `up` and `down` order
  /// nothing anew.
  case given
}

/// A polite no: nothing was changed.
package enum Refusal: Error, Hashable, Sendable {
  case noSuchCrate(String)
  case noSuchAlbum(AlbumID)
  case noSuchSong(SongID)
  case notOneAlbum([SongID])
  case invalidPlace(String)
  case crateExists(String)
  case invalidName(String, reason: String)
  /// A list that may not be empty is; which one.
  case nothingChosen(String)
  /// No song lies below it, or ever did.
  case noSuchFolder(BytePath)
  /// The file of a song that is to be forgotten is there.
  case stillThere(SongID)
  /// A line of a written order can't be meant; the reason says what to do. Lines count from 1.
  case editRejected(line: Int, reason: String)
}

/// What an edit or a merge comes to.
package struct Decision: Sendable {
  /// What is to be made durable; it has no number and no time yet.
  package var transaction: Transaction
  /// The library before it.
  package let before: Library
  /// The library after it.
  package var library: Library
  /// What for.
  package var deed = Deed.merge

  package var changes: [Change] { transaction.changes }
  /// Whether there is nothing to do.
  package var isEmpty: Bool { transaction.isEmpty }

  package init(library: Library, by author: Author) {
    before = library
    self.library = library
    transaction = Transaction(by: author)
  }

  /// Records the change and does it. Rules only make changes that fit.
  mutating func make(_ change: Change) {
    var change = change
    if case .crateAdded(let name, let after, nil) = change {
      change = .crateAdded(name, after: after, id: library.mintCrate(name))
    }
    do {
      try library.apply(change, by: transaction.author)
    } catch {
      preconditionFailure("a rule makes a change that fits: \(change): \(error)")
    }
    transaction.changes.append(change)
  }
}
