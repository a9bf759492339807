/// The truth about a small tree: what is there, and what was at any time. Paths are relative; those
/// that begin with "m" are in the music folder.
struct PlainTree: Sendable {
  struct Name: Sendable {
    /// Which file it names; hard links name the same.
    var file: Int
    /// Where it was before it was renamed.
    var former: Set<String> = []
    /// The file was written by another name: no news names this one.
    var isUnheard = false
  }

  /// A text, or another path, that there was.
  struct Pair: Hashable, Sendable {
    var path: String
    var other: String
  }

  private(set) var folders: Set<String> = ["m", "o"]
  private(set) var names: [String: Name] = [:]
  private(set) var texts: [Int: String] = [:]
  /// Counts the operations.
  private(set) var time = 0
  /// Since when each path leads to a file without a break.
  private(set) var since: [String: Int] = [:]
  /// Since when each path leads to the same file.
  private(set) var sinceFile: [String: Int] = [:]
  /// Until when each path did that leads nowhere now.
  private(set) var until: [String: Int] = [:]
  private(set) var existed: Set<Pair> = []
  private(set) var renames: Set<Pair> = []
  /// The same of names in renamed directories, whichever files had them.
  private(set) var directoryRenames: Set<Pair> = []
  private var fileCount = 0
  /// Files that have, or had, several names.
  private var linked: Set<Int> = []

  /// The songs in the music folder.
  var songs: [String: String] {
    var result: [String: String] = [:]
    for (path, name) in names where Self.isSong(path) { result[path] = texts[name.file] }
    return result
  }

  static func isSong(_ path: String) -> Bool {
    path.utf8.first == UInt8(ascii: "m") && path.hasSuffix(".mp3") && !path.contains("/.")
      && !path.contains(".part/")
  }

  static func parent(_ path: String) -> String {
    path.lastIndex(of: "/").map { String(path[..<$0]) } ?? ""
  }

  private static func isInside(_ path: String, _ folder: String) -> Bool {
    path.utf8.count > folder.utf8.count && path.hasPrefix(folder)
      && path.utf8.dropFirst(folder.utf8.count).first == UInt8(ascii: "/")
  }

  private mutating func change(_ body: (inout PlainTree) -> Void) {
    let before = names.mapValues(\.file)
    time += 1
    body(&self)
    for path in before.keys where names[path] == nil {
      since[path] = nil
      sinceFile[path] = nil
      until[path] = time
    }
    for (path, name) in names {
      if before[path] == nil { since[path] = time }
      if before[path] != name.file { sinceFile[path] = time }
      existed.insert(Pair(path: path, other: texts[name.file] ?? ""))
    }
  }

  mutating func madeFolder(_ path: String) {
    change { $0.folders.insert(path) }
  }

  /// Returns which file it is.
  @discardableResult
  mutating func wrote(_ path: String, _ text: String) -> Int {
    let file = names[path]?.file ?? fileCount
    if file == fileCount { fileCount += 1 }
    change { tree in
      if tree.names[path] == nil { tree.names[path] = Name(file: file) }
      tree.setText(file, text)
      tree.names[path]?.isUnheard = false
    }
    return file
  }

  /// By a name that it had when it was opened.
  mutating func wrote(file: Int, _ text: String) {
    change { $0.setText(file, text) }
  }

  private mutating func setText(_ file: Int, _ text: String) {
    texts[file] = text
    guard linked.contains(file) else { return }
    for (path, name) in names where name.file == file { names[path]?.isUnheard = true }
  }

  mutating func linked(_ from: String, _ to: String) {
    guard let file = names[from]?.file else { return }
    linked.insert(file)
    change { $0.names[to] = Name(file: file) }
  }

  mutating func removed(_ path: String) {
    change { tree in
      tree.names[path] = nil
      tree.folders.remove(path)
    }
  }

  mutating func moved(_ from: String, _ to: String) {
    // Two names of one file stay two names.
    if let one = names[from], names[to]?.file == one.file { return }
    change { $0.rename(from, to) }
  }

  mutating func exchanged(_ one: String, _ other: String) {
    if let name = names[one], names[other]?.file == name.file { return }
    change { tree in
      tree.rename(one, "")
      tree.rename(other, one)
      tree.rename("", other)
    }
    // The kernel reports two renames. If both directories are scanned between the reports, the
    // second one seems to be that of what is there by then.
    for (from, to) in [(one, other), (other, one)] {
      for path in names.keys where Self.isInside(path, from) {
        directoryRenames.insert(Pair(path: path, other: to + path.dropFirst(from.count)))
      }
    }
  }

  private mutating func rename(_ from: String, _ to: String) {
    func moved(_ path: String) -> String? {
      guard path == from || Self.isInside(path, from) else { return nil }
      return to + path.dropFirst(from.count)
    }
    let former = existed.map { Pair(path: $0.path, other: $0.path) }
    for pair in folders.contains(from) ? directoryRenames.union(former) : directoryRenames {
      if let new = moved(pair.other) {
        directoryRenames.insert(Pair(path: pair.path, other: new))
      }
    }
    if folders.remove(from) != nil { folders.insert(to) }
    for folder in folders where Self.isInside(folder, from) {
      folders.remove(folder)
      folders.insert(to + folder.dropFirst(from.count))
    }
    for (path, name) in names where path == from || Self.isInside(path, from) {
      let new = to + path.dropFirst(from.count)
      var name = name
      name.former.insert(path)
      names[path] = nil
      names[new] = name
      for former in name.former { renames.insert(Pair(path: former, other: new)) }
    }
  }
}
