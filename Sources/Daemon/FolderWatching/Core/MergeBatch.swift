import LibraryModel

/// The results since the last merge. Pure.
struct MergeBatch {
  /// A file that was found.
  struct Found {
    var facts: FileFacts
    /// Whether the receiver has no file at this path.
    var isNew: Bool
    /// The time of the scan that found the file.
    var seen: Int64
  }

  /// The collected results, in pieces, and the problems.
  typealias Taken = (pieces: [FolderContents], problems: [BytePath: FileProblem?])

  private var found: [BytePath: Found] = [:]
  private var renames: [FolderContents.Rename] = []
  private(set) var problems: [BytePath: FileProblem?] = [:]
  /// When the first file of the batch came in (monotonic).
  private(set) var since: Int64?
  /// The names whose problems were reported and not cleared, by directory; at most as many as there
  /// are files.
  private var told: [BytePath: Set<[UInt8]>] = [:]
  private let root: BytePath

  init(root: BytePath) {
    self.root = root
  }

  var isEmpty: Bool { found.isEmpty && problems.isEmpty }
  var count: Int { found.count }

  mutating func found(
    _ path: BytePath, _ facts: FileFacts, isNew: Bool, seen: Int64, at now: Int64
  ) {
    if found.isEmpty { since = now }
    found[path, default: Found(facts: facts, isNew: isNew, seen: seen)].facts = facts
  }

  /// Whether a file was found at the path, where the receiver has none yet.
  func hasNew(_ path: BytePath) -> Bool { found[path]?.isNew == true }

  /// Removes and returns what was found at a path that has gone since.
  mutating func remove(_ path: BytePath) -> Found? {
    found.isEmpty ? nil : found.removeValue(forKey: path)
  }

  mutating func renamed(from: BytePath, to: BytePath) {
    renames.append(FolderContents.Rename(from: from, to: to))
  }

  mutating func note(_ problem: FileProblem, at path: BytePath) {
    told[path.parent, default: []].insert(path.name)
    problems[path] = .some(problem)
  }

  /// Clears the problem that was reported for the path.
  mutating func clearProblem(at path: BytePath) {
    if told.isEmpty { return }
    let folder = path.parent
    guard told[folder]?.remove(path.name) != nil else { return }
    if told[folder]?.isEmpty == true { told[folder] = nil }
    problems[path] = .some(nil)
  }

  /// Clears the problems of names in the directory, except for those that are still present.
  mutating func clearProblems(in folder: BytePath, butOf isThere: ([UInt8]) -> Bool) {
    if told.isEmpty { return }
    for name in told[folder] ?? [] where !isThere(name) {
      clearProblem(at: folder.appending(name))
    }
  }

  /// Removes and returns the collected results: one piece for each scan that found any, in order.
  mutating func take() -> Taken {
    defer {
      found = [:]
      renames = []
      problems = [:]
      since = nil
    }
    let scans = Dictionary(grouping: found, by: \.value.seen).sorted { $0.key < $1.key }
    let pieces = scans.map { seen, found in
      var contents = FolderContents(root: root, seen: seen)
      contents.found = found.map { FolderContents.Found(path: $0.key, facts: $0.value.facts) }
        .sorted { $0.path < $1.path }
      let paths = Set(contents.found.map(\.path))
      contents.renames = renames.filter { paths.contains($0.to) }
      return contents
    }
    return (pieces, problems)
  }

  /// Drops the collected files, and returns whether each is new to the receiver.
  mutating func drop() -> [(path: BytePath, isNew: Bool)] {
    defer { (found, renames, since) = ([:], [], nil) }
    return found.map { ($0.key, $0.value.isNew) }
  }
}
