import LibraryModel

/// The rules for what is left out of the music folder, as far as they are known. Pure.
struct Ignoring {
  private let root: BytePath
  /// Absolute paths.
  private let leftOut: [BytePath]
  private let settingsRules: IgnoreRules
  /// The rules of each `.crateignore`, by the directory that it is in.
  private(set) var rules: [BytePath: IgnoreRules] = [:]

  init(_ settings: WatchSettings, root: BytePath) {
    self.root = root
    leftOut = settings.leftOut
    settingsRules = IgnoreRules(settings.ignorePatterns.joined(separator: "\n").utf8)
  }

  /// Whether any entry with an ordinary name may be left out.
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

  /// Returns the decision of the nearest `.crateignore` that matches the path, or else of the
  /// settings; nil if nothing matches.
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

  /// Stores the rules of a listed directory. Returns true if they changed, so that everything below
  /// must be scanned.
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
