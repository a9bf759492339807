import Glibc
import LibraryModel
import Platform

/// Whether the music folder is there.
extension WatchLoop {
  /// Asked before every look, and again before anything is told to have vanished.
  @discardableResult
  func checkRoot() -> Bool {
    if let hang {
      follow(rootWatch.hangs(hang, at: now), hangs: true)
      reader.tryAgain(anyFile)
      return false
    }
    let look = RootLook(root)
    follow(rootWatch.looked(look, at: now, name: root.display) { sampleKnownPaths() })
    return isOnline
  }

  /// Asked before anything is told to have vanished of which no event told: a disk or a server that
  /// is missing may leave an empty folder behind, which has the identity of the full one.
  ///
  /// - Parameter waited: how long what is about to be told has been absent.
  func checkMissing(_ waited: Int64) -> Bool {
    let isUntold =
      rootWatch.deletions == .untold || (rootWatch.deletions == .told && !coverage.isWhole)
    guard isUntold, absent.isAnyOver(after: waited, at: now), isMostMissing else { return true }
    let sample = sampleKnownPaths()
    guard 2 * sample.there < sample.tried else { return true }
    follow(rootWatch.emptied(at: now, name: root.display))
    return false
  }

  /// Whether the folder has fewer than half as many files as were known in it, what is on absent
  /// mounts aside. Files that were moved inside it are there.
  private var isMostMissing: Bool {
    var (there, offline) = (0, 0)
    for folder in catalogue.subtree(.root) {
      let count = catalogue[folder].files.count
      let away = catalogue[folder].status == nil ? count : strays[folder]?.count ?? 0
      there += count - away
      offline += away
    }
    return 2 * there < walk.knownFiles - offline
  }

  /// Why nobody else is to ask the folder anything, whatever the kernel still knows of it.
  private var hang: String? {
    if stuckCalls.isStuck(.opener) { return noAnswer }
    return reader.hang(witness: knownSong)
  }

  /// Others may be stuck in the folder, and come back.
  func noteHangs() {
    let hang = hang
    follow(rootWatch.noteHang(hang, at: now), hangs: hang != nil)
  }

  private func follow(_ turn: RootWatch.Turn, hangs: Bool = false) {
    switch turn {
    case .stays: break
    case .came: comeOnline()
    case .went: goOffline(hangs: hangs)
    case .replaced:
      goOffline(hangs: false)
      comeOnline()
    }
  }

  private func comeOnline() {
    needsFullLook = true
    if let real = root.resolved(), real != rootWatch.resolved {
      rootWatch.resolved = real
      readMounts()
    }
    openInotify()
  }

  private func goOffline(hangs: Bool) {
    dropBatch()
    for path in absent.all { keep(path, absent[path]?.facts) }
    absent.removeAll()
    forgetReadings(hangs: hangs)
    pending.removeAll()
    renames.removeAll()
    failedLooks = [:]
    folderTimers.removeAll()
    hasOverflowed = false
    paths.removeAll()
    coverage = Coverage()
    linkTargets = LinkTargets()
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
    for path in absent.all { known.add(absolute(path)) }
    let sample = known.elements
    let there = sample.count { path in
      path.withCPath { FileStatus(name: $0, followsLinks: true) } != nil
    }
    return (sample.count, there)
  }

  private static let mostSampled = 100

  // MARK: Witnesses

  /// A file that was read before, and is none of those: each time another one, as those of one
  /// directory may all be bad. Nil: there is none.
  private func knownSong(besides bad: Set<FileStamp>) -> BytePath? {
    file { state in
      if case .settled(let facts) = state { !bad.contains(facts.stamp) } else { false }
    }
  }

  /// One that was read before if there is any, or else any other, and of those only where there
  /// are none but those.
  private func anyFile(besides bad: Set<FileStamp>) -> BytePath? {
    knownSong(besides: bad)
      ?? file { state in state.stamp.map { !bad.contains($0) } ?? true }
      ?? file { _ in true }
  }

  private func file(where isMeant: (Catalogue.State) -> Bool) -> BytePath? {
    var sample = EvenSample<FileKey>(most: Self.mostSampled)
    for folder in catalogue.subtree(.root) {
      for file in catalogue[folder].files where isMeant(file.state) {
        sample.add(FileKey(folder: folder, name: file.name))
      }
    }
    let keys = sample.elements
    if keys.isEmpty { return nil }
    defer { trials += 1 }
    return absolute(keys[trials % keys.count])
  }
}

/// Of a folder from which a call doesn't come back.
let noAnswer = "it doesn't answer: the drive or server behind it hangs"
