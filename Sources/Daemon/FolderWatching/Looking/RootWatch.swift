import LibraryModel
import Platform

/// Whether the music folder is there, and is the one that it was. Pure: what looks at it found is
/// passed in. Times in nanoseconds, monotonic.
struct RootWatch {
  enum Connection: Equatable {
    case unknown, online
    case offline(reason: String)
  }

  /// What a look at it changed.
  enum Turn: Equatable {
    case stays
    case came
    case went
    /// Another folder is in its place, which counts as the same: all is to be looked at anew.
    case replaced
  }

  private(set) var connection = Connection.unknown
  /// The folder's, by which it is known again; nil: it was never seen.
  private(set) var identity: FileIdentity?
  /// When it is looked for again, while it is away.
  private(set) var nextProbe: Int64 = 0
  /// Whether somebody asked for whatever is there to be taken for it.
  private(set) var acceptsOther = false
  /// What symbolic links in its path led to when it was last found.
  var resolved: BytePath?
  /// Whether somebody was stuck in it when it was last asked.
  private var wasHung = false
  private let probe: Int64

  /// - Parameter probe: how long until a folder that is away is looked for again.
  init(identity: FileIdentity?, probe: Int64) {
    self.identity = identity
    self.probe = probe
  }

  var isOnline: Bool { connection == .online }

  /// A person says that what is there is meant, or it is no longer asked for.
  mutating func accept(other: Bool) { acceptsOther = other }

  /// Looks at once whether the root is back: mounts changed, or the machine slept.
  mutating func probeNow() { nextProbe = 0 }

  /// - Parameter sample: asked only where it decides, how many known paths were tried, and how many
  ///   of them are there.
  mutating func looked(
    _ look: RootLook, at now: Int64, name: String, sample: () -> (tried: Int, there: Int)
  ) -> Turn {
    let found: FileIdentity
    switch look {
    case .away(let reason): return lose(reason, at: now)
    case .there(let identity): found = identity
    }
    let decision = RootDecision(found: found, known: identity) {
      acceptsOther ? (0, 0) : sample()
    }
    switch decision {
    case .refuse:
      return lose(
        "it is not the folder that it was (another drive?): unmount what lies over it; if that is"
          + " meant: crate rescan \(name)", at: now)
    case .same, .adopt:
      let turn: Turn = isOnline ? (identity == found ? .stays : .replaced) : .came
      identity = found
      connection = .online
      acceptsOther = false
      return turn
    }
  }

  /// A call for the folder doesn't come back, so that nobody else is to ask it anything.
  mutating func hangs(_ reason: String, at now: Int64) -> Turn { lose(reason, at: now) }

  /// Between looks: whether somebody is stuck in it, who may come back.
  mutating func noteHang(_ reason: String?, at now: Int64) -> Turn {
    defer { wasHung = reason != nil }
    if let reason { return isOnline ? lose(reason, at: now) : .stays }
    if wasHung { nextProbe = now }
    return .stays
  }

  private mutating func lose(_ reason: String, at now: Int64) -> Turn {
    defer { connection = .offline(reason: reason) }
    nextProbe = now + probe
    return isOnline ? .went : .stays
  }
}
