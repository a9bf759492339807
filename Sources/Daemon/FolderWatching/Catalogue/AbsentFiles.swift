import LibraryModel

/// Known files that are not where they were, while they may still appear elsewhere. Pure. It holds
/// what the catalogue held of them, and is no larger than what went from there.
struct AbsentFiles {
  struct Absent {
    var facts: FileFacts?
    /// When its going was first heard of (monotonic).
    var since: Int64
    /// Whether the receiver is sure to know of these facts at this path.
    var isTold = true
    /// Whether the receiver was ever told that a file is at this path.
    var isKnown = true
  }

  private var files: [BytePath: Absent] = [:]
  /// What the receiver has not been told: files that are absent now, and files that it was told to
  /// be absent and that are not any more.
  private var news: (absent: Set<BytePath>, returned: Set<BytePath>) = ([], [])
  private var paths: [FileStamp: BytePath] = [:]

  var count: Int { files.count }
  var isEmpty: Bool { files.isEmpty }
  var all: [BytePath] { files.keys.sorted() }

  subscript(path: BytePath) -> Absent? { files[path] }

  mutating func add(_ path: BytePath, _ facts: FileFacts?, since: Int64) {
    files[path] = Absent(facts: facts, since: since)
    if news.returned.remove(path) == nil { news.absent.insert(path) }
    if let facts { paths[facts.stamp] = path }
  }

  /// Notes that a file was found, and went before that could be told.
  mutating func noteUntold(_ path: BytePath) {
    files[path]?.isTold = false
    files[path]?.isKnown = false
  }

  /// Whether the receiver knows any of them.
  var hasKnown: Bool { files.values.contains(where: \.isKnown) }

  /// Something was found, which may be the song of any of them: its place there is given up then.
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

  /// What is known of an absent file that is this one, as it was down to the time of its last
  /// change: its directory was renamed. Where inode numbers mean nothing, its name has to be the
  /// same too.
  func facts(of stamp: FileStamp, named name: [UInt8]) -> FileFacts? {
    guard let path = paths[stamp], let facts = files[path]?.facts else { return nil }
    if stamp.identity.inode == 0 && !path.name.elementsEqual(name) { return nil }
    return facts
  }

  /// The files whose time has come, which are no longer held. The receiver is told that they
  /// vanished.
  mutating func takeOver(since deadline: Int64) -> [BytePath] {
    let over = files.filter { $0.value.since <= deadline }.keys.sorted()
    for path in over { remove(path) }
    news.returned.subtract(over)
    return over
  }

  /// What the receiver has to be told, beside what is over. It is told by then.
  mutating func takeNews() -> (absent: [BytePath], returned: [BytePath]) {
    defer { news = ([], []) }
    return (news.absent.sorted(), news.returned.sorted())
  }

  /// Whether any is that has been absent for so long.
  func isAnyOver(after wait: Int64, at now: Int64) -> Bool {
    files.values.contains { $0.since + wait <= now }
  }

  /// When the next of them is over.
  func nextOver(after wait: Int64) -> Int64? {
    files.values.lazy.map { $0.since + wait }.min()
  }

  mutating func removeAll() {
    for path in all { remove(path) }
  }
}
