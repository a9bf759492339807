import CratesInterface
import Players
import VarlinkClient

/// Plays songs on a player that runs on this machine. Blocks, for half a minute if the player is
/// slow.
struct WindowPlaying: Sendable {
  let daemonPath: String
  /// The path at which a playlist for mpv is written.
  let listPath: String
  let environment: [String: String]

  /// - Returns: A sentence about the outcome.
  func play(_ request: PlayRequest) throws(PlayerFault) -> String {
    let status: Interface.LibraryStatus
    var songs: [Interface.Song] = []
    do throws(ClientError) {
      var daemon = try VarlinkClient(path: daemonPath)
      guard case .status(let found) = try daemon.reply(to: .status) else { throw .closed }
      status = found
      for call in Self.calls(request.things) {
        try daemon.eachReply(to: call) { parameters throws(ClientError) in
          if case .songs(let found, _, _) = try VarlinkClient.read(parameters, to: call) {
            songs += found
          }
          return true
        }
      }
    } catch {
      if case .refused(let refusal) = error { throw PlayerFault(refusal.message) }
      throw PlayerFault("Crated is away: nothing plays")
    }
    let present = songs.filter { $0.presence == .present }.compactMap { song in
      FileURI.path(song.uri).map {
        PlayedSong(path: $0, title: song.title, artist: song.artist, seconds: song.seconds)
      }
    }
    guard !present.isEmpty else { throw PlayerFault("there is no song that can be played now") }
    let player = try ChosenPlayer(status) { environment[$0] }
    let played = try player.playByRunning(present, adding: request.adds, list: listPath)
    guard !played.songs.isEmpty else {
      throw PlayerFault("\(played.player) took none of the songs")
    }
    let count = "\(played.songs.count) song\(played.songs.count == 1 ? "" : "s")"
    return played.sentence(of: count, adding: request.adds)
  }

  private static func calls(_ things: PlayRequest.Things) -> [Call] {
    switch things {
    case .albums(let ids):
      ids.map { .listSongs(crate: nil, album: $0, gone: false, first: nil, count: nil) }
    case .songs(let ids):
      [.listSongs(crate: nil, album: nil, songs: ids, gone: false, first: nil, count: nil)]
    }
  }
}
