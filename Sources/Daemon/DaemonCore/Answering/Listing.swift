import CratesInterface
import LibraryModel
import LibraryStore
import Platform
import VarlinkServer

/// Converts the contents of a library to the form that clients receive.
struct Listing {
  let library: Library
  /// The covers of image files beside songs; nil if they are unknown.
  var covers: FolderCovers?
  /// The shared order, which knows the machine that placed an album; nil if nothing is shared.
  var shared: MachineService.Shown?

  // MARK: Crates

  func crates() -> [Interface.Crate] {
    var crates: [Interface.Crate] = []
    for crate in library.crates {
      var (albums, songs, milliseconds) = (0, 0, 0)
      for id in crate.albums {
        guard let summary = library.albums[id].map(library.summary), summary.songs > 0 else {
          continue
        }
        albums += 1
        songs += summary.songs
        milliseconds += summary.milliseconds
      }
      if albums == 0 { continue }
      crates.append(
        Interface.Crate(
          name: crate.name, position: crates.count + 1, albums: albums, songs: songs,
          seconds: seconds(milliseconds)))
    }
    return crates
  }

  // MARK: Albums

  /// Returns the albums with these ids, all of which are listed, in this order.
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
      arranged: album.isArranged, presence: shown(library.presence(of: album)),
      moved: library.isMoved(album.id), came: library.arrivals[album.id] ?? 0,
      cover: (covers?.cover(of: album, in: library) ?? summary.cover)?.description,
      because: album.group.reason, placedBy: shared?.machine(placing: album.id))
  }

  /// Returns whether the album has songs of its own, gone or not.
  func hasMembers(_ id: AlbumID) -> Bool {
    library.listedCount(of: id) > 0
      || library.albums[id].map { library.summary(of: $0).members > 0 } ?? false
  }

  private func shown(_ presence: Presence) -> Interface.Presence {
    Interface.Presence(rawValue: presence.rawValue) ?? .present
  }

  // MARK: Songs

  /// Returns the songs with these ids, all of which are listed, in this order.
  func songs(_ ids: [SongID]) -> [Interface.Song] {
    ids.compactMap { id in
      guard let song = library.songs[id], let album = library.albums[song.album],
        let crate = library.crate(album.crate)
      else { return nil }
      return shown(song, album, crate, library.face(of: album), library.position(of: song))
    }
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
      path: song.path.display, uri: song.path.fileURI, details: details(of: song))
  }

  /// Returns the further tags of the song's file, or the last known ones.
  private func details(of song: Song) -> Interface.SongDetails {
    func present(_ text: String) -> String? { text.isEmpty ? nil : text }
    func present(_ number: Int) -> Int? { number == 0 ? nil : number }
    var details = Interface.SongDetails()
    details.evidence = library.evidence[song.id]?.sentence
    guard let known = song.facts?.details else {
      details.year = song.year
      details.recording = present(song.recording)
      details.release = present(song.release)
      return details
    }
    details.year = known.year
    details.genre = present(known.genre)
    details.composer = present(known.composer)
    details.recording = present(known.recording)
    details.release = present(known.release)
    details.bitRate = present(known.bitRate)
    details.sampleRate = present(known.sampleRate)
    return details
  }

  private func seconds(_ milliseconds: Int) -> Double { Double(milliseconds) / 1000 }
}
