import CratesInterface
import LibraryModel
import LibraryStore
import VarlinkServer

/// Shows what a library holds to clients.
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
        guard let summary = library.albums[id].map(library.summary), summary.songs > 0 else {
          continue
        }
        shown.albums += 1
        shown.songs += summary.songs
        milliseconds += summary.milliseconds
      }
      shown.seconds = seconds(milliseconds)
      if shown.albums > 0 { crates.append(shown) }
    }
    return crates
  }

  // MARK: Albums

  /// These albums, which are listed, in this order.
  func albums(_ ids: [AlbumID], _ places: AlbumPlaces) -> [Interface.Album] {
    ids.compactMap { id in
      guard let album = library.albums[id], let place = places[id],
        let crate = library.crate(album.crate)
      else { return nil }
      return shown(album, in: crate, Int(place.position))
    }
  }

  func shown(_ album: Album, in crate: Crate, _ position: Int?) -> Interface.Album {
    let summary = library.summary(of: album)
    return Interface.Album(
      id: "\(album.id)", crate: crate.name, position: position, title: summary.face.title,
      artist: summary.face.artist, year: summary.face.year, songs: summary.songs,
      seconds: seconds(summary.milliseconds), added: Timestamp.text(summary.added),
      arranged: album.isArranged, presence: shown(library.presence(of: album)))
  }

  private func shown(_ presence: Presence) -> Interface.Presence {
    Interface.Presence(rawValue: presence.rawValue) ?? .present
  }

  // MARK: Songs

  /// These songs, which are listed, in this order.
  func songs(_ ids: [SongID]) -> [Interface.Song] {
    ids.compactMap { id in
      guard let song = library.songs[id], let album = library.albums[song.album],
        let crate = library.crate(album.crate)
      else { return nil }
      return shown(song, album, crate, library.face(of: album), position(of: song, in: album))
    }
  }

  /// Among the listed songs of its album, from 1.
  private func position(of song: Song, in album: Album) -> Int? {
    let summary = library.summary(of: album)
    if summary.songs == album.entries.count {
      return album.entries.firstIndex(of: song.id).map { $0 + 1 }
    }
    return library.listedSongs(of: album).firstIndex { $0.id == song.id }.map { $0 + 1 }
  }

  func shown(
    _ song: Song, _ album: Album, _ crate: Crate, _ face: AlbumFace, _ position: Int?
  ) -> Interface.Song {
    Interface.Song(
      id: "\(song.id)", album: "\(album.id)", albumTitle: face.title, albumArtist: face.artist,
      crate: crate.name, position: position, title: song.title, artist: song.artist,
      disc: song.disc, track: song.track, seconds: seconds(song.milliseconds),
      format: song.format, added: Timestamp.text(song.added),
      presence: shown(library.presence(of: song)),
      path: song.path.display, uri: song.path.fileURI)
  }

  private func seconds(_ milliseconds: Int) -> Double { Double(milliseconds) / 1000 }
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
