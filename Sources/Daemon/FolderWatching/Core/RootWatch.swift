import LibraryModel
import Platform

/// Tracks whether the music folder is present and is the same one as before. Pure: its status is
/// passed in. Times in nanoseconds, monotonic.
struct RootWatch {
  /// The effect of a status check.
  enum Transition: Equatable {
    case stays
    case came
    case away(reason: String)
    /// Another folder is in its place and counts as the same: everything must be scanned.
    case replaced
  }

  /// Whether missing files were deleted.
  enum Deletions: Equatable {
    /// Events report deletions, as far as the folder is watched.
    case told
    /// No event can have reported deletions: the folder has just come online, or something was
    /// mounted or unmounted in it or over it.
    case untold
    /// The user has confirmed that the present contents are right.
    case accepted
  }

  /// The identity by which the folder is recognized; nil if it was never seen.
  private(set) var identity: FileIdentity?
  /// When to check again for a folder that is offline.
  private(set) var nextProbe: Int64 = 0
  /// Whether a client asked to accept whatever is present, however little it is.
  private(set) var acceptsOther = false
  private(set) var deletions = Deletions.untold
  /// Whether it is offline because too few of the known files were in it.
  private var wasEmptied = false
  /// The target of the symbolic links in its path, as of when it was last found.
  var resolved: BytePath?
  /// Whether a call was stuck in it at the last check.
  private var wasHung = false
  private let probe: Int64

  /// - Parameter probe: the time between two checks of an offline folder.
  init(identity: FileIdentity?, probe: Int64) {
    self.identity = identity
    self.probe = probe
  }

  /// Sets whether whatever is present is to be accepted.
  mutating func accept(other: Bool) { acceptsOther = other }

  /// Makes the next check due at once, because mounts changed or the machine slept.
  mutating func probeNow() { nextProbe = 0 }

  /// Records a mount or unmount: missing files may be hidden, and not deleted.
  mutating func mountsChanged() {
    deletions = .untold
    probeNow()
  }

  /// Records that everything was scanned and the receiver knows what is missing.
  mutating func toldAll() { deletions = .told }

  /// Decides about the root by its status.
  ///
  /// - Parameters:
  ///   - isOnline: whether the root was present until now.
  ///   - sample: returns how many known paths were tried and how many exist. Called only if it
  ///     decides.
  mutating func checked(
    _ status: RootStatus, isOnline: Bool, at now: Int64, name: String,
    sample: () -> (tried: Int, there: Int)
  ) -> Transition {
    let found: FileIdentity
    switch status {
    case .away(let reason): return lose(reason, at: now)
    case .there(let identity): found = identity
    }
    let decision = RootDecision(found: found, known: wasEmptied ? nil : identity) {
      acceptsOther ? (0, 0) : sample()
    }
    switch decision {
    case .refuse where found == identity:
      return emptied(at: now, name: name)
    case .refuse:
      return lose(
        "another folder is in its place: plug in or mount the right one, or, if this one is meant:"
          + " crate rescan \(name)", at: now)
    case .same, .adopt:
      let transition: Transition = isOnline ? (identity == found ? .stays : .replaced) : .came
      if transition != .stays { deletions = .untold }
      if acceptsOther { deletions = .accepted }
      identity = found
      acceptsOther = false
      wasEmptied = false
      return transition
    }
  }

  /// Takes the folder offline: fewer than half of the known files are in it, and no event reported
  /// that the others were deleted.
  mutating func emptied(at now: Int64, name: String) -> Transition {
    wasEmptied = true
    return lose(
      "fewer than half of its songs are in it: is a disk or a server behind it missing? If they"
        + " were deleted: crate rescan \(name)", at: now)
  }

  /// Takes the folder offline because a call in it doesn't return. It is not accessed otherwise.
  mutating func hangs(_ reason: String, at now: Int64) -> Transition { lose(reason, at: now) }

  /// Records, between checks, whether a call is stuck in the folder. It may return later.
  mutating func noteHang(_ reason: String?, isOnline: Bool, at now: Int64) -> Transition {
    defer { wasHung = reason != nil }
    if let reason { return isOnline ? lose(reason, at: now) : .stays }
    if wasHung { nextProbe = now }
    return .stays
  }

  private mutating func lose(_ reason: String, at now: Int64) -> Transition {
    nextProbe = now + probe
    return .away(reason: reason)
  }
}
