/// Adds songs to MPD's queue.
///
/// The first song that MPD knows starts to play before the others are added. Only then the former
/// songs are removed from the queue, so that nothing changes if MPD knows none of the songs.
package struct MPDQueue: ~Copyable {
  /// The most songs in one command list, which MPD limits to 2 MB.
  private static let mostAtOnce = 256
  /// The timeout of each answer, in nanoseconds. MPD reads the tags of files that are not in its
  /// database, possibly from a slow disk.
  package static let patience: Int64 = 30_000_000_000

  private var mpd: MPDConnection
  private var spelling: MPDSpelling
  private var waiting: ArraySlice<PlayedSong>
  private var atOnce = 1
  private var firstID: String?
  private var isFull = false
  private var played = Played(player: Player.mpd.name)

  /// Plays songs, or adds them to the queue.
  ///
  /// - Parameters:
  ///   - adding: Whether the songs are appended to the queue instead of replacing it.
  ///   - folders: The music folders.
  ///   - patience: The timeout of each answer, in nanoseconds.
  package static func play(
    _ songs: [PlayedSong], adding: Bool, at addresses: [MPDAddress], folders: [[UInt8]],
    patience: Int64 = patience
  ) throws(PlayerFault) -> Played {
    guard let mpd = MPDConnection(addresses, patience: patience) else {
      let places = addresses.map(\.text).joined(separator: ", ")
      throw PlayerFault(
        "MPD does not answer at \(places); start it, with systemctl --user start mpd, say, or set"
          + " mpd in config.toml to the path of its socket")
    }
    var queue = MPDQueue(mpd, songs, folders)
    return try queue.play(adding: adding)
  }

  private init(_ mpd: consuming MPDConnection, _ songs: [PlayedSong], _ folders: [[UInt8]]) {
    spelling = MPDSpelling(isLocal: mpd.address.isLocal, folders: folders)
    waiting = songs[...]
    self.mpd = mpd
  }

  private mutating func play(adding: Bool) throws(PlayerFault) -> Played {
    if let password = mpd.address.password { _ = try mpd.demand("password", password) }
    let status = Dictionary(
      try mpd.demand("status").map { ($0.name, String(decoding: $0.value, as: UTF8.self)) },
      uniquingKeysWith: { first, _ in first })
    try addUntilOneIsThere()
    if isFull, firstID == nil, !adding {
      // The former songs fill the queue.
      _ = try mpd.demand("clear")
      isFull = false
      try addUntilOneIsThere()
    }
    if let firstID {
      if !adding || status["state"] == "stop" { _ = try mpd.demand("playid", firstID) }
      if !adding { try dropFormer(before: firstID) }
    }
    while !waiting.isEmpty, !isFull { try add() }
    tell(status)
    return played
  }

  private mutating func addUntilOneIsThere() throws(PlayerFault) {
    while firstID == nil, !waiting.isEmpty, !isFull { try add() }
  }

  /// Removes the songs before the given one. Looks up its position first, since other clients may
  /// edit the queue.
  private mutating func dropFormer(before id: String) throws(PlayerFault) {
    let place = try mpd.demand("playlistid", id).first { $0.name == "Pos" }
    guard let place, let count = Int(String(decoding: place.value, as: UTF8.self)), count > 0 else {
      return
    }
    _ = try mpd.demand("delete", "0:\(count)")
  }

  private mutating func tell(_ status: [String: String]) {
    if isFull {
      let count = waiting.count
      played.remarks.append(
        "MPD's queue is full: \(count) songs are left out; max_playlist_length in mpd.conf says how"
          + " many it takes")
    }
    if played.songs.isEmpty { return }
    if status["random"] == "1" {
      played.remarks.append("MPD is set to random order; `mpc random off` ends that")
    }
    if let single = status["single"], single != "0" {
      played.remarks.append("MPD is set to end after one song; `mpc single off` ends that")
    }
  }

  // MARK: Adding

  /// Adds the next batch under the likeliest names. If MPD refuses a song, tries its other names.
  private mutating func add() throws(PlayerFault) {
    let batch = Array(waiting.prefix(atOnce).prefix(while: \.isLine))
    guard !batch.isEmpty else {
      played.unknown.append(waiting.removeFirst())
      return
    }
    let forms = batch.map { spelling.forms(of: $0.path) }
    let commands = zip(batch, forms).map { song, forms in
      Self.command(spelling.spelled(song.path, forms[0]))
    }
    switch try mpd.ask(inOne: commands) {
    case .done(let values):
      take(batch.count, values)
      spelling.learn(forms[batch.count - 1][0])
      atOnce = min(2 * atOnce, Self.mostAtOnce)
    case .refused(let refusal, let before):
      guard batch.indices.contains(refusal.place) else { throw MPDConnection.fault(refusal) }
      take(refusal.place, before)
      if refusal.code == MPDConnection.Refusal.full {
        isFull = true
        return
      }
      atOnce = 1
      try add(waiting.removeFirst(), forms[refusal.place], refusal)
    }
  }

  /// Tries the other forms of a song whose first form MPD refused.
  private mutating func add(
    _ song: PlayedSong, _ forms: [MPDSpelling.Form], _ first: MPDConnection.Refusal
  ) throws(PlayerFault) {
    var refusal = first
    for (place, form) in forms.enumerated() {
      if place > 0 {
        switch try mpd.ask([Array("addid".utf8), spelling.spelled(song.path, form)]) {
        case .done(let values):
          spelling.learn(form)
          note(values)
          played.songs.append(song)
          return
        case .refused(let another, _): refusal = another
        }
      }
      // MPD also refuses a `file://` address with this code if it may not read the file.
      let isDenied = refusal.code == MPDConnection.Refusal.permission && form != .address
      if isDenied { throw MPDConnection.fault(refusal) }
    }
    played.unknown.append(song)
  }

  private mutating func take(_ count: Int, _ values: [(name: String, value: [UInt8])]) {
    note(values)
    played.songs += waiting.prefix(count)
    waiting.removeFirst(count)
  }

  private mutating func note(_ values: [(name: String, value: [UInt8])]) {
    guard firstID == nil, let id = values.first(where: { $0.name == "Id" }) else { return }
    firstID = String(decoding: id.value, as: UTF8.self)
  }

  private static func command(_ name: [UInt8]) -> [[UInt8]] { [Array("addid".utf8), name] }
}
