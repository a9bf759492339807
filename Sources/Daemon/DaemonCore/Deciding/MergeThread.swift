import LibraryModel
import Platform
import SharedOrder
import Synchronization

/// Decides merges beside the librarian, so that edits are answered meanwhile. It owns the `Lookups`
/// of the merges, which follow the library change by change: all work is done in the order in which
/// it was added.
///
/// Bounded: the librarian has one merge decided at a time, and adds what follows a change when that
/// is durable.
final class MergeThread: Sendable {
  /// What a merge is decided on. The decision counts only while all of it is as it was.
  struct Base: Sendable {
    var library: Library
    /// The librarian's count of changes to the folders.
    var folderChanges: Int
    var newAlbums: String?
    /// What the last merge left.
    var memory: Merge.Memory
    /// Where other machines have albums that come in; nil where nothing is shared.
    var shared: OrderTable?
  }

  /// What there is to merge.
  enum Found: Sendable {
    case contents(FolderContents)
    /// Files whose songs may go on with another one, after others are offline.
    ///
    /// - withLeft: also those of songs that left the music folders.
    case turned(seen: Int64, withLeft: Bool)
  }

  struct Decision: Sendable {
    var base: Base
    var contents: FolderContents
    var outcome: Merge.Outcome
    /// How long it took to decide, in nanoseconds.
    var duration: Int64
  }

  private let pool = WorkPool("merging", threads: 1)
  private let lane: WorkPool.Lane
  private let lookups = Mutex(Lookups(Library(), roots: []))
  private let clock: Clock

  init(clock: Clock) {
    self.clock = clock
    lane = pool.lane()
  }

  /// Does what waits, and ends the thread.
  func stop() { pool.stop() }

  /// Begins with this library, or anew where it has other music folders.
  ///
  /// - Parameter wait: is called first, on the thread.
  func begin(_ library: Library, after wait: @escaping @Sendable () -> Void = {}) {
    lane.add { [self] in
      wait()
      let begun = Lookups(library, roots: library.away.folders)
      lookups.withLock { $0 = begun }
    }
  }

  /// Decides a merge.
  ///
  /// - Parameter deliver: is called with the decision, or nil where there is nothing to merge, on
  ///   the thread.
  func decide(
    _ found: Found, on base: Base, _ deliver: @escaping @Sendable (Decision?) -> Void
  ) {
    lane.add { [self] in
      let begun = clock.monotonic()
      let lookups = lookups.withLock { $0 }
      let contents = found.contents(base.library, lookups)
      if contents.isEmpty { return deliver(nil) }
      var outcome = Merge.merge(
        contents, into: base.library, lookups: lookups, newAlbums: base.newAlbums,
        memory: base.memory)
      base.shared?.placeArrivals(in: &outcome.decision, newAlbums: base.newAlbums)
      deliver(
        Decision(
          base: base, contents: contents, outcome: outcome, duration: clock.monotonic() - begun))
    }
  }

  /// Follows a merge that is durable.
  func follow(_ decision: Decision, from before: Library, to library: Library) {
    lane.add { [self] in
      let outcome = decision.outcome
      lookups.withLock { lookups in
        lookups.follow(from: before, to: library, songs: outcome.songs, albums: outcome.albums)
        if decision.contents.endsFirstScan { lookups.fit() }
      }
    }
  }

  /// Follows edits that are durable.
  func follow(_ changes: [Change], from before: Library, to library: Library) {
    guard Lookups.isConcerned(by: changes) else { return }
    lane.add { [self] in
      lookups.withLock { $0.follow(changes, from: before, to: library) }
    }
  }
}

extension MergeThread.Found {
  fileprivate func contents(_ library: Library, _ lookups: Lookups) -> FolderContents {
    switch self {
    case .contents(let contents): return contents
    case .turned(let seen, let withLeft):
      var contents = FolderContents(root: library.away.folders.first ?? BytePath("/"), seen: seen)
      contents.turned = lookups.turned(in: library)
      if withLeft { contents.turned += lookups.left(in: library) }
      return contents
    }
  }
}
