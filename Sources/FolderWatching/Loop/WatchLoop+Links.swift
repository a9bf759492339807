import LibraryModel
import Platform

/// Files that symbolic links lead to: each is listed once, by the first of its paths in byte order.
extension WatchLoop {
  /// Whether the file is listed by a path before this one.
  func losesToOtherPath(_ entry: FolderListing.Entry, in folder: BytePath) -> Bool {
    let path = folder.appending(listing.name(entry))
    let inode = Inode(device: entry.device, inode: entry.inode)
    let other = linkedFiles[inode].flatMap { $0 != path && leads($0, to: inode) ? $0 : nil }
    guard entry.isLink else { return other.map { $0 < path } ?? false }
    let real = placeOfTarget(path)
    if let real, real < path { return true }
    if let other, other < path { return true }
    linkedFiles[inode] = path
    // Where the file was listed before, it has to be taken out.
    for former in [real, other].compactMap({ $0 }) where isListed(former) {
      pending.note(.other, in: former.parent, at: now)
    }
    return false
  }

  /// Another path leads to the file now, if any does.
  func linkWent(_ path: BytePath) {
    let count = linkedFiles.count
    linkedFiles = linkedFiles.filter { $0.value != path }
    if linkedFiles.count < count { needsFullLook = true }
  }

  private func leads(_ path: BytePath, to inode: Inode) -> Bool {
    let status = absolute(path).withCPath { FileStatus(name: $0, followsLinks: true) }
    return status.map { Inode(device: $0.device, inode: $0.inode) == inode } ?? false
  }

  private func isListed(_ path: BytePath) -> Bool {
    guard let folder = catalogue.find(path.parent) else { return false }
    return catalogue.state(path.name, in: folder) != nil
  }

  /// Where in the music folder the link's target is listed by its own name; nil outside.
  private func placeOfTarget(_ path: BytePath) -> BytePath? {
    if resolvedRoot == nil { resolvedRoot = root.resolved() }
    guard let resolvedRoot, let target = absolute(path).resolved()?.relative(to: resolvedRoot)
    else { return nil }
    let parts = target.bytes.split(separator: UInt8(ascii: "/")).map(Array.init)
    guard let name = parts.last, ListedNames.isAudio(name),
      !parts.contains(where: { ListedNames.isLeftOut($0) })
    else { return nil }
    return target
  }
}
