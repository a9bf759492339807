extension Librarian.Mailbox {
  /// Whether nothing is asked for, and no merge was decided.
  var isEmpty: Bool { edits.isEmpty && merges.isEmpty && aways.isEmpty && decided == nil }

  /// Takes what is to be done now. Nil where there is nothing.
  ///
  /// - Parameters:
  ///   - isMerging: whether a merge is being decided: another one waits for its end.
  ///   - takesEdits: whether edits are to be decided, all that wait.
  mutating func take(now: Int64, isMerging: Bool, takesEdits: Bool = true) -> Self? {
    var work = self
    let isRefused = mergeRefusal.map { now < $0.until && !isStopping } ?? false
    work.merges = isMerging || isRefused ? [] : Array(merges.prefix(1))
    if !takesEdits { work.edits = [] }
    let isIdle =
      work.isEmpty && work.newAlbums == nil && !work.hasCheckpointed
      && (isMerging || !work.isStopping)
    if isIdle { return nil }
    merges.removeFirst(work.merges.count)
    if takesEdits { edits = [] }
    (aways, beginning, decided) = ([], [], nil)
    (newAlbums, hasCheckpointed) = (nil, false)
    return work
  }
}
