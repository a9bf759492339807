import CratesInterface
import Text

/// Things named by queries, such as `find:artist:radiohead`.
extension Finder {
  /// The most albums, and the most songs, in one reply.
  static let foundMost = 5_000
  /// The most albums to suggest for an unknown name.
  private static let offersMost = 3

  /// Returns all albums that match, in library order; if there are none, the matching songs.
  func meaning(ofQuery what: WhatArgument) throws(Failure) -> Interface.Meaning {
    if what.hasPositions {
      throw .wrongUse("positions can't follow a query; say more words in it")
    }
    let call = Call.search(query: what.unmarked, limit: Self.foundMost)
    guard
      case .found(let albums, let songs, let albumCount, let songCount, _) =
        try daemon.reply(to: call)
    else { throw .unreadable("it does not say what was found") }
    var meaning = Interface.Meaning()
    if wanted.contains(.album), !albums.isEmpty {
      try Self.refuseMany(albumCount, "album", what)
      let listing = Call.listAlbums(
        crate: nil, albums: albums.map(\.id), gone: false, first: nil, count: nil)
      try daemon.eachObject(of: listing, in: "albums") { object throws(Failure) in
        let album: Interface.Album = try DaemonConnection.structure(object)
        meaning.what.append(
          Interface.Thing(
            album: album.id, label: "\(album.title) by \(album.artist)", presence: album.presence))
      }
    } else if wanted.contains(.song), !songs.isEmpty {
      try Self.refuseMany(songCount, "song", what)
      let listing = Call.listSongs(
        crate: nil, album: nil, songs: songs.map(\.id), gone: false, first: nil, count: nil)
      try daemon.eachObject(of: listing, in: "songs") { object throws(Failure) in
        let song: Interface.Song = try DaemonConnection.structure(object)
        meaning.what.append(
          Interface.Thing(
            song: song.id, label: "\(song.title) of \(song.albumTitle)", presence: song.presence))
      }
    }
    return meaning
  }

  private static func refuseMany(
    _ count: Int?, _ one: String, _ what: WhatArgument
  ) throws(Failure) {
    guard let count, count > foundMost else { return }
    throw .refused(
      "“\(what.unmarked)” finds \(Shown.count(count, one)), and \(Shown.count(foundMost)) is the"
        + " limit; say more words")
  }

  /// Returns titles of albums that contain all the words, quoted for the command line, with their
  /// total. Empty if no album is wanted.
  func offers(for text: String) throws(Failure) -> (shown: [String], count: Int) {
    guard wanted.contains(.album) else { return ([], 0) }
    let phrase = "album:\"\(text.filter { $0 != "\"" })\""
    let call = Call.search(query: phrase, limit: Self.offersMost)
    guard case .found(let albums, _, let count, _, _) = try daemon.reply(to: call) else {
      return ([], 0)
    }
    if Set(albums.map(\.title)).count == albums.count {
      return (albums.map { Shown.quoted($0.title) }, count ?? 0)
    }
    let things = albums.map {
      Interface.Thing(
        album: $0.id, label: "\($0.title) by \($0.artist)", presence: $0.presence)
    }
    return (try Misunderstanding.labels(things, daemon), count ?? 0)
  }

  /// Returns the query for an artist's albums, in a sentence; nil if there is no such artist.
  func artist(_ name: String) throws(Failure) -> (text: String, isExact: Bool)? {
    guard wanted.contains(.album) else { return nil }
    let plain = name.filter { $0 != "\"" }
    let query = plain.contains(" ") ? "artist:\"\(plain)\"" : "artist:\(plain)"
    let call = Call.search(query: query, limit: Self.offersMost)
    guard case .found(let albums, _, let count?, _, _) = try daemon.reply(to: call),
      let first = albums.first
    else { return nil }
    let isExact = albums.allSatisfy { folded($0.artist) == folded(name) }
    let isOne = Set(albums.map(\.artist)).count == 1
    let word = Self.word(ofQuery: query)
    let all =
      switch count {
      case 1: "the album"
      case 2: "both albums"
      default: "all \(Shown.count(count, "album"))"
      }
    let names = "\(word) names \(all)"
    if isExact { return ("“\(name)” is an artist; \(names)", true) }
    return (names + (isOne ? " by \(first.artist)" : " of artists who are called so"), false)
  }

  /// Quotes a query as one word of a command line. A colon needs no quotes.
  static func word(ofQuery query: String) -> String {
    let word = WhatArgument.Mark.query.rawValue + query
    return query.utf8.allSatisfy { Shown.isPlain($0) || $0 == UInt8(ascii: ":") }
      ? word : Shown.quoted(word)
  }

  /// Returns the crate at a position that was given as a name; nil if there is none.
  func crate(at text: String) throws(Failure) -> String? {
    guard wanted.contains(.crate), let position = Int(text), position > 0,
      case .crates(let crates, _) = try daemon.reply(to: .listCrates)
    else { return nil }
    return crates.first { $0.position == position }?.name
  }
}
