import LibraryModel

/// Whether the music folder is present.
enum Presence {
  case unknown, online
  case offline(reason: String)
}

/// The state that exists only while the music folder is present. A new one replaces it when the
/// folder goes offline, so that nothing is left behind. It is no payload of `Presence`: moving it
/// out and back for each change by a scan would cost more than the comparison itself.
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

/// The watches of the folder's directories, and the directories that lack events.
struct Watching {
  /// The error number for which there is no inotify instance; nil if there is one.
  var failure: Int32?
  /// The watch of the cookie directory.
  var cookieWatch: Int32?
  var table = WatchTable()
  var coverage = Coverage()
  var polling: Polling

  init(_ settings: WatchSettings) { polling = Polling(settings) }

  var hasInstance: Bool { failure == nil }

  /// Whether directories must be polled.
  var needsPolling: Bool { !hasInstance || !coverage.polled.isEmpty }

  mutating func opened(_ instance: KernelInstance) {
    (failure, cookieWatch) = (instance.failure, instance.cookieWatch)
  }
}
