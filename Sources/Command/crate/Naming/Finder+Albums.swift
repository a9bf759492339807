import CratesInterface

/// Albums from other things.
extension Finder {
  /// Returns album ids without duplicates. A crate stands for its albums. Songs stand for their
  /// album if all of it is named.
  ///
  /// - Parameter command: Returns the command that would apply to a whole album, for messages.
  func albums(
    of things: [Interface.Thing],
    command: (_ album: String) -> String = { "crate move \($0)" }
  ) throws(Failure) -> [String] {
    var ids: [String] = []
    var seen: Set<String> = []
    let songs = try songs(of: things)
    if let piece = things.lazy.compactMap({ $0.song.flatMap { songs[$0] } }).first(where: {
      !$0.isWhole
    }) {
      throw piece.refusal(command)
    }
    for thing in things {
      var albums = [thing.album ?? thing.song.flatMap { songs[$0]?.album.id }].compactMap(\.self)
      if let crate = thing.crate {
        albums = try daemon.ids(
          of: .listAlbums(crate: crate, gone: false, first: nil, count: nil), in: "albums")
      }
      ids += albums.filter { seen.insert($0).inserted }
    }
    guard !ids.isEmpty else { throw .refused("no album is listed there") }
    return ids
  }

  /// A song that was named, with its album.
  struct NamedSong {
    var title: String
    var album: Interface.Album
    /// The number of the album's songs that were named.
    var count: Int
    /// Whether the album itself or all of its songs were named, too.
    var isWhole: Bool

    func refusal(_ command: (_ album: String) -> String) -> Failure {
      if count == 1 {
        return .wrongUse(
          "\(title) is a song of \(album.title), and songs stay in their album; to move that: "
            + command(Shown.quoted(album.title)))
      }
      return .wrongUse(
        "songs stay in their album, and only \(Shown.count(count)) of the"
          + " \(Shown.count(album.songs, "song")) of \(album.title) are named")
    }
  }

  /// Returns the named songs by their ids.
  func songs(of things: [Interface.Thing]) throws(Failure) -> [String: NamedSong] {
    var named: [(id: String, title: String, album: String)] = []
    try each(things.compactMap(\.song)) { object throws(Failure) in
      guard let id = object["id"]?.string, let album = object["album"]?.string else { return }
      named.append((id, object["title"]?.string ?? id, album))
    }
    if named.isEmpty { return [:] }
    let counts = Dictionary(named.map { ($0.album, 1) }, uniquingKeysWith: +)
    let whole = Set(things.compactMap(\.album))
    var albums: [String: Interface.Album] = [:]
    let call = Call.listAlbums(
      crate: nil, albums: counts.keys.sorted(), gone: false, first: nil, count: nil)
    try daemon.eachObject(of: call, in: "albums") { object throws(Failure) in
      let album: Interface.Album = try DaemonConnection.structure(object)
      albums[album.id] = album
    }
    var songs: [String: NamedSong] = [:]
    for (id, title, album) in named {
      guard let album = albums[album], let count = counts[album.id] else { continue }
      songs[id] = NamedSong(
        title: title, album: album, count: count,
        isWhole: count >= album.songs || whole.contains(album.id))
    }
    return songs
  }
}
