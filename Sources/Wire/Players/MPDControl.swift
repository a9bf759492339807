/// A running MPD as a player that can be controlled.
final class MPDControl: PlayerConnection {
  private var mpd: MPDConnection
  /// The timeout for `idle`, which only a dedicated thread waits for.
  private static let endless: Int64 = .max / 2

  /// Returns nil if no MPD answers.
  ///
  /// - Parameter isFollowed: Whether the connection waits for changes, which may never come.
  init?(_ addresses: [MPDAddress], isFollowed: Bool = false) throws(PlayerFault) {
    let patience = isFollowed ? Self.endless : MPDQueue.patience
    guard var mpd = MPDConnection(addresses, patience: patience) else { return nil }
    if let password = mpd.address.password { _ = try mpd.demand("password", password) }
    self.mpd = mpd
  }

  private func values(_ command: String) throws(PlayerFault) -> [String: String] {
    Dictionary(
      try mpd.demand(command).map { ($0.name, String(decoding: $0.value, as: UTF8.self)) },
      uniquingKeysWith: { first, _ in first })
  }

  func playing() throws(PlayerFault) -> Playing? {
    let status = try values("status")
    guard let state = status["state"], state != "stop" else { return nil }
    let song = try values("currentsong")
    let file = song["file"]?.split(separator: "/").last.map(String.init)
    return Playing(
      player: Player.mpd.name, title: song["Title"] ?? file ?? "", artist: song["Artist"] ?? "",
      isPaused: state == "pause", place: status["song"].flatMap(Int.init).map { $0 + 1 } ?? 0,
      count: status["playlistlength"].flatMap(Int.init) ?? 0)
  }

  func pause(_ isPaused: Bool) throws(PlayerFault) {
    _ = try mpd.demand("pause", isPaused ? "1" : "0")
  }

  func next() throws(PlayerFault) { _ = try mpd.demand("next") }

  func stop() throws(PlayerFault) { _ = try mpd.demand("stop") }

  func follow(_ tell: (Playing?) -> Void) {
    do throws(PlayerFault) {
      repeat {
        tell(try playing())
        _ = try mpd.demand("idle", "player", "playlist")
      } while true
    } catch {
      // MPD has ended or closed the connection.
    }
  }
}
