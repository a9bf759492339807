import LibraryStore
import Logging
import Platform
import Synchronization

/// Maintenance of the store: checkpoints, and retries after it refused changes.
extension Librarian {
  /// Runs the work that the store deferred until readers could be answered.
  func begin(_ desk: inout Desk) {
    desk.store.writeRecovered(desk.library)
    tellNotes(&desk)
    storeState.withLock { $0 = desk.store.state }
  }

  /// Does deferred work while no request waits.
  func care(_ desk: inout Desk) {
    guard clock.monotonic() >= desk.careDue else { return }
    desk.careDue = .max
    if desk.store.mayHeal {
      desk.store.heal(desk.library)
      if desk.store.state == .ready { logger.notice("the store takes changes again") }
    }
    checkpoint(isIdle: true, &desk)
  }

  /// Does the next part of a checkpoint if one is due. Long work runs on another thread.
  func checkpoint(isIdle: Bool, _ desk: inout Desk) {
    do {
      if let work = try desk.store.checkpointWork(desk.library, isIdle: isIdle) {
        desk.checkpointing.take()?.join()
        desk.checkpointing = BlockingThread("checkpoint") { [mailbox] in
          work()
          returnFreeMemory()
          mailbox.withLock { $0.hasCheckpointed = true }
        }
      }
    } catch {
      logger.warning("no checkpoint could be written; the journal goes on: \(error)")
    }
    tellNotes(&desk)
    storeState.withLock { $0 = desk.store.state }
    if desk.store.mayHeal {
      desk.careDue = min(desk.careDue, clock.monotonic() + Self.healDelay)
    } else if !isIdle {
      desk.careDue = clock.monotonic() + Self.idleDelay
    }
  }

  func tellNotes(_ desk: inout Desk) {
    for note in desk.store.takeNotes() { logger.warning("\(note)") }
  }
}
