import LibraryStore
import Logging
import Platform
import Synchronization

/// Maintenance of the store: checkpoints, and retries after it refused changes.
extension Librarian {
  /// Runs the work that the store deferred until readers could be answered.
  func begin(_ owned: inout ThreadState) {
    owned.store.writeRecovered(owned.library)
    tellNotes(&owned)
    storeState.withLock { $0 = owned.store.state }
  }

  /// Does deferred work while no request waits.
  func care(_ owned: inout ThreadState) {
    guard clock.monotonic() >= owned.careDue else { return }
    owned.careDue = .max
    if owned.store.mayHeal {
      owned.store.heal(owned.library)
      if owned.store.state == .ready { logger.notice("the store takes changes again") }
    }
    checkpoint(isIdle: true, &owned)
  }

  /// Does the next part of a checkpoint if one is due. Long work runs on another thread.
  func checkpoint(isIdle: Bool, _ owned: inout ThreadState) {
    do {
      if let work = try owned.store.checkpointWork(owned.library, isIdle: isIdle) {
        owned.checkpointing.take()?.join()
        owned.checkpointing = BlockingThread("checkpoint") { [mailbox] in
          work()
          returnFreeMemory()
          mailbox.withLock { $0.hasCheckpointed = true }
        }
      }
    } catch {
      logger.warning("no checkpoint could be written; the journal goes on: \(error)")
    }
    tellNotes(&owned)
    storeState.withLock { $0 = owned.store.state }
    if owned.store.mayHeal {
      owned.careDue = min(owned.careDue, clock.monotonic() + Self.healDelay)
    } else if !isIdle {
      owned.careDue = clock.monotonic() + Self.idleDelay
    }
  }

  func tellNotes(_ owned: inout ThreadState) {
    for note in owned.store.takeNotes() { logger.warning("\(note)") }
  }
}
