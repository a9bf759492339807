import Synchronization

/// An ordered group of songs in a crate. Immutable: a change creates a new value, and a change of a
/// song creates new values of its albums.
package final class Album: Sendable {
  package let id: AlbumID
  package let crate: CrateID
  package let group: GroupKey
  /// The album's songs in order, including gone ones, and the slots of songs that are in another
  /// album now.
  package let entries: [SongID]
  /// Whether the user put its songs in an order of their own. Merges never change it.
  package let isArranged: Bool
  /// Whether it was added by a first scan that has not ended.
  package let isFresh: Bool
  /// The ids of albums that it took over, which still resolve to it.
  package let aliases: [AlbumID]
  /// The number of the scan that added it, in milliseconds since 1970. 0 if unknown, which counts
  /// as older than everything.
  package let seen: Int64
  private let summary = AtomicLazyReference<AlbumSummary>()

  package init(
    id: AlbumID, crate: CrateID, group: GroupKey, entries: [SongID] = [],
    isArranged: Bool = false, isFresh: Bool = false, aliases: [AlbumID] = [],
    seen: Int64 = 0
  ) {
    self.id = id
    self.crate = crate
    self.group = group
    self.entries = entries
    self.isArranged = isArranged
    self.isFresh = isFresh
    self.aliases = aliases
    self.seen = seen
  }

  /// The cached summary. It is valid for every library that contains this very value.
  var knownSummary: AlbumSummary? { summary.load() }

  /// Caches the summary and returns the cached one, since another thread may have been faster.
  func keep(_ found: AlbumSummary) -> AlbumSummary { summary.storeIfNil(found) }

  func with(
    crate: CrateID? = nil, group: GroupKey? = nil, entries: [SongID]? = nil,
    isArranged: Bool? = nil, isFresh: Bool? = nil, aliases: [AlbumID]? = nil
  ) -> Album {
    Album(
      id: id, crate: crate ?? self.crate, group: group ?? self.group,
      entries: entries ?? self.entries, isArranged: isArranged ?? self.isArranged,
      isFresh: isFresh ?? self.isFresh, aliases: aliases ?? self.aliases, seen: seen)
  }
}

/// A named, ordered group of albums.
package struct Crate: Sendable {
  package let id: CrateID
  package var name: String { didSet { folded = LibraryModel.folded(name) } }
  /// The folded name. Stored because every change looks up crates by it.
  package private(set) var folded: String
  package var albums: SharedList<AlbumID>

  package init(id: CrateID, name: String, albums: SharedList<AlbumID>) {
    self.id = id
    self.name = name
    self.albums = albums
    folded = LibraryModel.folded(name)
  }
}
