import LibraryModel
import Platform
import Synchronization

/// A checkpoint that runs while changes go on. Making the new journal and writing the snapshot take
/// long, and run on another thread. In between, the owner of the store begins the journal, and
/// thereby separates the changes in the snapshot from those that follow it.
final class RunningCheckpoint<Files: StoreFiles>: Sendable {
  enum Progress: Sendable {
    /// The other thread runs a step.
    case working
    /// The empty journal is on the disk.
    case hasJournal(Files.File)
    /// The snapshot is on the disk. The notes are for the user.
    case isWritten([String])
    /// The backups were thinned, and nothing else was due.
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

  /// Called before `write` is handed to the other thread.
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

  /// Thins the backups after a generation was written while changes waited.
  func thinBackups() {
    generations.thinBackups()
    state.withLock { $0 = .isThinned }
  }

  /// Gives the checkpoint up, and removes its journal if that has no header yet.
  ///
  /// - Returns: what the user should know.
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
