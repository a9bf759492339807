import CratesInterface

/// The newest changes, for those who ask for what happened since one of them. How much it holds is
/// bounded by their number, and by what they name: a first scan names all there is.
struct RecentChanges {
  private let most: Int
  private let mostNames: Int
  private var changes: [Interface.Change] = []
  /// Albums, songs and crates that they name.
  private var names = 0
  /// The highest number of a change that is not kept.
  private var forgotten: Int

  /// - Parameters:
  ///   - sequence: the number of the change before the first one.
  ///   - most: changes, of which half are kept when there would be more.
  ///   - mostNames: the same of what they name.
  init(after sequence: Int, most: Int = 8_192, mostNames: Int = 32_768) {
    forgotten = sequence
    (self.most, self.mostNames) = (most, mostNames)
  }

  mutating func append(_ change: Interface.Change) {
    changes.append(change)
    names += change.nameCount
    if changes.count <= most && names <= mostNames { return }
    // Many at a time, so that those who stay are not moved at every change.
    var leaving = 0
    while leaving < changes.count, changes.count - leaving > most / 2 || names > mostNames / 2 {
      names -= changes[leaving].nameCount
      forgotten = changes[leaving].sequence
      leaving += 1
    }
    changes.removeFirst(leaving)
  }

  /// The newest ones, so many at most, the newest first.
  func newest(_ count: Int) -> [Interface.Change] { changes.suffix(count).reversed() }

  /// What came after the change of that number, the oldest first; nil where not all of it is kept.
  func since(_ sequence: Int) -> ArraySlice<Interface.Change>? {
    if sequence < forgotten { return nil }
    let start = changes.firstIndex { $0.sequence > sequence } ?? changes.endIndex
    return changes[start...]
  }
}

extension Interface.Change {
  var nameCount: Int { albums.count + songs.count + crates.count + moves.count }
}
