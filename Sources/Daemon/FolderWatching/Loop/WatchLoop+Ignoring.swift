import LibraryModel

/// What the person wants left out.
extension WatchLoop {
  /// Whether anything may be left out that has an ordinary name.
  var hasRules: Bool {
    !ignoreRules.isEmpty || !settingsRules.isEmpty || !settings.leftOut.isEmpty
  }

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
        || isLeftOut(path, in: folder, isFolder: isFolder, ignoreRules[folder])
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
    if isFolder && settings.leftOut.contains(absolute(path)) { return true }
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
      let rules = above == folder ? own : ignoreRules[above]
      let below = Array(parts[depth...])
      if let isOut = rules?.leavesOut(below, isFolder: isFolder) { return isOut }
      above = above.parent
    }
    return settingsRules.leavesOut(parts, isFolder: isFolder)
  }

  /// Keeps the rules of the directory that was just listed. True where they are others than before,
  /// so that everything below has to be looked at.
  func takeIgnoreRules(_ folder: BytePath) -> Bool {
    if listing.ignoreRules == nil && ignoreRules.isEmpty { return false }
    guard ignoreRules[folder] != listing.ignoreRules else { return false }
    ignoreRules[folder] = listing.ignoreRules
    return true
  }
}
