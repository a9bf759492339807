import LibraryModel

/// Whether the music folder is there. All that exists only while it is lives in its session, so
/// that a folder that goes offline leaves nothing of it behind.
enum Presence {
  case unknown
  case online(Session)
  case offline(reason: String)

  var isOnline: Bool {
    if case .online = self { true } else { false }
  }

  /// Asked only while the folder is there.
  var session: Session {
    get {
      guard case .online(let session) = self else { Self.refuse() }
      return session
    }
    _modify {
      // Moved out and back: a copy would have every list in it copied where it is changed.
      guard case .online(var session) = consume self else { Self.refuse() }
      self = .unknown
      defer { self = .online(session) }
      yield &session
    }
  }

  /// The session where the folder is there.
  var current: Session? {
    if case .online(let session) = self { session } else { nil }
  }

  private static func refuse() -> Never {
    preconditionFailure("a folder has a session only while it is there")
  }
}

/// What exists of a music folder only while it is there.
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
