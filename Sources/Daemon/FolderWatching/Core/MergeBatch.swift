import LibraryModel

/// What was found since the last merge. Pure.
struct MergeBatch {
  private struct Found {
    var file: FolderContents.Found
    /// When the scan was that found it.
    var seen: Int64
  }

  /// What was gathered, in pieces, and the problems.
  typealias Taken = (pieces: [FolderContents], problems: [BytePath: FileProblem?])

  private var found: [Found] = []
  private var renames: [FolderContents.Rename] = []
  private(set) var problems: [BytePath: FileProblem?] = [:]
  /// When its first file came in (monotonic).
  private(set) var since: Int64?
  private var places: [BytePath: Int] = [:]
  /// Names whose problem was told and not taken back, by their directories; at most as many as
  /// there are files.
  private var told: [BytePath: Set<[UInt8]>] = [:]
  private let root: BytePath

  init(root: BytePath) {
    self.root = root
  }

  var isEmpty: Bool { found.isEmpty && problems.isEmpty }
  var count: Int { found.count }

  mutating func found(_ path: BytePath, _ facts: FileFacts, seen: Int64, at now: Int64) {
    if found.isEmpty { since = now }
    if let place = places[path] {
      found[place].file.facts = facts
    } else {
      places[path] = found.count
      found.append(Found(file: FolderContents.Found(path: path, facts: facts), seen: seen))
    }
  }

  mutating func renamed(from: BytePath, to: BytePath) {
    renames.append(FolderContents.Rename(from: from, to: to))
  }

  mutating func note(_ problem: FileProblem, at path: BytePath) {
    told[path.parent, default: []].insert(path.name)
    problems[path] = .some(problem)
  }

  /// What was told of the path is so no longer.
  mutating func clearProblem(at path: BytePath) {
    if told.isEmpty { return }
    let folder = path.parent
    guard told[folder]?.remove(path.name) != nil else { return }
    if told[folder]?.isEmpty == true { told[folder] = nil }
    problems[path] = .some(nil)
  }

  /// What was told of names in the directory is so no longer, but of those that are there.
  mutating func clearProblems(in folder: BytePath, butOf isThere: ([UInt8]) -> Bool) {
    if told.isEmpty { return }
    for name in told[folder] ?? [] where !isThere(name) {
      clearProblem(at: folder.appending(name))
    }
  }

  /// Gives away what was gathered, without files that went meanwhile: a piece for each scan that
  /// found any, in their order.
  mutating func take(isStillThere: (BytePath) -> Bool) -> Taken {
    defer {
      found = []
      renames = []
      problems = [:]
      places = [:]
      since = nil
    }
    let there = found.filter { isStillThere($0.file.path) }
    let scans = Dictionary(grouping: there, by: \.seen).sorted { $0.key < $1.key }
    let pieces = scans.map { seen, found in
      var contents = FolderContents(root: root, seen: seen)
      contents.found = found.map(\.file).sorted { $0.path < $1.path }
      let paths = Set(contents.found.map(\.path))
      contents.renames = renames.filter { paths.contains($0.to) }
      return contents
    }
    return (pieces, problems)
  }
}
