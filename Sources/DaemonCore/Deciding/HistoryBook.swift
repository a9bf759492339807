import LibraryModel
import LibraryStore

/// What the person did, for undo. It is read from the journals when it is asked for first: most
/// days nobody does, and a start must not wait for it.
struct HistoryBook {
  private var history: UndoHistory?

  mutating func follow(_ change: CommittedChange) {
    history?.follow(
      change.changes, sequence: change.sequence, summary: change.summary, by: change.author)
  }

  mutating func history(from store: any ChangeStore) -> UndoHistory {
    if let history { return history }
    history = UndoHistory()
    let past = store.pastChanges(before: .max, most: UndoHistory.kept, of: .person)
    for change in past { follow(change) }
    return history ?? UndoHistory()
  }
}
