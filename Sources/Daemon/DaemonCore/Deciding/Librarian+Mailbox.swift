extension Librarian.Mailbox {
  /// Whether no request waits, and no decided merge.
  var isEmpty: Bool { edits.isEmpty && merges.isEmpty && aways.isEmpty && decided == nil }

  /// Removes and returns the work to do now; nil if there is none.
  ///
  /// - Parameters:
  ///   - isMerging: Whether a merge is being decided, so that another one has to wait.
  ///   - takesEdits: Whether to include the waiting edits.
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
