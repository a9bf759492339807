import LibraryModel
import Platform

/// Whether the music folder is there, and is the one that it was. Pure: its status is passed
/// in. Times in nanoseconds, monotonic.
struct RootWatch {
  /// What its status changed.
  enum Turn: Equatable {
    case stays
    case came
    case away(reason: String)
    /// Another folder is in its place, which counts as the same: all is to be scanned anew.
    case replaced
  }

  /// Whether what is missing was deleted.
  enum Deletions: Equatable {
    /// Events tell of deletions, as far as the folder is watched.
    case told
    /// No event can have told of them: the folder has just come, or something was mounted or
    /// unmounted in it or over it.
    case untold
    /// A person said that what is there is meant.
    case accepted
  }

  /// The folder's, by which it is known again; nil: it was never seen.
  private(set) var identity: FileIdentity?
  /// When it is looked for again, while it is away.
  private(set) var nextProbe: Int64 = 0
  /// Whether a client asked for whatever is there, and however little, to be taken for it.
  private(set) var acceptsOther = false
  private(set) var deletions = Deletions.untold
  /// Whether it is away because too few of the known files were in it.
  private var wasEmptied = false
  /// What symbolic links in its path led to when it was last found.
  var resolved: BytePath?
  /// Whether a call was stuck in it when that was last asked.
  private var wasHung = false
  private let probe: Int64

  /// - Parameter probe: how long until a folder that is away is looked for again.
  init(identity: FileIdentity?, probe: Int64) {
    self.identity = identity
    self.probe = probe
  }

  /// A person says that what is there is meant, or it is no longer asked for.
  mutating func accept(other: Bool) { acceptsOther = other }

  /// Checks at once whether the root is back: mounts changed, or the machine slept.
  mutating func probeNow() { nextProbe = 0 }

  /// Something was mounted or taken away: what is missing may be hidden, and not deleted.
  mutating func mountsChanged() {
    deletions = .untold
    probeNow()
  }

  /// Everything was scanned, and the receiver knows what is missing.
  mutating func toldAll() { deletions = .told }

  /// - Parameters:
  ///   - isOnline: whether it was there until now.
  ///   - sample: asked only where it decides, how many known paths were tried, and how many of them
  ///     are there.
  mutating func checked(
    _ status: RootStatus, isOnline: Bool, at now: Int64, name: String,
    sample: () -> (tried: Int, there: Int)
  ) -> Turn {
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
        "it is not the folder that it was (another drive?): unmount what lies over it; if that is"
          + " meant: crate rescan \(name)", at: now)
    case .same, .adopt:
      let turn: Turn = isOnline ? (identity == found ? .stays : .replaced) : .came
      if turn != .stays { deletions = .untold }
      if acceptsOther { deletions = .accepted }
      identity = found
      acceptsOther = false
      wasEmptied = false
      return turn
    }
  }

  /// Fewer than half of the known files are in it, and no event told that the others were deleted.
  mutating func emptied(at now: Int64, name: String) -> Turn {
    wasEmptied = true
    return lose(
      "fewer than half of its songs are in it: is a disk or a server behind it missing? If they"
        + " were deleted: crate rescan \(name)", at: now)
  }

  /// A call for the folder doesn't come back, so that nothing else is asked of it.
  mutating func hangs(_ reason: String, at now: Int64) -> Turn { lose(reason, at: now) }

  /// Between checks: whether a call is stuck in it, which may come back.
  mutating func noteHang(_ reason: String?, isOnline: Bool, at now: Int64) -> Turn {
    defer { wasHung = reason != nil }
    if let reason { return isOnline ? lose(reason, at: now) : .stays }
    if wasHung { nextProbe = now }
    return .stays
  }

  private mutating func lose(_ reason: String, at now: Int64) -> Turn {
    nextProbe = now + probe
    return .away(reason: reason)
  }
}
