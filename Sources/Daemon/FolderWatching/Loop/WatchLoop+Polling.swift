import LibraryModel
import Platform

/// When directories are looked at that the kernel doesn't tell of. Pure; nanoseconds, monotonic.
struct Polling {
  struct Rhythm {
    private let shortest: Int64
    private var interval: Int64
    /// When the next look is due.
    private(set) var next = Int64.max

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
  private var isNeeded = false

  init(_ settings: WatchSettings) {
    folders = Rhythm(settings.pollFolders)
    files = Rhythm(settings.pollFiles)
  }

  /// Nil while nothing has to be looked at.
  var next: Int64? {
    isNeeded ? min(folders.next, files.next) : nil
  }

  /// Whether the kernel doesn't tell everything by now.
  mutating func need(_ isNeeded: Bool, at now: Int64) {
    if isNeeded && !self.isNeeded {
      // The look that found it necessary has just been.
      folders.looked(hasFound: true, at: now)
      files.looked(hasFound: true, at: now)
    }
    self.isNeeded = isNeeded
  }
}

extension WatchLoop {
  func lookAtUnwatched(_ now: Int64) {
    let isNeeded = inotify == nil || !coverage.polled.isEmpty
    polling.need(isNeeded, at: now)
    guard isNeeded else { return }
    if now >= polling.folders.next { pollFolders(now) }
    if now >= polling.files.next { pollFiles(now) }
  }

  private func pollFolders(_ now: Int64) {
    if inotify == nil {
      openInotify()
      if inotify != nil {
        scanAll(because: .watchAvailable)
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
    if !coverage.lacksWatch(one), coverage.oneWithoutWatch != nil {
      scanAll(because: .watchAvailable)
    }
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
