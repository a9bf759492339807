import Glibc
import LibraryModel
import Platform

/// Whether the music folder is there.
extension WatchLoop {
  /// Asked before every look, and again before anything is told to have vanished.
  @discardableResult
  func checkRoot() -> Bool {
    if let hang {
      follow(rootWatch.hangs(hang, at: now))
      if !reader.health.hasNoReader { reader.tryAgain() }
      return false
    }
    let look = RootLook(root)
    follow(rootWatch.looked(look, at: now, name: root.display) { sampleKnownPaths() })
    return isOnline
  }

  /// Why nobody else is to ask the folder anything, whatever the kernel still knows of it.
  private var hang: String? {
    if stuckCalls.isStuck(.opener) { return noAnswer }
    return reader.health.hang
  }

  /// Others may be stuck in the folder, and come back.
  func noteHangs() { follow(rootWatch.noteHang(hang, at: now)) }

  private func follow(_ turn: RootWatch.Turn) {
    switch turn {
    case .stays: break
    case .came: comeOnline()
    case .went: goOffline()
    case .replaced:
      goOffline()
      comeOnline()
    }
  }

  private func comeOnline() {
    needsFullLook = true
    if let real = root.resolved(), real != rootWatch.resolved {
      rootWatch.resolved = real
      mountTable = readMounts()
    }
    openInotify()
  }

  private func goOffline() {
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

  /// Where there is none.
  func openInotify() {
    do throws(SystemCallError) {
      let inotify = try openEvents()
      self.inotify = inotify
      cookieWatch = settings.cookies.withCPath { inotify.add(cookies: $0) }
    } catch {
      // Without an instance everything is polled, and one is asked for from time to time.
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
    var known = EvenSample<BytePath>(most: Self.mostSampled)
    for folder in catalogue.subtree(.root) {
      for file in catalogue[folder].files where file.state.isSong {
        known.add(absolute(FileKey(folder: folder, name: file.name)))
      }
    }
    var sample = known.elements
    sample += absent.all.prefix(Self.mostSampled - sample.count).map(absolute)
    let there = sample.count { path in
      path.withCPath { FileStatus(name: $0, followsLinks: true) } != nil
    }
    return (sample.count, there)
  }

  private static let mostSampled = 100
}

/// Of a folder from which a call doesn't come back.
let noAnswer = "it doesn't answer: the drive or server behind it hangs"
