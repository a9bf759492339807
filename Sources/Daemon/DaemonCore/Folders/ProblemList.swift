import CratesInterface
import LibraryModel
import Logging
import Synchronization

/// The problems of single files, by path. Cleared when the file is repaired or gone.
final class ProblemList: Sendable {
  private struct Entry {
    var problem: FileProblem
    /// Milliseconds since 1970.
    var since: Int64
  }

  private let entries = Mutex<[BytePath: Entry]>([:])

  func note(_ problems: [BytePath: FileProblem?], now: Int64) {
    entries.withLock { entries in
      for (path, problem) in problems {
        guard let problem else {
          entries[path] = nil
          continue
        }
        if entries[path]?.problem != problem { entries[path] = Entry(problem: problem, since: now) }
      }
    }
  }

  /// Replaces all entries by these.
  ///
  /// - Returns: The paths whose problem is new.
  func replace(with problems: [BytePath: FileProblem], now: Int64) -> [BytePath] {
    entries.withLock { entries in
      let news = problems.filter { entries[$0.key]?.problem != $0.value }
      entries = entries.filter { problems[$0.key] == $0.value.problem }
      for (path, problem) in news { entries[path] = Entry(problem: problem, since: now) }
      return Array(news.keys)
    }
  }

  /// Replaces all entries by these, and logs the new ones.
  func replace(
    with found: [(path: BytePath, message: String)], of kind: FileProblem.Kind, now: Int64,
    _ logger: Logger
  ) {
    let list = Dictionary(
      found.map { ($0.path, FileProblem(kind, $0.message)) },
      uniquingKeysWith: { first, _ in first })
    for path in replace(with: list, now: now).sorted() {
      if let problem = list[path] { logger.warning("\(path.display): \(problem.message)") }
    }
  }

  /// Removes the entries of a folder that is not watched any more.
  func drop(below root: BytePath) {
    entries.withLock { entries in entries = entries.filter { !$0.key.isInside(root) } }
  }

  var count: Int { entries.withLock { $0.count } }

  /// The entries in byte order of their paths.
  var all: [(path: BytePath, problem: FileProblem, since: Int64)] {
    entries.withLock { entries in
      entries.map { ($0.key, $0.value.problem, $0.value.since) }
    }.sorted { $0.0 < $1.0 }
  }
}
