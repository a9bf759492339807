import LibraryModel

/// Known files that are missing from their places and may still appear elsewhere. Pure. Holds what
/// the catalogue held of them, and is no larger than that.
struct AbsentFiles {
  struct Absent {
    var facts: FileFacts?
    /// When its absence was first noticed (monotonic).
    var since: Int64
    /// Whether the receiver is certain to know these facts at this path.
    var isTold = true

    /// The facts, if the receiver is certain to know them at this path.
    var toldFacts: FileFacts? { isTold ? facts : nil }
  }

  private var files: [BytePath: Absent] = [:]
  /// What must still be reported to the receiver: files that are absent now, and files that were
  /// reported as absent and are back.
  private var news: (absent: Set<BytePath>, returned: Set<BytePath>) = ([], [])
  private var paths: [FileStamp: BytePath] = [:]

  var count: Int { files.count }
  var isEmpty: Bool { files.isEmpty }
  var all: [BytePath] { files.keys.sorted() }

  subscript(path: BytePath) -> Absent? { files[path] }

  mutating func add(_ path: BytePath, _ facts: FileFacts?, isTold: Bool = true, since: Int64) {
    files[path] = Absent(facts: facts, since: since, isTold: isTold)
    if news.returned.remove(path) == nil { news.absent.insert(path) }
    if let facts { paths[facts.stamp] = path }
  }

  /// Records that something was found. It may be the song of any absent file, whose place at the
  /// receiver is given up in that case.
  mutating func noteAllUntold() {
    for index in files.indices { files.values[index].isTold = false }
  }

  @discardableResult
  mutating func remove(_ path: BytePath) -> Absent? {
    guard let absent = files.removeValue(forKey: path) else { return nil }
    if news.absent.remove(path) == nil { news.returned.insert(path) }
    if let facts = absent.facts, paths[facts.stamp] == path { paths[facts.stamp] = nil }
    return absent
  }

  /// Returns the facts of the absent file with this stamp, down to the time of its last change: its
  /// directory was renamed. If inode numbers are not stable, the name must be the same too.
  func facts(of stamp: FileStamp, named name: [UInt8]) -> FileFacts? {
    guard let path = paths[stamp], let facts = files[path]?.facts else { return nil }
    if stamp.identity.inode == 0 && !path.name.elementsEqual(name) { return nil }
    return facts
  }

  /// Removes and returns the files that have been absent for long enough. The receiver is told that
  /// they vanished.
  mutating func takeOver(since deadline: Int64) -> [BytePath] {
    let over = files.filter { $0.value.since <= deadline }.keys.sorted()
    for path in over { remove(path) }
    news.returned.subtract(over)
    return over
  }

  /// Returns the absent and returned files that are still to be reported, and counts them as
  /// reported.
  mutating func takeNews() -> (absent: [BytePath], returned: [BytePath]) {
    defer { news = ([], []) }
    return (news.absent.sorted(), news.returned.sorted())
  }

  /// Whether any file has been absent for this long.
  func isAnyOver(after wait: Int64, at now: Int64) -> Bool {
    files.values.contains { $0.since + wait <= now }
  }

  /// Returns when the next file will have been absent for this long.
  func nextOver(after wait: Int64) -> Int64? {
    files.values.lazy.map { $0.since + wait }.min()
  }

  mutating func removeAll() {
    for path in all { remove(path) }
  }
}
