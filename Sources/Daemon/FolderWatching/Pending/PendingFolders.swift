import LibraryModel

/// The dirty directories, by their path in the music folder. Bounded: when full, directories inside
/// one parent become one scan of the parent and everything below, and in the end a full scan. Pure;
/// the time is passed in.
struct PendingFolders {
  struct Changes: OptionSet {
    let rawValue: UInt8
    /// A file was closed after writing or moved in, or a directory appeared.
    static let finished = Changes(rawValue: 1)
    /// Anything else that may have changed what a scan finds.
    static let other = Changes(rawValue: 2)
    static let deletion = Changes(rawValue: 4)
    /// Everything below may have changed too.
    static let subtree = Changes(rawValue: 8)
  }

  struct Due {
    var path: BytePath
    var changes: Changes
    /// The names whose writers are done.
    var finished: Set<[UInt8]>
    /// When the first of the events came.
    var since: Int64
  }

  private struct Entry {
    var debounce = Debounce()
    var changes: Changes = []
    var finished: Set<[UInt8]> = []
  }

  /// The limit beyond which folders collapse into their parents.
  let mostFolders: Int
  /// The limit beyond which names are forgotten. Those files must be unchanged for a while before
  /// they are read.
  let mostNames: Int
  private let quiet: Int64
  private let longest: Int64
  private var entries: [BytePath: Entry] = [:]
  private var nameCount = 0
  private var hasSubtrees = false

  init(quiet: Int64, longest: Int64, mostFolders: Int = 4_096, mostNames: Int = 16_384) {
    self.quiet = quiet
    self.longest = longest
    self.mostFolders = mostFolders
    self.mostNames = mostNames
  }

  var isEmpty: Bool { entries.values.allSatisfy { $0.debounce.first == nil } }
  var count: Int { entries.count }

  mutating func note(_ changes: Changes, in path: BytePath, at now: Int64) {
    if entries[path] == nil && entries.count >= mostFolders { makeRoom(for: path, at: now) }
    if hasSubtrees, let collapsed = collapsedParent(of: path) {
      return add(.other, to: collapsed, at: now)
    }
    add(changes, to: path, at: now)
  }

  /// Records that a file's writer is done, or that the file was moved in.
  mutating func noteFinished(_ name: [UInt8], in path: BytePath, at now: Int64) {
    note(.finished, in: path, at: now)
    guard entries[path] != nil, nameCount < mostNames else { return }
    if entries[path]?.finished.insert(name).inserted == true { nameCount += 1 }
  }

  /// Records that a program writes to a file again, or that it is another file.
  mutating func noteUnfinished(_ name: [UInt8], in path: BytePath, at now: Int64) {
    note(.other, in: path, at: now)
    if entries[path]?.finished.remove(name) != nil { nameCount -= 1 }
  }

  /// Returns when something is due; nil if nothing is pending.
  func nextDue() -> Int64? {
    var next: Int64?
    for entry in entries.values {
      guard let due = entry.debounce.due(quiet: quiet, longest: longest) else { continue }
      next = min(next ?? due, due)
    }
    return next
  }

  /// Removes and returns what is due now. If anything is, directories with deletions are included,
  /// so that a move from one to the other is seen as one.
  ///
  /// - Parameter withDeletions: whether they are included in any case.
  mutating func takeDue(at now: Int64, withDeletions: Bool = false) -> [Due] {
    guard withDeletions || nextDue().map({ $0 <= now }) == true else {
      forgetQuiet(at: now)
      return []
    }
    let (quiet, longest) = (quiet, longest)
    return take(at: now) { entry in
      if entry.changes.contains(.deletion) { return true }
      guard let due = entry.debounce.due(quiet: quiet, longest: longest) else { return false }
      return due <= now
    }
  }

  /// Removes and returns everything that is pending, due or not.
  mutating func takeAll(at now: Int64) -> [Due] {
    take(at: now) { _ in true }
  }

  /// Records the end of a scan. Only scans that took long are worth remembering.
  mutating func scanned(_ path: BytePath, for took: Int64, at now: Int64) {
    guard entries[path] != nil || entries.count < mostFolders else { return }
    entries[path, default: Entry()].debounce.rest(after: took, at: now, longest: longest)
  }

  mutating func removeAll() {
    entries = [:]
    nameCount = 0
    hasSubtrees = false
  }

  private mutating func take(at now: Int64, where isTaken: (Entry) -> Bool) -> [Due] {
    var result: [Due] = []
    for (path, entry) in entries {
      guard let since = entry.debounce.first, isTaken(entry) else { continue }
      result.append(
        Due(path: path, changes: entry.changes, finished: entry.finished, since: since))
      nameCount -= entry.finished.count
      entries[path]?.debounce.scanned()
      entries[path]?.changes = []
      entries[path]?.finished = []
    }
    forgetQuiet(at: now)
    return result.sorted { $0.path < $1.path }
  }

  private mutating func add(_ changes: Changes, to path: BytePath, at now: Int64) {
    var entry = entries.removeValue(forKey: path) ?? Entry()
    entry.changes.formUnion(changes)
    if changes.contains(.subtree) { hasSubtrees = true }
    entry.debounce.note(isFinished: changes.contains(.finished), at: now, quiet: quiet)
    entries[path] = entry
  }

  private mutating func forgetQuiet(at now: Int64) {
    entries = entries.filter { !$0.value.debounce.isOver(at: now, quiet: quiet) }
    hasSubtrees = entries.values.contains { $0.changes.contains(.subtree) }
  }

  /// Returns the nearest folder above that will be scanned with everything below it.
  private func collapsedParent(of path: BytePath) -> BytePath? {
    var folder = path
    while !folder.isEmpty {
      folder = folder.parent
      if let entry = entries[folder], entry.changes.contains(.subtree) { return folder }
    }
    return nil
  }

  private mutating func makeRoom(for path: BytePath, at now: Int64) {
    forgetQuiet(at: now)
    var folder = path
    while entries.count >= mostFolders {
      if folder.isEmpty {
        entries = entries.filter { $0.key.isEmpty }
      } else {
        folder = folder.parent
        let inside = entries.keys.filter { $0.isInside(folder) && $0 != folder }
        for path in inside { entries[path] = nil }
        if inside.isEmpty { continue }
      }
      add([.other, .subtree], to: folder, at: now)
      if folder.isEmpty { break }
    }
    nameCount = entries.values.reduce(0) { $0 + $1.finished.count }
  }
}
