import Browsing
import CratesInterface
import Glibc
import Platform
import Players
import Terminal
import VarlinkClient

/// The calls of the browser to the daemon, one at a time over a connection that is opened on
/// demand.
final class DaemonCalls {
  private let link: DaemonLink
  /// Nil before the first call, and after a connection error.
  private var client: VarlinkClient?
  /// The value of `DaemonLink.losses` when the connection was opened.
  private var losses = 0

  /// The pause before all albums are read again after a refusal, in milliseconds.
  private let pause: Int32

  init(_ link: DaemonLink, pause: Int32 = 1_000) {
    self.link = link
    self.pause = pause
  }

  /// Calls the daemon, and connects first if necessary.
  private func reply(to call: Call) throws(ClientError) -> Reply {
    var client = try connected()
    do throws(ClientError) {
      let reply = try client.reply(to: call)
      self.client = consume client
      return reply
    } catch {
      // A refusal leaves the connection intact.
      if case .refused = error { self.client = consume client }
      throw error
    }
  }

  private func connected() throws(ClientError) -> VarlinkClient {
    let losses = link.losses.withLock { $0 }
    if losses == self.losses, let client = client.take() { return client }
    client = nil
    self.losses = losses
    return try VarlinkClient(path: link.path)
  }

  // MARK: Startup

  /// Reads the crates, and as many albums of one crate as are visible.
  func begin(opening crate: String?, rows: Int) {
    do throws(ClientError) {
      guard case .crates(let crates, let sequence) = try reply(to: .listCrates) else { return }
      let names = crates.map(\.name)
      link.tell(.began(crates: names, sequence: sequence), unlessLostSince: losses)
      let wanted = crate.flatMap { wanted in names.first { $0 == wanted } } ?? names.first
      guard let wanted else { return }
      let call = Call.listAlbums(crate: wanted, gone: false, first: 1, count: max(rows, 1))
      if case .albums(let albums, _, _) = try reply(to: call) {
        link.tell(.window(crate: wanted, albums.map(AlbumFacts.init)))
      }
    } catch {
      // The watch thread reports this.
    }
  }

  // MARK: Effects

  func perform(_ effect: Effect) {
    switch effect {
    case .edit(let number, let request): edit(number, request)
    case .search(let query): search(query)
    case .play, .control: perform(forPlayer: effect)
    default:
      do throws(ClientError) {
        try read(effect)
      } catch {
        if case .refused(let refusal) = error {
          link.tell(.told(refusal.message, isFault: true))
        }
        // The browser can't work without the lists.
        if effect == .list {
          _ = poll(nil, 0, pause)
          link.ask(.list)
        }
      }
    }
  }

  private func read(_ effect: Effect) throws(ClientError) {
    switch effect {
    case .list: try list()
    case .lookUp(let ids):
      let call = Call.listAlbums(crate: nil, albums: ids, gone: false, first: nil, count: nil)
      var albums: [AlbumFacts] = []
      try eachReply(to: call) { reply in
        if case .albums(let found, _, _) = reply { albums += found.map(AlbumFacts.init) }
      }
      link.tell(.lookedUp(albums))
    case .songs(let album):
      let call = Call.listSongs(crate: nil, album: album, gone: false, first: nil, count: nil)
      var songs: [SongFacts] = []
      try eachReply(to: call) { reply in
        if case .songs(let found, _, _) = reply { songs += found.map(SongFacts.init) }
      }
      link.tell(.songs(album: album, songs))
    default: break
    }
  }

  private func list() throws(ClientError) {
    var names: [String] = []
    if case .crates(let crates, _) = try reply(to: .listCrates) { names = crates.map(\.name) }
    var albums: [AlbumFacts] = []
    var sequence = 0
    let call = Call.listAlbums(crate: nil, gone: false, first: nil, count: nil)
    try eachReply(to: call) { reply in
      guard case .albums(let found, _, let number) = reply else { return }
      albums += found.map(AlbumFacts.init)
      sequence = number
    }
    link.tell(.listed(crates: names, albums, sequence: sequence), unlessLostSince: losses)
  }

  /// Passes each reply of a streamed listing to `body`.
  private func eachReply(
    to call: Call, _ body: (Reply) -> Void
  ) throws(ClientError) {
    var client = try connected()
    try client.eachReply(to: call) { json throws(ClientError) in
      body(try VarlinkClient.read(json, to: call))
      return true
    }
    self.client = consume client
  }

  /// The most albums, and the most songs, of a search.
  private static let foundMost = 100

  /// Searches, and always reports a result, since the browser waits for one.
  private func search(_ query: String) {
    var albums: [String] = []
    var songs: [FoundSong] = []
    var fault: String?
    do throws(ClientError) {
      let call = Call.search(query: query, limit: Self.foundMost)
      if case .found(let foundAlbums, let foundSongs, _, _, _) = try reply(to: call) {
        albums = foundAlbums.map(\.id)
        songs = foundSongs.map { FoundSong(album: $0.album, SongFacts($0)) }
      }
    } catch {
      // The watch thread reports a lost connection.
      if case .refused(let refusal) = error { fault = refusal.message }
    }
    link.tell(.found(query, albums: albums, songs: songs, fault: fault))
  }

  private func edit(_ number: Int, _ call: Call) {
    do throws(ClientError) {
      guard case .change(let change) = try reply(to: call) else { return }
      link.tell(.answered(number, .done(change)))
    } catch {
      switch error {
      case .refused(let refusal):
        // A refusal leaves the connection intact.
        link.tell(.answered(number, .refused(refusal.message)))
      default:
        link.tell(.answered(number, .refused("It is not known whether that was done: \(error)")))
      }
    }
  }

  // MARK: Covers

  /// The most covers per call. A new request can take effect between two calls.
  private static let coversAtOnce = 4

  func fetchCovers(of albums: [String], side: Int, until isOutdated: () -> Bool) {
    var rest = albums[...]
    while !rest.isEmpty, !isOutdated() {
      let call = Call.thumbnails(albums: Array(rest.prefix(Self.coversAtOnce)), side: side)
      rest = rest.dropFirst(Self.coversAtOnce)
      do throws(ClientError) {
        try eachReply(to: call) { reply in
          guard case .thumbnail(let cover) = reply else { return }
          let pixels = Pixels(width: cover.width, height: cover.height, bytes: cover.bytes)
          link.tell(.cover(album: cover.album, digest: cover.digest, pixels, side: side))
        }
      } catch {
        // A missing cover is not worth a notice.
        return
      }
    }
  }

  // MARK: Playing

  /// Carries out a request for the player and reports its outcome.
  private func perform(forPlayer effect: Effect) {
    do {
      switch effect {
      case .play(let things, let adding): try play(things, adding)
      case .control(let action): try control(action)
      default: break
      }
    } catch let fault as PlayerFault {
      link.tell(.told(fault.message, isFault: true))
    } catch {
      link.tell(.told("Nothing plays: \(error)", isFault: true))
    }
  }

  private func play(_ things: [PlayedThing], _ adding: Bool) throws {
    var songs: [Interface.Song] = []
    for call in Self.calls(for: things) {
      try eachReply(to: call) { reply in
        if case .songs(let found, _, _) = reply { songs += found }
      }
    }
    guard let status = try status() else { return }
    let played = songs.filter { $0.presence == .present }.compactMap { song in
      FileURI.path(song.uri).map {
        PlayedSong(path: $0, title: song.title, artist: song.artist, seconds: song.seconds)
      }
    }
    guard !played.isEmpty else { throw PlayerFault("There is no song that can be played now") }
    let player = try ChosenPlayer(status)
    let done = try player.play(played, adding: adding)
    guard !done.songs.isEmpty else { throw PlayerFault("\(done.player) took none of the songs") }
    let count = Shown.count(done.songs.count, "song")
    let remark = done.remarks.first.map { "; \($0)" } ?? ""
    let sentence = done.sentence(of: count, adding: adding)
    link.tell(.told(sentence + remark, isFault: false))
    if let playing = try? player.connection()?.playing() {
      link.tell(.playing(PlayingFacts(playing)))
    }
  }

  /// The most songs per call.
  private static let songsAtOnce = 100

  /// Returns one call for each run of songs; they are of the same album and in its order.
  static func calls(for things: [PlayedThing]) -> [Call] {
    var calls: [Call] = []
    var ids: [String] = []
    func call(for ids: [String]) -> Call {
      .listSongs(crate: nil, album: nil, songs: ids, gone: false, first: nil, count: nil)
    }
    for thing in things {
      if case .song(let id) = thing, ids.count < songsAtOnce {
        ids.append(id)
        continue
      }
      if !ids.isEmpty { calls.append(call(for: ids)) }
      ids = []
      switch thing {
      case .crate(let name):
        calls.append(.listSongs(crate: name, album: nil, gone: false, first: nil, count: nil))
      case .album(let id):
        calls.append(.listSongs(crate: nil, album: id, gone: false, first: nil, count: nil))
      case .song(let id): ids = [id]
      }
    }
    return ids.isEmpty ? calls : calls + [call(for: ids)]
  }

  private func control(_ action: PlayerAction) throws {
    guard let status = try status() else { return }
    let sentence = try ChosenPlayer(status).connection()?.perform(PlayerControl(action))
    link.tell(.told(sentence ?? "Nothing plays", isFault: false))
  }

  private func status() throws(ClientError) -> Interface.LibraryStatus? {
    if let status = link.status.withLock({ $0 }) { return status }
    guard case .status(let status) = try reply(to: .status) else { return nil }
    return status
  }
}
