import Glibc
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
    if paths.noteLink(path, to: inode) { scanAll(because: .linkChanged) }
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
    var targets: Set<LinkTargets.Target> = []
    for entry in links {
      let link = absolute(path.appending(listing.name(entry)))
      let target = BytePath(resolvedPathWaiting(Array(link.bytes)))
      let place = entry.kind == .folder ? target : target.parentOrRoot
      if !place.isInside(rootWatch.resolved ?? root) { places.insert(place) }
      // A directory is watched itself.
      if entry.kind != .folder { targets.insert(nearestTarget(target)) }
    }
    let isHeld = linkTargets.set(places, targets, of: folder)
    watchTargets(targets, of: folder, path)
    let areTold = isHeld && targets.allSatisfy { linkTargets.isTold($0) }
    coverage.note(folder, hasUntoldLinks: !areTold)
    removeUnusedWatches()
  }

  /// The directory went in which the links were.
  func forgetLinks(of folder: Catalogue.ID) {
    linkTargets.forget(folder)
    removeUnusedWatches()
  }

  private func removeUnusedWatches() {
    // A directory of the music folder may have the same watch.
    for watch in linkTargets.takeUnused() where watches.folder(of: watch) == nil {
      inotify?.remove(watch)
    }
  }

  /// The file, or the first name that is missing on the way to it.
  private func nearestTarget(_ target: BytePath) -> LinkTargets.Target {
    var target = target
    while !target.parent.isEmpty,
      target.parent.withCPath({ FileStatus(name: $0, followsLinks: true)?.isDirectory }) != true
    {
      target = target.parent
    }
    return LinkTargets.Target(folder: target.parentOrRoot, name: target.name)
  }

  /// Has the kernel tell of the directories that the targets are in. A full look does so anew, as
  /// others may be at their paths by then.
  private func watchTargets(
    _ targets: Set<LinkTargets.Target>, of folder: Catalogue.ID, _ path: BytePath
  ) {
    var isAnyNew = false
    for target in Set(targets.map(\.folder)) where walk.isFull || !linkTargets.isWatched(target) {
      // A target that can't be held is not looked for when something happens to it.
      guard !linkTargets.folders(linkingTo: nil, in: target).isEmpty else { continue }
      if watchTarget(target) { isAnyNew = true }
    }
    // Something may have happened there between the listing and the watch.
    if isAnyNew { pending.note(.other, in: path, at: now) }
  }

  /// Whether the directory has a watch that it had not before.
  private func watchTarget(_ folder: BytePath) -> Bool {
    guard let inotify, watches.count + linkTargets.watchCount < settings.mostWatches else {
      return false
    }
    let flags = O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_NONBLOCK | O_CLOEXEC
    let descriptor = folder.withCPath { path in retrying { open(path, flags) } }
    guard descriptor >= 0 else { return false }
    let directory = OpenFile(owning: descriptor)
    guard let system = FileSystemStatus(descriptor: descriptor),
      let watch = try? inotify.add(openDirectory: directory.descriptor)
    else { return false }
    return linkTargets.setWatch(
      watch, of: folder, isRemote: system.isRemote || system.isOfKernel)
  }

  /// Something happened in a directory that links lead into.
  func noteTarget(_ event: InotifyEvent, at now: Int64) {
    let targets = linkTargets.folders(of: event.watch)
    if targets.isEmpty { return }
    var linking: Set<Catalogue.ID> = []
    for target in targets {
      let name = event.name.isEmpty ? nil : event.name
      linking.formUnion(linkTargets.folders(linkingTo: name, in: target))
    }
    if event.has(Int32(IN_IGNORED | IN_DELETE_SELF | IN_MOVE_SELF)) {
      // Another directory may be at its path by now.
      linkTargets.removeWatch(event.watch)
      let isNeeded = watches.folder(of: event.watch) != nil || event.has(Int32(IN_IGNORED))
      if !isNeeded { inotify?.remove(event.watch) }
    }
    let isFinished = event.has(Int32(IN_CLOSE_WRITE | IN_MOVED_TO))
    for folder in linking {
      pending.note(isFinished ? .finished : .other, in: catalogue.path(of: folder), at: now)
    }
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
