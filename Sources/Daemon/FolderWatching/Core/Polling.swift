import LibraryModel

/// The times at which directories without events are scanned. Pure; nanoseconds, monotonic.
struct Polling {
  struct Rhythm {
    private let shortest: Int64
    private var interval: Int64
    /// When the next poll is due.
    private(set) var next = Int64.max

    init(_ shortest: Int64) {
      self.shortest = shortest
      interval = shortest
    }

    /// Records a poll. The interval doubles after each poll that found nothing, up to an hour.
    mutating func polled(hasFound: Bool, at now: Int64) {
      interval = hasFound ? shortest : min(2 * interval, max(shortest, 3_600 * seconds))
      next = now + interval
    }
  }

  var folders: Rhythm
  var files: Rhythm
  private var isNeeded = false

  init(_ settings: WatchSettings) {
    folders = Rhythm(settings.intervals.folders)
    files = Rhythm(settings.intervals.files)
  }

  /// When the next poll is due; nil while nothing has to be polled.
  var next: Int64? {
    isNeeded ? min(folders.next, files.next) : nil
  }

  /// Sets whether anything has to be polled.
  mutating func need(_ isNeeded: Bool, at now: Int64) {
    if isNeeded && !self.isNeeded {
      // The scan that showed the need has only just been made.
      folders.polled(hasFound: true, at: now)
      files.polled(hasFound: true, at: now)
    }
    self.isNeeded = isNeeded
  }
}
