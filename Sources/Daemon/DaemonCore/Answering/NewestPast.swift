import CratesInterface
import Synchronization

/// A cache of the newest changes in the history, so that a client that looks back a little causes
/// no journal reads. It holds changes from the feed's memory, and those that were read last.
final class NewestPast: Sendable {
  private struct State {
    /// The newest first, without gaps.
    var changes: [Interface.Change] = []
    /// Whether there are none before them.
    var isAll = false
  }

  private let state = Mutex(State())

  /// The maximum numbers of changes and of the ids that they name, about a MiB. Older ones are
  /// dropped.
  private static let changesMost = 1_000
  private static let namesMost = 65_536

  /// Returns the newest changes, the newest first; nil if they have to be read.
  ///
  /// - Parameters:
  ///   - before: Only changes with a smaller number are returned.
  ///   - sequence: The number of the newest change.
  func newest(
    _ count: Int, before: Int = .max, at sequence: Int, _ feed: ChangeFeed
  ) -> [Interface.Change]? {
    let top = state.withLock { $0.changes.first?.sequence }
    let (changes, goesOn) = feed.changes(since: top, orNewest: Self.changesMost)
    return state.withLock { state in
      // Another thread may have added some of them meanwhile.
      let known = state.changes.first?.sequence ?? 0
      let told = changes.prefix { $0.sequence > known }.map(Self.told)
      if goesOn {
        state.changes = told + state.changes
      } else if !told.isEmpty || known == top {
        state = State(changes: changes.map(Self.told))
      }
      Self.bound(&state)
      guard state.changes.first?.sequence == sequence else { return nil }
      let older = state.changes.drop { $0.sequence >= before }
      guard older.count >= count || state.isAll else { return nil }
      return Array(older.prefix(count))
    }
  }

  /// Returns the number of changes from that number on; nil if even the oldest cached one is newer.
  func count(from number: Int) -> Int? {
    state.withLock { state in
      let newer = state.changes.prefix { $0.sequence >= number }
      return newer.count == state.changes.count && newer.last?.sequence != number
        ? nil : newer.count
    }
  }

  /// Stores changes that were read, the newest first.
  ///
  /// - Parameter isAll: Whether there are none before them.
  func keep(_ changes: [Interface.Change], isAll: Bool) {
    state.withLock { state in
      // Another thread may have seen later ones meanwhile.
      guard state.changes.first?.sequence ?? 0 <= changes.first?.sequence ?? 0 else { return }
      state = State(changes: changes, isAll: isAll)
      Self.bound(&state)
    }
  }

  /// Returns the change with only the moves of renamed crates. Only the feed reports the others.
  private static func told(_ change: Interface.Change) -> Interface.Change {
    var change = change
    change.moves.removeAll { $0.was == nil }
    return change
  }

  private static func bound(_ state: inout State) {
    var names = 0
    let kept = state.changes.prefix(changesMost).prefix { change in
      names += change.nameCount
      return names <= namesMost
    }
    if kept.count == state.changes.count { return }
    state = State(changes: Array(kept))
  }
}
