import LibraryModel
import Platform

/// When directories are looked at that the kernel doesn't tell of. Pure; nanoseconds, monotonic.
struct Polling {
  struct Rhythm {
    let shortest: Int64
    var interval: Int64
    var next: Int64 = 0

    init(_ shortest: Int64) {
      self.shortest = shortest
      interval = shortest
    }

    /// Twice as long after each look that found nothing, up to an hour.
    mutating func looked(hasFound: Bool, at now: Int64) {
      interval = hasFound ? shortest : min(2 * interval, max(shortest, 3_600 * seconds))
      next = now + interval
    }
  }

  var folders: Rhythm
  var files: Rhythm
  var isNeeded = false {
    didSet {
      guard isNeeded, !oldValue else { return }
      folders.interval = folders.shortest
      files.interval = files.shortest
      folders.next = 0
      files.next = 0
    }
  }

  init(_ settings: WatchSettings) {
    folders = Rhythm(settings.pollFolders)
    files = Rhythm(settings.pollFiles)
  }

  var next: Int64? {
    isNeeded ? min(folders.next, files.next) : nil
  }
}

extension WatchLoop {
  func lookAtUnwatched(_ now: Int64) {
    let isNeeded = inotify == nil || !coverage.isWhole
    if isNeeded && !polling.isNeeded {
      polling.isNeeded = true
      // The look that found it necessary has just been.
      polling.folders.next = now + polling.folders.interval
      polling.files.next = now + polling.files.interval
    } else if !isNeeded {
      polling.isNeeded = false
    }
    guard isNeeded else { return }
    if now >= polling.folders.next { pollFolders(now) }
    if now >= polling.files.next { pollFiles(now) }
  }

  private func pollFolders(_ now: Int64) {
    if inotify == nil {
      openInotify()
      if inotify != nil {
        needsFullLook = true
        polling.folders.looked(hasFound: true, at: now)
        return
      }
    }
    var hasFound = false
    for folder in coverage.polled {
      let path = catalogue.path(of: folder)
      let changed = absolute(path).withCPath { FileStatus(name: $0, followsLinks: true)?.changed }
      guard changed != catalogue[folder].status?.changed else { continue }
      pending.note(.finished, in: path, at: now)
      hasFound = true
    }
    tryToWatch(now)
    polling.folders.looked(hasFound: hasFound, at: now)
  }

  /// Looks at one directory that has no watch; if it gets one, the others are looked at too.
  private func tryToWatch(_ now: Int64) {
    guard inotify != nil, let one = coverage.oneWithoutWatch else { return }
    let path = catalogue.path(of: one)
    pending.note(.finished, in: path, at: now)
    lookAtDue(pending.takeDue(at: now))
    if !coverage.lacksWatch(one), coverage.oneWithoutWatch != nil { needsFullLook = true }
  }

  private func pollFiles(_ now: Int64) {
    let before = batch.count
    for folder in coverage.polled {
      pending.note(.finished, in: catalogue.path(of: folder), at: now)
    }
    lookAtDue(pending.takeDue(at: now))
    let hasFound = batch.count > before || !readings.isEmpty || !absent.isEmpty
    polling.files.looked(hasFound: hasFound, at: now)
  }
}
