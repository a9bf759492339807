// Edits name places by the types of `Ordering`.
@_exported public import Ordering

/// An edit that the user asks for, named in the imperative.
package enum Edit: Hashable, Sendable {
  case moveAlbums([AlbumID], Place<AlbumID>?, crate: String?, gathered: Gathering = .kept)
  case moveSongs([SongID], Place<SongID>, gathered: Gathering = .kept)
  case moveCrate(String, Place<String>)
  case renameCrate(String, to: String)
  /// - `ascending`: nil for the sorting's own direction.
  case sortAlbums([AlbumID], AlbumSorting, ascending: Bool? = nil)
  case sortSongs([SongID], SongSorting, ascending: Bool? = nil)
  /// Drops the places of songs: of these songs, of songs of these albums or below this folder that
  /// are not present, or of all gone songs.
  case forget(songs: [SongID], albums: [AlbumID], folder: BytePath? = nil, all: Bool)
}

/// The order among several items that move together.
package enum Gathering: Hashable, Sendable {
  /// The order in which they stand now.
  case kept
  /// The order in which they were named, each at its first mention. `up` and `down` ignore it.
  case given
}

/// A refusal of an edit. Nothing was changed.
package enum Refusal: Error, Hashable, Sendable {
  case noSuchCrate(String)
  case noSuchAlbum(AlbumID)
  case noSuchSong(SongID)
  case notOneAlbum([SongID])
  case invalidPlace(String)
  case crateExists(String)
  case invalidName(String, reason: String)
  /// A list that may not be empty is empty. The value names it.
  case nothingChosen(String)
  /// No song is or ever was below the folder.
  case noSuchFolder(BytePath)
  /// A song that is to be forgotten has a file that is present.
  case stillThere(SongID)
  /// A line of a written order is invalid. The reason says what to do. Lines count from 1.
  case editRejected(line: Int, reason: String)
}

/// The result of an edit or a merge.
package struct Decision: Sendable {
  /// The transaction to be made durable. It has no number and no time yet.
  package var transaction: Transaction
  /// The library before it.
  package let before: Library
  /// The library after it.
  package var library: Library
  /// The purpose of the transaction, which determines its description.
  package var purpose = Purpose.merge

  package var changes: [Change] { transaction.changes }
  package var isEmpty: Bool { transaction.isEmpty }

  package init(library: Library, by author: Author) {
    before = library
    self.library = library
    transaction = Transaction(by: author)
  }

  /// Applies the change and adds it to the transaction. The change has to fit.
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
