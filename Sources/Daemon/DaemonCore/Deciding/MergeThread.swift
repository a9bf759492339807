import LibraryModel
import Platform
import SharedOrder
import Synchronization

/// Decides merges on a thread of its own, so that edits are answered meanwhile. It owns the
/// `Lookups` of the merges, which follow the library change by change: all work is done in the
/// order in which it was added.
///
/// Bounded: the librarian has one merge decided at a time, and adds updates only for durable
/// changes.
final class MergeThread: Sendable {
  /// The state that a merge is decided on. The decision is valid only while all of it is unchanged.
  struct Base: Sendable {
    var library: Library
    /// The librarian's count of changes to the folders.
    var folderChanges: Int
    var newAlbums: String?
    /// The state that the last merge passed on.
    var memory: Merge.Memory
    /// The shared order, which places new albums as on other machines; nil if nothing is shared.
    var shared: OrderTable?
  }

  /// The input of a merge.
  enum Found: Sendable {
    case contents(FolderContents)
    /// The files of songs whose own file is offline while another one is present. `withLeft`
    /// includes those of songs outside all music folders that another song may continue.
    case turned(seen: Int64, withLeft: Bool)
  }

  struct Decision: Sendable {
    var base: Base
    var contents: FolderContents
    var outcome: Merge.Outcome
    /// The time that the decision took, in nanoseconds.
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

  /// Finishes the waiting work, and ends the thread.
  func stop() { pool.stop() }

  /// Builds the lookups for a library, again whenever it has other music folders.
  ///
  /// - Parameter wait: Called first, on the thread.
  func begin(_ library: Library, after wait: @escaping @Sendable () -> Void = {}) {
    lane.add { [self] in
      wait()
      let begun = Lookups(library, roots: library.away.folders)
      lookups.withLock { $0 = begun }
    }
  }

  /// Decides a merge.
  ///
  /// - Parameter deliver: Called on the thread with the decision, or with nil if there is nothing
  ///   to merge.
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

  /// Updates the lookups after a durable merge.
  func follow(_ decision: Decision, from before: Library, to library: Library) {
    lane.add { [self] in
      let outcome = decision.outcome
      lookups.withLock { lookups in
        lookups.follow(from: before, to: library, songs: outcome.songs, albums: outcome.albums)
        if decision.contents.endsFirstScan { lookups.fit() }
      }
    }
  }

  /// Updates the lookups after durable edits.
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
