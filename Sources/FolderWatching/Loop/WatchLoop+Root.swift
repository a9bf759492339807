import Glibc
import LibraryModel
import Platform

/// Whether the music folder is there.
extension WatchLoop {
  /// Asked before every look, and again before anything is told to have vanished.
  @discardableResult
  func checkRoot() -> Bool {
    switch RootLook(root) {
    case .away(let reason):
      goOffline(reason)
    case .there(let found):
      let decision = RootDecision(
        found: found, known: knownRoot, hasSongs: catalogue.fileCount > 0 || !absent.isEmpty
      ) {
        acceptsOtherRoot ? (0, 0) : sampleKnownPaths()
      }
      switch decision {
      case .same:
        goOnline()
      case .adopt:
        if let knownRoot { formerFileSystems.insert(knownRoot.fileSystem) }
        let isOther = knownRoot != nil && connection == .online
        knownRoot = found
        if isOther { goOffline("\(root.display) was replaced") }
        goOnline()
      case .refuse:
        goOffline(
          "another folder than the known one is at \(root.display): "
            + "`crate rescan` of it takes it as it is")
      }
      if isOnline { acceptsOtherRoot = false }
    }
    return isOnline
  }

  private func goOnline() {
    if isOnline { return }
    connection = .online
    needsFullLook = true
    openInotify()
  }

  private func goOffline(_ reason: String) {
    nextProbe = now + settings.probe
    let wasOnline = isOnline
    connection = .offline(reason: reason)
    guard wasOnline else { return }
    dropBatch()
    for path in absent.all { keep(path, absent[path]?.facts) }
    absent.removeAll()
    forgetReadings()
    pending.removeAll()
    renames.removeAll()
    retryFolders = [:]
    offlineSubtrees = []
    owners = [:]
    linkedFiles = [:]
    unwatched = []
    remote = []
    closeInotify()
    for folder in catalogue.subtree(.root) { catalogue[folder].status = nil }
  }

  func openInotify() {
    watches.removeAll()
    do throws(SystemCallError) {
      let inotify = try openEvents()
      self.inotify = inotify
      cookieWatch = settings.cookies.withCPath { inotify.add(cookies: $0) }
    } catch {
      // Without an instance everything is polled, and one is asked for from time to time.
      closeInotify()
    }
  }

  func closeInotify() {
    inotify = nil
    cookieWatch = nil
    watches.removeAll()
  }

  /// Up to a hundred known paths, evenly spread: how many of them are there.
  private func sampleKnownPaths() -> (tried: Int, there: Int) {
    let most = 100
    let step = max(1, catalogue.fileCount / most)
    var index = 0
    var tried = 0
    var there = 0
    for folder in catalogue.subtree(.root) {
      for file in catalogue[folder].files {
        index += 1
        guard (index - 1) % step == 0, tried < most else { continue }
        tried += 1
        let path = absolute(FileKey(folder: folder, name: file.name))
        if path.withCPath({ FileStatus(name: $0, followsLinks: true) }) != nil { there += 1 }
      }
    }
    return (tried, there)
  }
}
