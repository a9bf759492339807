import CratesInterface

/// The newest changes, for clients that ask what happened since one of them. Bounded by their
/// number and by the items that they name: a first scan names everything.
struct RecentChanges {
  private let most: Int
  private let mostNames: Int
  private var changes: [Interface.Change] = []
  /// The number of albums, songs and crates that they name.
  private var names = 0
  /// The highest number of a change that is not stored.
  private var forgotten: Int

  /// - Parameters:
  ///   - sequence: The number of the change before the first one.
  ///   - most: The maximum number of changes. Half of them stay when there would be more.
  ///   - mostNames: The same for the items that they name.
  init(after sequence: Int, most: Int = 8_192, mostNames: Int = 32_768) {
    forgotten = sequence
    (self.most, self.mostNames) = (most, mostNames)
  }

  mutating func append(_ change: Interface.Change) {
    changes.append(change)
    names += change.nameCount
    if changes.count <= most && names <= mostNames { return }
    // Many at a time, so that the remaining ones are not moved at every change.
    var leaving = 0
    while leaving < changes.count, changes.count - leaving > most / 2 || names > mostNames / 2 {
      names -= changes[leaving].nameCount
      forgotten = changes[leaving].sequence
      leaving += 1
    }
    changes.removeFirst(leaving)
  }

  /// Returns the newest changes, up to that count, the newest first.
  func newest(_ count: Int) -> [Interface.Change] { changes.suffix(count).reversed() }

  /// Returns the changes after that number, the oldest first; nil if not all of them are stored.
  func since(_ sequence: Int) -> ArraySlice<Interface.Change>? {
    if sequence < forgotten { return nil }
    let start = changes.firstIndex { $0.sequence > sequence } ?? changes.endIndex
    return changes[start...]
  }
}

extension Interface.Change {
  var nameCount: Int { albums.count + songs.count + crates.count + moves.count }
}
