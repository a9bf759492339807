package import LibraryModel

extension Library {
  /// Takes the newest of the person's changes back; nil where there is none, or its source was let
  /// go of.
  package func decideUndo(_ history: UndoHistory, newAlbums: String?) -> Decision? {
    taking(.undo, history.undoable.suffix(1), newAlbums)
  }

  /// Does the change that was taken back last again.
  package func decideRedo(_ history: UndoHistory, newAlbums: String?) -> Decision? {
    taking(.redo, history.redoable.suffix(1), newAlbums)
  }

  package func decideUndo(_ entries: [UndoHistory.Entry], newAlbums: String?) -> Decision? {
    taking(.undo, entries[...], newAlbums)
  }

  private func taking(
    _ direction: Reversal.Direction, _ entries: ArraySlice<UndoHistory.Entry>, _ newAlbums: String?
  ) -> Decision? {
    var taking = TakingBack(direction, in: self, newAlbums: newAlbums)
    for entry in entries {
      guard let source = entry.source else { return nil }
      taking.take(entry, source: source)
    }
    return taking.decision
  }
}
