/// The reason for scanning a music folder as a whole.
package enum ScanReason: Sendable, Hashable, CaseIterable, CustomStringConvertible {
  case start, cameBack, replaced, hourly, overflow, mountsChanged, wokeUp, noCookie, linkChanged
  case watchAvailable, brokenOff, rescan

  package var description: String {
    switch self {
    case .start: "the daemon has started"
    case .cameBack: "it is there again"
    case .replaced: "another folder like it is in its place"
    case .hourly: "an hour has passed since the last"
    case .overflow: "the kernel lost events"
    case .mountsChanged: "something was mounted or unmounted"
    case .wokeUp: "the machine has slept"
    case .noCookie: "the kernel does not say how far it has told its events"
    case .linkChanged: "a link to a file went or leads elsewhere"
    case .watchAvailable: "directories can be watched that could not"
    case .brokenOff: "the last full scan was broken off"
    case .rescan: "a client asked for it"
    }
  }
}
