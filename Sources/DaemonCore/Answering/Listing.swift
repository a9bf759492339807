import CratesInterface
import LibraryModel
import LibraryStore
import VarlinkServer

/// Shows a library to clients. One value of it, however long the listing takes.
struct Listing {
  let library: Library

  // MARK: Crates

  func crates() -> [Interface.Crate] {
    var crates: [Interface.Crate] = []
    for crate in library.crates {
      var shown = Interface.Crate(
        name: crate.name, position: crates.count + 1, albums: 0, songs: 0, seconds: 0)
      var milliseconds = 0
      for id in crate.albums {
        guard let album = library.albums[id] else { continue }
        let songs = library.listedSongs(of: album)
        if songs.isEmpty { continue }
        shown.albums += 1
        shown.songs += songs.count
        milliseconds += songs.reduce(0) { $0 + $1.milliseconds }
      }
      shown.seconds = seconds(milliseconds)
      if shown.albums > 0 { crates.append(shown) }
    }
    return crates
  }

  // MARK: Albums

  /// Every album of the crates, in order, with what is gone if asked for.
  func albums(
    in crates: [Crate], gone: Bool, window: Window, each: (Interface.Album) -> Bool
  ) {
    var window = window
    for crate in crates {
      var position = 0
      for id in crate.albums {
        guard let album = library.albums[id] else { continue }
        let isListed = library.isListed(album)
        if isListed { position += 1 }
        guard isListed || (gone && !library.songs(of: album).isEmpty) else { continue }
        switch window.next() {
        case .before: continue
        case .after: return
        case .inside: break
        }
        if !each(shown(album, in: crate, isListed ? position : nil)) { return }
      }
    }
  }

  /// These albums, which are listed, in this order.
  func albums(_ ids: [AlbumID]) -> [Interface.Album] {
    let places = places(of: Set(ids))
    return ids.compactMap { id in
      guard let album = library.albums[id], let place = places[id] else { return nil }
      return shown(album, in: place.crate, place.position)
    }
  }

  /// Crates and positions of albums that are listed.
  private func places(of wanted: Set<AlbumID>) -> [AlbumID: (crate: Crate, position: Int)] {
    var places: [AlbumID: (Crate, Int)] = [:]
    for (crate, albums) in Dictionary(grouping: wanted, by: { library.albums[$0]?.crate }) {
      guard let crate = crate.flatMap(library.crate) else { continue }
      var missing = albums.count
      var position = 0
      for id in crate.albums where library.isListed(id) {
        position += 1
        guard wanted.contains(id) else { continue }
        places[id] = (crate, position)
        missing -= 1
        if missing == 0 { break }
      }
    }
    return places
  }

  private func shown(_ album: Album, in crate: Crate, _ position: Int?) -> Interface.Album {
    let songs = library.songs(of: album)
    let listed = songs.filter { !$0.isGone }
    let face = library.face(of: album)
    let presences = Set(listed.map(library.presence))
    return Interface.Album(
      id: "\(album.id)", crate: crate.name, position: position, title: face.title,
      artist: face.artist, year: face.year, songs: listed.count,
      seconds: seconds(listed.reduce(0) { $0 + $1.milliseconds }),
      added: Timestamp.text(songs.lazy.map(\.added).min() ?? 0), arranged: album.isArranged,
      presence: presences.contains(.present)
        ? .present : presences.contains(.offline) ? .offline : .gone)
  }

  // MARK: Songs

  func songs(
    of albums: [(album: Album, crate: Crate)], gone: Bool, window: Window,
    each: (Interface.Song) -> Bool
  ) {
    var window = window
    for (album, crate) in albums {
      let face = library.face(of: album)
      var position = 0
      for song in library.songs(of: album) {
        if !song.isGone { position += 1 }
        if song.isGone && !gone { continue }
        switch window.next() {
        case .before: continue
        case .after: return
        case .inside: break
        }
        let shown = shown(song, album, crate, face, song.isGone ? nil : position)
        if !each(shown) { return }
      }
    }
  }

  /// These songs, which are listed, in this order.
  func songs(_ ids: [SongID]) -> [Interface.Song] {
    let songs = ids.compactMap { library.songs[$0] }
    var albums: [AlbumID: (Album, Crate, AlbumFace, [SongID: Int])] = [:]
    for id in Set(songs.map(\.album)) {
      guard let album = library.albums[id], let crate = library.crate(album.crate) else { continue }
      let positions = library.listedSongs(of: album).enumerated().map { ($1.id, $0 + 1) }
      albums[id] = (
        album, crate, library.face(of: album), Dictionary(uniqueKeysWithValues: positions)
      )
    }
    return songs.compactMap { song in
      guard let (album, crate, face, positions) = albums[song.album] else { return nil }
      return shown(song, album, crate, face, positions[song.id])
    }
  }

  private func shown(
    _ song: Song, _ album: Album, _ crate: Crate, _ face: AlbumFace, _ position: Int?
  ) -> Interface.Song {
    Interface.Song(
      id: "\(song.id)", album: "\(album.id)", albumTitle: face.title, albumArtist: face.artist,
      crate: crate.name, position: position, title: song.title, artist: song.artist,
      disc: song.disc, track: song.track, seconds: seconds(song.milliseconds),
      format: song.format, added: Timestamp.text(song.added),
      presence: Interface.Presence(rawValue: library.presence(of: song).rawValue) ?? .present,
      path: song.path.display, uri: song.path.fileURI)
  }

  private func seconds(_ milliseconds: Int) -> Double { Double(milliseconds) / 1000 }
}

/// Part of a listing: from one position on, so many.
struct Window {
  enum Place {
    case before, inside, after
  }

  private var skip: Int
  private var left: Int

  init(first: Int?, count: Int?) throws(InterfaceError) {
    if let first, first < 1 { throw .invalidParameter(parameter: "first") }
    if let count, count < 0 { throw .invalidParameter(parameter: "count") }
    skip = (first ?? 1) - 1
    left = count ?? .max
  }

  mutating func next() -> Place {
    if skip > 0 {
      skip -= 1
      return .before
    }
    if left == 0 { return .after }
    left -= 1
    return .inside
  }
}

extension BytePath {
  /// The exact path as a file: URI (RFC 8089), every byte that needs it percent-encoded.
  var fileURI: String {
    let hex = Array("0123456789ABCDEF".utf8)
    var uri = Array("file://".utf8)
    for byte in bytes {
      switch byte {
      case 0x30...0x39, 0x41...0x5A, 0x61...0x7A, 0x2D, 0x2E, 0x2F, 0x5F, 0x7E: uri.append(byte)
      default: uri += [UInt8(ascii: "%"), hex[Int(byte >> 4)], hex[Int(byte & 15)]]
      }
    }
    return String(decoding: uri, as: UTF8.self)
  }

  /// The path in a file: URI or an absolute path; nil for anything else.
  init?(uriOrPath text: String) {
    if text.hasPrefix("/") {
      self.init(text)
      return
    }
    guard text.hasPrefix("file:///") else { return nil }
    var bytes: [UInt8] = []
    var rest = Array(text.utf8.dropFirst("file://".utf8.count))[...]
    while let byte = rest.popFirst() {
      if byte == UInt8(ascii: "%") {
        guard rest.count >= 2,
          let value = UInt8(String(decoding: rest.prefix(2), as: UTF8.self), radix: 16)
        else { return nil }
        bytes.append(value)
        rest = rest.dropFirst(2)
      } else {
        bytes.append(byte)
      }
    }
    self.init(bytes)
  }
}
