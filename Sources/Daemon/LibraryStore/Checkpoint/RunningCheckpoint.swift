import LibraryModel
import Platform
import Synchronization

/// A checkpoint beside the changes. What takes long runs on another thread: making the new journal,
/// and writing the snapshot. In between the owner of the store begins the journal, and so draws the
/// line between what the snapshot holds and what follows it.
final class RunningCheckpoint<Files: StoreFiles>: Sendable {
  enum Progress: Sendable {
    /// On the other thread.
    case working
    case hasJournal(Files.File)
    /// With what people should know.
    case isWritten([String])
    /// Nothing was to be written: the backups alone were thinned.
    case isThinned
    case hasFailed(SystemCallError)
  }

  let generation: Int
  private let generations: Generations<Files>
  private let state = Mutex(Progress.working)

  init(_ generations: Generations<Files>, _ generation: Int) {
    self.generations = generations
    self.generation = generation
  }

  var progress: Progress { state.withLock { $0 } }

  func makeJournal() {
    advance { () throws(SystemCallError) in .hasJournal(try generations.makeJournal(generation)) }
  }

  /// Before `write` is handed to the other thread.
  func begin() {
    state.withLock { $0 = .working }
  }

  func write(_ library: Library) {
    advance { () throws(SystemCallError) in
      try generations.writeSnapshot(library, generation)
      let told = generations.archive(before: generation)
      generations.thinBackups()
      return .isWritten(told)
    }
  }

  /// For what was written while changes waited, which should not wait for this as well.
  func thinBackups() {
    generations.thinBackups()
    state.withLock { $0 = .isThinned }
  }

  /// Ends it: it goes no further, and its journal is not begun.
  ///
  /// - Returns: what people should know.
  func end() -> [String] {
    switch progress {
    case .hasJournal(let file):
      generations.discard(file, generation)
      return []
    case .isWritten(let told): return told
    case .working, .hasFailed, .isThinned: return []
    }
  }

  private func advance(_ step: () throws(SystemCallError) -> Progress) {
    var reached: Progress
    do {
      reached = try step()
    } catch {
      reached = .hasFailed(error)
    }
    state.withLock { $0 = reached }
  }
}
