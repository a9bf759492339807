package import LibraryModel
import OrderFormat

/// The order as text to be edited: the lines of a snapshot without header and end. The text after
/// an id is for the user, and is not read again.
package enum OrderText {
  /// - Parameters:
  ///   - crates: the crates to show, including what is gone, which keeps its place.
  ///   - only: the one album to show of them; nil for all.
  ///   - hasSongs: whether the songs of the albums are shown.
  package static func text(
    _ library: Library, of crates: [Crate], only: AlbumID? = nil, hasSongs: Bool = true
  ) -> String {
    var writer = OrderWriter()
    for crate in crates {
      writer.addCrate(crate.name)
      for album in (only.map { [$0] } ?? Array(crate.albums)).compactMap({ library.albums[$0] }) {
        let face = library.passingFace(of: album)
        let shown = ShownText.album(artist: face.artist, title: face.title, year: face.year)
        writer.addAlbum("\(album.id)", isArranged: album.isArranged, shown: shown)
        if hasSongs { addSongs(of: album, face, in: library, to: &writer) }
      }
    }
    return writer.text
  }

  private static func addSongs(
    of album: Album, _ face: AlbumFace, in library: Library, to writer: inout OrderWriter
  ) {
    let songs = library.songs(of: album)
    let hasDiscs = Set(songs.compactMap(\.disc)).count > 1
    for song in songs {
      let isAlbumArtist = folded(song.artist) == folded(face.artist)
      let shown = ShownText.song(
        disc: hasDiscs ? song.disc : nil, track: song.track,
        artist: isAlbumArtist ? "" : song.artist, title: song.title)
      writer.addSong("\(song.id)", kind: library.presence(of: song).word, shown: shown)
    }
  }

  /// Returns an order with nothing but crates and ids.
  package static func text(_ order: WrittenOrder) -> String {
    var writer = OrderWriter()
    for crate in order.crates {
      writer.addCrate(crate.name, id: crate.id.map { "\($0)" })
      for album in crate.albums {
        writer.addAlbum("\(album.id)")
        for song in album.songs { writer.addSong("\(song.id)") }
      }
    }
    return writer.text
  }

  /// Parses a text that the user wrote, also with CRLF and a byte order mark.
  ///
  /// - Throws: `editRejected` with the first line that makes no sense.
  package static func written(_ text: String) throws(Refusal) -> WrittenOrder {
    var order = WrittenOrder()
    var reader = OrderReader()
    let bytes = Array(text.utf8)
    let start = bytes.starts(with: [0xEF, 0xBB, 0xBF]) ? 3 : 0
    let lines = bytes[start...].split(separator: 0x0A, omittingEmptySubsequences: false)
    for (number, line) in zip(1..., lines) {
      do throws(OrderFault) {
        add(try reader.read(line), number, to: &order)
      } catch {
        throw .editRejected(line: number, reason: error.reason)
      }
    }
    return order
  }

  private static func add(_ line: OrderLine?, _ number: Int, to order: inout WrittenOrder) {
    let crate = order.crates.count - 1
    switch line {
    case nil: break
    case .crate(let id, let name):
      order.crates.append(
        WrittenOrder.Crate(id: id.flatMap { CrateID($0) }, name: name, line: number))
    case .album(let id, _):
      guard let id = AlbumID(id) else { preconditionFailure("an id that was read is one") }
      order.crates[crate].albums.append(WrittenOrder.Album(id: id, line: number))
    case .song(let id, _):
      guard let id = SongID(id) else { preconditionFailure("an id that was read is one") }
      let album = order.crates[crate].albums.count - 1
      order.crates[crate].albums[album].songs.append(WrittenOrder.Song(id: id, line: number))
    }
  }
}

extension Presence {
  /// The first word of a song's line.
  var word: String { self == .present ? "song" : rawValue }
}
