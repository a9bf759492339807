import LibraryModel

/// What the user wants left out of the music folder, as far as it is known. Pure.
struct Ignoring {
  private let root: BytePath
  /// Absolute.
  private let leftOut: [BytePath]
  private let settingsRules: IgnoreRules
  /// By the directory in which they lie.
  private(set) var rules: [BytePath: IgnoreRules] = [:]

  init(_ settings: WatchSettings, root: BytePath) {
    self.root = root
    leftOut = settings.leftOut
    settingsRules = IgnoreRules(settings.ignorePatterns.joined(separator: "\n").utf8)
  }

  /// Whether anything may be left out that has an ordinary name.
  var hasRules: Bool { !rules.isEmpty || !settingsRules.isEmpty || !leftOut.isEmpty }

  /// - Parameter folder: the directory that is being listed.
  func isLeftOut(
    _ entry: FolderListing.Entry, in folder: BytePath, _ listing: FolderListing
  ) -> Bool {
    let path = folder.appending(listing.name(entry))
    return isLeftOut(path, in: folder, isFolder: entry.kind == .folder, listing.ignoreRules)
  }

  /// Whether the path or any directory above it is left out, by the rules that were last seen.
  func isBelowLeftOut(_ path: BytePath) -> Bool {
    var (path, isFolder) = (path, false)
    while !path.isEmpty {
      let folder = path.parent
      if ListedNames.isLeftOut(path.name)
        || isLeftOut(path, in: folder, isFolder: isFolder, rules[folder])
      {
        return true
      }
      (path, isFolder) = (folder, true)
    }
    return false
  }

  private func isLeftOut(
    _ path: BytePath, in folder: BytePath, isFolder: Bool, _ own: IgnoreRules?
  ) -> Bool {
    if isFolder && leftOut.contains(root.appending(path)) { return true }
    return isIgnored(path, in: folder, isFolder: isFolder, own) ?? ListedNames.isTrash(path.name)
  }

  /// The nearest file that says anything of the path decides, and after them the settings; nil:
  /// none says anything.
  private func isIgnored(
    _ path: BytePath, in folder: BytePath, isFolder: Bool, _ own: IgnoreRules?
  ) -> Bool? {
    let parts = path.bytes.split(separator: UInt8(ascii: "/")).map(Array.init)
    var above = folder
    for depth in stride(from: parts.count - 1, through: 0, by: -1) {
      let rules = above == folder ? own : rules[above]
      let below = Array(parts[depth...])
      if let isOut = rules?.leavesOut(below, isFolder: isFolder) { return isOut }
      above = above.parent
    }
    return settingsRules.leavesOut(parts, isFolder: isFolder)
  }

  /// Stores the rules of a directory that was listed. True where they are others than before, so
  /// that everything below has to be scanned.
  mutating func store(_ found: IgnoreRules?, of folder: BytePath) -> Bool {
    if found == nil && rules.isEmpty { return false }
    guard rules[folder] != found else { return false }
    rules[folder] = found
    return true
  }

  mutating func forget(_ folder: BytePath) {
    if !rules.isEmpty { rules[folder] = nil }
  }
}
