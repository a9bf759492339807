import LibraryModel

/// What was found since the last merge. Pure.
struct MergeBatch {
  private(set) var contents: FolderContents
  private(set) var problems: [BytePath: FileProblem?] = [:]
  /// When its first file came in (monotonic).
  private(set) var since: Int64?
  private var places: [BytePath: Int] = [:]
  /// Paths whose problem was told and not taken back; at most as many as there are files.
  private var told: Set<BytePath> = []
  private let root: BytePath

  init(root: BytePath) {
    self.root = root
    contents = FolderContents(root: root, seen: 0)
  }

  var isEmpty: Bool { contents.found.isEmpty && problems.isEmpty }
  var count: Int { contents.found.count }

  mutating func found(_ path: BytePath, _ facts: FileFacts, seen: Int64, at now: Int64) {
    if contents.found.isEmpty {
      contents.seen = seen
      since = now
    }
    if let place = places[path] {
      contents.found[place].facts = facts
    } else {
      places[path] = contents.found.count
      contents.found.append(FolderContents.Found(path: path, facts: facts))
    }
  }

  mutating func renamed(from: BytePath, to: BytePath) {
    contents.renames.append(FolderContents.Rename(from: from, to: to))
  }

  /// Nil: there is none any more.
  mutating func note(_ problem: FileProblem?, at path: BytePath) {
    if let problem {
      told.insert(path)
      problems[path] = .some(problem)
    } else if told.remove(path) != nil {
      problems[path] = .some(nil)
    }
  }

  /// Gives away what was gathered, without files that went meanwhile.
  mutating func take(
    isStillThere: (BytePath) -> Bool
  ) -> (contents: FolderContents, problems: [BytePath: FileProblem?]) {
    defer {
      contents = FolderContents(root: root, seen: 0)
      problems = [:]
      places = [:]
      since = nil
    }
    var contents = contents
    contents.found.removeAll { !isStillThere($0.path) }
    contents.found.sort { $0.path < $1.path }
    return (contents, problems)
  }
}
