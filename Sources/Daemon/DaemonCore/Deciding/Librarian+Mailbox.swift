extension Librarian.Mailbox {
  /// Takes what is to be done now: all edits that wait, and one merge. Nil where there is nothing.
  mutating func take(now: Int64) -> Self? {
    var work = self
    if let mergeRefusal, now < mergeRefusal.until, !isStopping {
      work.merges = []
    } else {
      work.merges = Array(merges.prefix(1))
    }
    let isIdle =
      work.edits.isEmpty && work.merges.isEmpty && work.aways.isEmpty && work.newAlbums == nil
      && !work.hasCheckpointed && !work.isStopping
    if isIdle { return nil }
    merges.removeFirst(work.merges.count)
    (edits, aways, newAlbums, hasCheckpointed) = ([], [], nil, false)
    return work
  }
}
