import CratesInterface

/// The order that would result from a change, for dry runs.
struct OrderPreview {
  let daemon: DaemonConnection

  /// Shows the lists in which something would move.
  func show(_ parameters: JSON) throws(Failure) {
    let change: Interface.Change = try DaemonConnection.structure(parameters["change"] ?? .null)
    guard change.complete else { return }
    var page = ListedPage(daemon: daemon, json: false)
    let albumMoves = change.moves.filter { $0.song == nil && $0.album != nil }
    let crates = Self.unique(albumMoves.compactMap(\.crate))
    for crate in crates {
      if crates.count > 1 { page.begin(crate) }
      try showAlbums(of: crate, albumMoves.filter { $0.crate == crate }, &page)
    }
    let songMoves = change.moves.filter { $0.song != nil }
    let albums = Self.unique(songMoves.compactMap(\.album))
    for album in albums {
      if albums.count > 1, let title = try daemon.album(album)?.title { page.begin(title) }
      try showSongs(of: album, songMoves.filter { $0.album == album }, &page)
    }
    page.end()
  }

  private func showAlbums(
    of crate: String, _ moves: [Interface.Move], _ page: inout ListedPage
  ) throws(Failure) {
    var albums: [Interface.Album] = []
    let call = Call.listAlbums(crate: crate, gone: false, first: nil, count: nil)
    try daemon.eachObject(of: call, in: "albums") { object throws(Failure) in
      albums.append(try DaemonConnection.structure(object))
    }
    albums = Self.applied(moves.map { ($0.album ?? "", $0.after) }, to: albums, id: \.id)
    for place in albums.indices { albums[place].position = place + 1 }
    page.lines(albums.map { LeanLine.of($0) })
    try page.show(albums, of: albums.count)
  }

  private func showSongs(
    of album: String, _ moves: [Interface.Move], _ page: inout ListedPage
  ) throws(Failure) {
    var songs: [Interface.Song] = []
    let call = Call.listSongs(crate: nil, album: album, gone: false, first: nil, count: nil)
    try daemon.eachObject(of: call, in: "songs") { object throws(Failure) in
      songs.append(try DaemonConnection.structure(object))
    }
    songs = Self.applied(moves.map { ($0.song ?? "", $0.after) }, to: songs, id: \.id)
    for place in songs.indices { songs[place].position = place + 1 }
    page.lines(songs.map { LeanLine.of($0) })
    try page.show(songs, of: songs.count)
  }

  /// Applies moves to a list. Each takes a thing out and puts it behind another one, or first.
  static func applied<Item>(
    _ moves: [(id: String, after: String?)], to list: [Item], id: (Item) -> String
  ) -> [Item] {
    var list = list
    for move in moves {
      guard let place = list.firstIndex(where: { id($0) == move.id }) else { continue }
      let item = list.remove(at: place)
      let above = move.after.flatMap { after in list.firstIndex { id($0) == after } }
      list.insert(item, at: above.map { $0 + 1 } ?? 0)
    }
    return list
  }

  private static func unique(_ names: [String]) -> [String] {
    var seen: Set<String> = []
    return names.filter { seen.insert($0).inserted }
  }
}
