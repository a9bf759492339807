import Browsing
import CratesInterface
import Players

// Conversions from the interface's types to the browser's.

extension PlayingFacts {
  init(_ playing: Playing) {
    self.init(
      player: playing.player, title: playing.title, artist: playing.artist,
      isPaused: playing.isPaused)
  }
}

extension StatusFacts {
  init(_ status: Interface.LibraryStatus) {
    var troubles: [String] = []
    switch status.store {
    case .ready, .unknown: break
    case .full: troubles.append("The disk is full: nothing can be moved until there is room")
    case .readOnly:
      troubles.append("Nothing can be moved: \(status.storeReason ?? "the store is read only")")
    }
    for folder in status.folders where folder.state == .offline {
      troubles.append("\(folder.path) is offline\(folder.reason.map { ": \($0)" } ?? "")")
    }
    var work: String?
    for folder in status.folders {
      if let scanned = folder.scanned, let toScan = folder.toScan, toScan > scanned {
        work = "reading songs: \(Shown.count(scanned)) of \(Shown.count(toScan))"
      }
    }
    self.init(gone: status.gone, troubles: troubles, work: work)
  }
}

extension PlayerControl {
  init(_ action: PlayerAction) {
    switch action {
    case .pause: self = .pause
    case .next: self = .next
    case .stop: self = .stop
    }
  }
}
