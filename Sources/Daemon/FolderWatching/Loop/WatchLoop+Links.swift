import LibraryModel
import Platform

/// Files that symbolic links lead to: each is listed once, by the first of its paths in byte order.
extension WatchLoop {
  /// Whether the file is listed by a path before this one.
  func losesToOtherPath(_ entry: FolderListing.Entry, in folder: BytePath) -> Bool {
    let path = folder.appending(listing.name(entry))
    let inode = Inode(device: entry.device, inode: entry.inode)
    let others = otherLinks(to: inode, than: path)
    guard entry.isLink else { return others.contains { $0 < path } }
    let real = placeOfTarget(path)
    if let real, real < path { return true }
    if others.contains(where: { $0 < path }) { return true }
    // Another path leads to that file now, if any does.
    if paths.noteLink(path, to: inode) { needsFullLook = true }
    // Where the file was listed before, it has to be taken out.
    for former in others + [real].compactMap({ $0 }) where isListed(former) {
      pending.note(.other, in: former.parent, at: now)
    }
    return false
  }

  /// Notes where the links lead to in the directory that was just listed.
  func noteLinks(of folder: Catalogue.ID, _ path: BytePath) {
    let links = listing.entries.filter(\.isLink)
    if links.isEmpty && !linkTargets.hasAny(folder) { return }
    var places: Set<BytePath> = []
    for entry in links {
      let link = absolute(path.appending(listing.name(entry)))
      let target = BytePath(resolvedPathWaiting(Array(link.bytes)))
      let place = entry.kind == .folder ? target : target.parent
      if !place.isInside(rootWatch.resolved ?? root) { places.insert(place) }
    }
    linkTargets.set(places, of: folder)
  }

  /// Links that lead to this very file, and not only to one with its number.
  private func otherLinks(to inode: Inode, than path: BytePath) -> [BytePath] {
    let links = paths.links(to: inode)
    if links.isEmpty { return [] }
    guard let location = location(of: path, inode) else { return [] }
    return links.filter { $0 != path && self.location(of: $0, inode) == location }
  }

  private func isListed(_ path: BytePath) -> Bool {
    guard let folder = catalogue.find(path.parent) else { return false }
    return catalogue.state(path.name, in: folder) != nil
  }

  /// Where in the music folder the link's target is listed by its own name; nil outside.
  private func placeOfTarget(_ path: BytePath) -> BytePath? {
    guard let resolvedRoot = rootWatch.resolved,
      let target = absolute(path).resolved()?.relative(to: resolvedRoot)
    else { return nil }
    guard ListedNames.isAudio(target.name), !isBelowLeftOut(target) else { return nil }
    return target
  }
}
