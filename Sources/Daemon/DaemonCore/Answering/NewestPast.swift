import CratesInterface
import Synchronization

/// The newest changes as the history tells them, so that who looks back a little has no journals
/// read: those that the feed has at hand, and those that were read last.
final class NewestPast: Sendable {
  private struct State {
    /// The newest first, none left out.
    var changes: [Interface.Change] = []
    /// Whether there were none before them.
    var isAll = false
  }

  private let state = Mutex(State())

  /// Changes, and things that they name, at most; the older ones are let go of: a MiB of ids.
  private static let changesMost = 1_000
  private static let namesMost = 65_536

  /// The newest ones, the newest first; nil where they have to be read.
  ///
  /// - Parameters:
  ///   - before: only changes with a smaller number.
  ///   - sequence: the number of the newest change.
  func newest(
    _ count: Int, before: Int = .max, at sequence: Int, _ feed: ChangeFeed
  ) -> [Interface.Change]? {
    let top = state.withLock { $0.changes.first?.sequence }
    let (changes, goesOn) = feed.changes(since: top, orNewest: Self.changesMost)
    return state.withLock { state in
      // Another reader may have added some of them meanwhile.
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

  /// How many changes there are from that number on; nil where the oldest that is kept is newer.
  func count(from number: Int) -> Int? {
    state.withLock { state in
      let newer = state.changes.prefix { $0.sequence >= number }
      return newer.count == state.changes.count && newer.last?.sequence != number
        ? nil : newer.count
    }
  }

  /// Keeps what was read, the newest first.
  ///
  /// - Parameter isAll: whether there are none before it.
  func keep(_ changes: [Interface.Change], isAll: Bool) {
    state.withLock { state in
      // Meanwhile another reader may have seen later ones.
      guard state.changes.first?.sequence ?? 0 <= changes.first?.sequence ?? 0 else { return }
      state = State(changes: changes, isAll: isAll)
      Self.bound(&state)
    }
  }

  /// A change with no moves but those of crates that were renamed: the others are told to those who
  /// watch alone.
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
