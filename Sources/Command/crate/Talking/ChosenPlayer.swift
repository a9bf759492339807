import CratesInterface

/// The player that songs are handed to: the one that is set, else one that is there.
struct ChosenPlayer {
  let player: Player
  /// Where MPD may answer.
  let addresses: [MPDAddress]

  init(_ status: Interface.LibraryStatus) throws(PlayerFault) {
    addresses = MPDAddress.all(set: status.mpd) { Environment[$0] }
    if let setting = status.player {
      player = Player(setting: setting)
    } else {
      player = try .usual(mpd: addresses, path: Environment["PATH"] ?? "/usr/bin:/bin")
    }
  }
}
