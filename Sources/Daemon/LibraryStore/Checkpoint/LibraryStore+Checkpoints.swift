package import LibraryModel
package import Platform

/// Checkpoints that run while changes go on.
extension LibraryStore {
  package func checkpointWork(
    _ library: Library, isIdle: Bool
  ) throws(SystemCallError) -> (@Sendable () -> Void)? {
    do throws(SystemCallError) {
      if case .isThinned? = running?.progress { running = nil }
      if let running { return try advance(running, library) }
      return try startCheckpoint(isIdle)
    } catch {
      running = nil
      // Not retried at once: the journal suffices, and each attempt uses up a generation.
      journalBound = (journal?.size ?? 0) + StoreLimits.journalForCheckpoint
      throw error
    }
  }

  private func startCheckpoint(_ isIdle: Bool) throws(SystemCallError) -> (@Sendable () -> Void)? {
    // A disk that takes no changes has no room for a snapshot.
    guard state == .ready, pendingWrite == nil, let journal, generations.fault(of: .store) == nil
    else { return nil }
    if let begun = pendingSnapshot {
      pendingSnapshot = nil
      let started = RunningCheckpoint(generations, newest)
      running = started
      return { started.write(begun) }
    }
    if generations.needsThinning {
      let started = RunningCheckpoint(generations, newest)
      running = started
      return { started.thinBackups() }
    }
    let usual = generations.journalBound(isIdle: isIdle)
    let bound = isIdle ? min(journalBound ?? .max, usual) : journalBound ?? usual
    guard journal.size > bound else { return nil }
    try checkIntact()
    newest += 1
    let started = RunningCheckpoint(generations, newest)
    running = started
    return { started.makeJournal() }
  }

  private func advance(
    _ checkpoint: RunningCheckpoint<Files>, _ library: Library
  ) throws(SystemCallError) -> (@Sendable () -> Void)? {
    switch checkpoint.progress {
    case .working, .isThinned: return nil
    case .hasFailed(let error): throw error
    case .isWritten(let told):
      running = nil
      journalBound = nil
      notes += told
      return nil
    case .hasJournal(let file):
      // A journal that could not be trusted any more was replaced meanwhile.
      if isStopped || newest != checkpoint.generation {
        notes += checkpoint.end()
        running = nil
        return nil
      }
      try checkIntact()
      try startJournal(file, checkpoint.generation, library)
      checkpoint.begin()
      return { checkpoint.write(library) }
    }
  }
}
