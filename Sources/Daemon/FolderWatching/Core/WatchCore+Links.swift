import Glibc
import LibraryModel
import Platform

/// Handles files that symbolic links lead to. Each is listed once, by the first of its paths in
/// byte order.
extension WatchCore {
  /// Whether the file is listed by an earlier path.
  mutating func losesToOtherPath(
    _ entry: FolderListing.Entry, _ name: [UInt8], in folder: BytePath
  ) -> Bool {
    let path = folder.appending(name)
    let inode = Inode(device: entry.device, inode: entry.inode)
    let others = otherLinks(to: inode, than: path)
    guard entry.isLink else { return others.contains { $0 < path } }
    let real = placeOfTarget(path)
    if let real, real < path { return true }
    if others.contains(where: { $0 < path }) { return true }
    // The link's former target may be listed by another path now.
    if session.paths.noteLink(path, to: inode) { scanAll(because: .linkChanged) }
    // The file must be removed from where it was listed before.
    for former in others + [real].compactMap({ $0 }) where tree.isListed(former) {
      note(.other, in: former.parent)
    }
    return false
  }

  /// Records the targets of the links in the listed directory.
  mutating func noteLinks(of folder: Catalogue.ID, _ path: BytePath, _ listing: FolderListing) {
    let links = listing.entries.filter(\.isLink)
    if links.isEmpty && !session.links.hasAny(folder) { return }
    var places: Set<BytePath> = []
    var targets: Set<LinkTargets.Target> = []
    for entry in links {
      let target = kernel.target(of: tree.absolute(path.appending(listing.name(entry))))
      let place = entry.kind == .folder ? target : target.parentOrRoot
      if !place.isInside(rootWatch.resolved ?? tree.root) { places.insert(place) }
      // A linked directory has a watch of its own.
      if entry.kind != .folder { targets.insert(nearestTarget(target)) }
    }
    let isHeld = session.links.set(places, targets, of: folder)
    watchTargets(targets, of: folder, path)
    let known = session.links
    let areTold = isHeld && targets.allSatisfy { known.isTold($0) }
    session.watching.coverage.note(folder, hasUntoldLinks: !areTold)
    removeUnusedWatches()
  }

  /// Forgets the links of a directory that is gone.
  mutating func forgetLinks(of folder: Catalogue.ID) {
    session.links.forget(folder)
    removeUnusedWatches()
  }

  private mutating func removeUnusedWatches() {
    // A directory of the music folder may have the same watch.
    for watch in session.links.takeUnused() where session.watching.table.folder(of: watch) == nil {
      emit(.unwatch(watch))
    }
  }

  /// Returns the file, or the first missing name on the way to it.
  private func nearestTarget(_ target: BytePath) -> LinkTargets.Target {
    var target = target
    while !target.parent.isEmpty, kernel.status(of: target.parent)?.isDirectory != true {
      target = target.parent
    }
    return LinkTargets.Target(folder: target.parentOrRoot, name: target.name)
  }

  /// Watches the directories of the targets. A full scan renews the watches, as other directories
  /// may be at their paths by then.
  private mutating func watchTargets(
    _ targets: Set<LinkTargets.Target>, of folder: Catalogue.ID, _ path: BytePath
  ) {
    var isAnyNew = false
    for target in Set(targets.map(\.folder))
    where session.round.isFull || !session.links.isWatched(target) {
      // Events of a target that is not stored would be ignored.
      guard !session.links.folders(linkingTo: nil, in: target).isEmpty else { continue }
      if watchTarget(target) { isAnyNew = true }
    }
    // Something may have happened there between the listing and the watch.
    if isAnyNew { note(.other, in: path) }
  }

  /// Watches the directory. Returns whether it got a watch that it did not have before.
  private mutating func watchTarget(_ folder: BytePath) -> Bool {
    let count = session.watching.table.count + session.links.watchCount
    guard session.watching.hasInstance, count < settings.limits.watches,
      let watch = kernel.watch(folder)
    else { return false }
    return session.links.setWatch(watch.number, of: folder, isRemote: watch.isUntold)
  }

  /// Handles an event in a directory that links lead into.
  mutating func noteTarget(_ event: InotifyEvent) {
    let targets = session.links.folders(of: event.watch)
    if targets.isEmpty { return }
    var linking: Set<Catalogue.ID> = []
    for target in targets {
      let name = event.name.isEmpty ? nil : event.name
      linking.formUnion(session.links.folders(linkingTo: name, in: target))
    }
    if event.has(Int32(IN_IGNORED | IN_DELETE_SELF | IN_MOVE_SELF)) {
      // Another directory may be at its path by now.
      session.links.removeWatch(event.watch)
      let isNeeded =
        session.watching.table.folder(of: event.watch) != nil || event.has(Int32(IN_IGNORED))
      if !isNeeded { emit(.unwatch(event.watch)) }
    }
    let isFinished = event.has(Int32(IN_CLOSE_WRITE | IN_MOVED_TO))
    for folder in linking {
      note(isFinished ? .finished : .other, in: tree.catalogue.path(of: folder))
    }
  }

  /// Returns links that lead to this very file, and not only to one with its inode number.
  private mutating func otherLinks(to inode: Inode, than path: BytePath) -> [BytePath] {
    let links = session.paths.links(to: inode)
    if links.isEmpty { return [] }
    guard let location = location(of: path, inode) else { return [] }
    return links.filter { $0 != path && self.location(of: $0, inode) == location }
  }

  /// Returns the path in the music folder by which the link's target is listed itself; nil if it is
  /// outside or left out.
  private func placeOfTarget(_ path: BytePath) -> BytePath? {
    guard let resolvedRoot = rootWatch.resolved,
      let target = kernel.resolved(tree.absolute(path))?.relative(to: resolvedRoot)
    else { return nil }
    guard ListedNames.isAudio(target.name), !tree.ignoring.isBelowLeftOut(target) else {
      return nil
    }
    return target
  }
}
