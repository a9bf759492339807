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

  func follow(_ turn: RootWatch.Turn, hangs: Bool = false) {
    switch turn {
    case .stays: break
    case .came: comeOnline(because: .cameBack)
    case .went: goOffline(hangs: hangs)
    case .replaced:
      goOffline(hangs: false)
      comeOnline(because: .replaced)
    }
  }

  private func comeOnline(because reason: ScanReason) {
    if fullScan != .start { fullScan = reason }
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
  func sampleKnownPaths() -> (tried: Int, there: Int) {
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
