import Glibc
import LibraryModel
import Platform

/// Whether the music folder is there.
extension WatchLoop {
  /// Asked before every look, and again before anything is told to have vanished.
  @discardableResult
  func checkRoot() -> Bool {
    if let hang {
      goOffline(hang)
      if !reading.health.hasNoReader { reading.tryAgain() }
      return false
    }
    switch RootLook(root) {
    case .away(let reason):
      goOffline(reason)
    case .there(let found):
      let decision = RootDecision(found: found, known: knownRoot) {
        acceptsOtherRoot ? (0, 0) : sampleKnownPaths()
      }
      switch decision {
      case .same:
        goOnline()
      case .adopt:
        let isOther = knownRoot != nil && connection == .online
        knownRoot = found
        if isOther { goOffline("it was replaced") }
        goOnline()
      case .refuse:
        goOffline(
          "it is not the folder that it was (another drive?): unmount what lies over it; if that is"
            + " meant: crate rescan \(root.display)")
      }
      if isOnline { acceptsOtherRoot = false }
    }
    return isOnline
  }

  /// Why nobody else is to ask the folder anything, whatever the kernel still knows of it.
  private var hang: String? {
    if stuckCalls.isStuck(.opener) { return noAnswer }
    let health = reading.health
    guard health.isHung else { return nil }
    let reason = "its files can't be read: the drive or server behind it hangs"
    let count = health.stuckReaders
    if count == 0 { return reason }
    return reason + " (and \(count) tag \(count == 1 ? "reader waits" : "readers wait") for it)"
  }

  /// Others may be stuck in the folder, and come back.
  func noteHangs() {
    let hang = hang
    if let hang, isOnline { goOffline(hang) }
    if hang == nil, wasHung { nextProbe = now }
    wasHung = hang != nil
  }

  private func goOnline() {
    if isOnline { return }
    connection = .online
    needsFullLook = true
    if let real = root.resolved(), real != resolvedRoot {
      resolvedRoot = real
      mountTable = readMounts()
    }
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
    failedLooks = [:]
    folderTimers.removeAll()
    hasOverflowed = false
    paths.removeAll()
    coverage = Coverage()
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
      inotifyFailure = error.code
    }
  }

  func closeInotify() {
    inotify = nil
    cookieWatch = nil
    watches.removeAll()
  }

  /// Up to a hundred known paths, evenly spread: how many of them are there.
  private func sampleKnownPaths() -> (tried: Int, there: Int) {
    var paths: [BytePath] = []
    var step = 1
    var index = 0
    for folder in catalogue.subtree(.root) {
      for file in catalogue[folder].files where file.state.isSong {
        defer { index += 1 }
        guard index % step == 0 else { continue }
        paths.append(absolute(FileKey(folder: folder, name: file.name)))
        guard paths.count == 2 * Self.mostSampled else { continue }
        // Every other one of so many, and every other one of those to come.
        paths = paths.enumerated().filter { $0.offset % 2 == 0 }.map(\.element)
        step *= 2
      }
    }
    paths += absent.all.prefix(Self.mostSampled - min(paths.count, Self.mostSampled)).map(absolute)
    let sample = Self.spread(paths)
    let there = sample.count { path in
      path.withCPath { FileStatus(name: $0, followsLinks: true) } != nil
    }
    return (sample.count, there)
  }

  private static let mostSampled = 100

  private static func spread(_ paths: [BytePath]) -> [BytePath] {
    if paths.count <= mostSampled { return paths }
    return (0..<mostSampled).map { paths[$0 * paths.count / mostSampled] }
  }
}

/// Of a folder from which a call doesn't come back.
let noAnswer = "it doesn't answer: the drive or server behind it hangs"
