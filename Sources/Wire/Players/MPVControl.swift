import CratesInterface

/// A running mpv as a player that can be controlled.
package final class MPVControl: PlayerConnection {
  private let mpv: MPVSocket
  /// Set if Crated started this mpv. Stopping then ends it.
  private let own: OwnMPV?

  private static let names = [
    "media-title", "metadata/by-key/artist", "pause", "playlist-pos-1", "playlist-count",
    "idle-active",
  ]

  init(_ mpv: MPVSocket, own: OwnMPV? = nil) {
    self.mpv = mpv
    self.own = own
  }

  package func playing() throws(PlayerFault) -> Playing? {
    var values: [String: JSON] = [:]
    for name in Self.names { values[name] = try mpv.property(name) }
    return Self.playing(values)
  }

  private static func playing(_ values: [String: JSON]) -> Playing? {
    let place = values["playlist-pos-1"]?.integer ?? 0
    guard values["idle-active"] != true, place > 0 else { return nil }
    return Playing(
      player: Player.mpv(socket: "").name, title: values["media-title"]?.string ?? "",
      artist: values["metadata/by-key/artist"]?.string ?? "",
      isPaused: values["pause"] == true, place: place,
      count: values["playlist-count"]?.integer ?? 0)
  }

  package func pause(_ isPaused: Bool) throws(PlayerFault) {
    _ = try mpv.demand(["set_property", "pause", .bool(isPaused)])
  }

  package func next() throws(PlayerFault) { _ = try mpv.demand(["playlist-next", "force"]) }

  package func stop() throws(PlayerFault) {
    _ = try mpv.demand([own == nil ? "stop" : "quit"])
    _ = try own?.freed()
  }

  package func follow(_ tell: (Playing?) -> Void) {
    guard mpv.observe(Self.names) else { return }
    var values: [String: JSON] = [:]
    var last: Playing?
    while let event = mpv.nextEvent() {
      guard event["event"] == "property-change", let name = event["name"]?.string else { continue }
      values[name] = event["data"]
      let playing = Self.playing(values)
      if playing != last { tell(playing) }
      last = playing
    }
  }
}
