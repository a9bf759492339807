import LibraryModel

/// Whether the music folder is there.
enum Presence {
  case unknown, online
  case offline(reason: String)
}

/// What exists of a music folder only while it is there: a new one takes its place when the folder
/// goes, so that nothing of it is left behind. It is no payload of `Presence`, since it would be
/// moved out and back whenever a scan changes it, which costs more than the comparing.
struct Session {
  var watching: Watching
  var agenda: Agenda
  var paths = Paths()
  var links = LinkTargets()
  var round = Round()
  var progress = Progress()

  init(_ settings: WatchSettings, because reason: ScanReason) {
    watching = Watching(settings)
    agenda = Agenda(settings, fullScan: reason)
  }
}

/// How the kernel tells of the folder's directories, and which of them it does not tell of.
struct Watching {
  /// Why there is no inotify instance; nil: there is one.
  var failure: Int32?
  /// The watch of the directory in which cookies are made.
  var cookieWatch: Int32?
  var table = WatchTable()
  var coverage = Coverage()
  var polling: Polling

  init(_ settings: WatchSettings) { polling = Polling(settings) }

  var hasInstance: Bool { failure == nil }

  /// Whether directories have to be scanned from time to time.
  var needsPolling: Bool { !hasInstance || !coverage.polled.isEmpty }

  mutating func opened(_ instance: KernelInstance) {
    (failure, cookieWatch) = (instance.failure, instance.cookieWatch)
  }
}
