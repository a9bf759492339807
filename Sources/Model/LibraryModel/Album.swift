import Synchronization

/// An ordered group of songs and its place. Immutable: a change makes a new value, and a change of
/// a song makes new values of its albums.
package final class Album: Sendable {
  package let id: AlbumID
  package let crate: CrateID
  package let group: GroupKey
  /// The album's songs in order, gone ones included, and slots of songs that live in another album
  /// now.
  package let entries: [SongID]
  /// The person put its songs in an order of their own; no merge touches this.
  package let isArranged: Bool
  /// Whether it came with a first scan that has not ended.
  package let isFresh: Bool
  /// Ids of albums it took over, which go on resolving to it.
  package let aliases: [AlbumID]
  /// The look in which it began, in milliseconds since 1970; 0 where that is not known: older than
  /// everything.
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

  /// What has been worked out of it; true of every library that holds this very value.
  var knownSummary: AlbumSummary? { summary.load() }

  /// Keeps it, and returns what is kept: another thread may have been quicker.
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
  /// The name as names are compared: crates are looked for with every change.
  package private(set) var folded: String
  package var albums: SharedList<AlbumID>

  package init(id: CrateID, name: String, albums: SharedList<AlbumID>) {
    self.id = id
    self.name = name
    self.albums = albums
    folded = LibraryModel.folded(name)
  }
}
