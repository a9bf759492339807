import CratesInterface
import LibraryModel

/// Resolves what clients name: ids, unique prefixes of ids (at least four characters), and names.
enum Resolving {
  /// The maximum number of candidates in an error; more would only be noise.
  private static let matchesMost = 20

  static func album(_ text: String, in library: Library) throws(InterfaceError) -> Album {
    if let id = AlbumID(text) {
      guard let album = library.album(id) else { throw .noSuchAlbum(id: text) }
      return album
    }
    guard text.utf8.count >= IdentifierText.shortestPrefix,
      let range = IdentifierText.range(ofPrefix: text)
    else { throw .noSuchAlbum(id: text) }
    var found: Set<AlbumID> = []
    library.albums.forEach { id, _ in if range.contains(id.number) { found.insert(id) } }
    library.aliases.forEach { alias, id in if range.contains(alias.number) { found.insert(id) } }
    guard let id = found.first, let album = library.albums[id] else {
      throw .noSuchAlbum(id: text)
    }
    if found.count > 1 { throw ambiguous(text, found.map(\.description)) }
    return album
  }

  static func song(_ text: String, in library: Library) throws(InterfaceError) -> Song {
    if let id = SongID(text) {
      guard let song = library.songs[id] else { throw .noSuchSong(id: text) }
      return song
    }
    guard text.utf8.count >= IdentifierText.shortestPrefix,
      let range = IdentifierText.range(ofPrefix: text)
    else { throw .noSuchSong(id: text) }
    var found: [Song] = []
    library.songs.forEach { id, song in if range.contains(id.number) { found.append(song) } }
    guard let song = found.first else { throw .noSuchSong(id: text) }
    if found.count > 1 { throw ambiguous(text, found.map(\.id.description)) }
    return song
  }

  /// Returns the albums with these ids, skipping unknown ones.
  static func albums(_ ids: [String], in library: Library) throws(InterfaceError) -> [Album] {
    var found: [Album] = []
    for id in ids {
      do throws(InterfaceError) {
        found.append(try album(id, in: library))
      } catch {
        guard case .noSuchAlbum = error else { throw error }
      }
    }
    return found
  }

  /// Returns the songs with these ids, skipping unknown ones.
  static func songs(_ ids: [String], in library: Library) throws(InterfaceError) -> [Song] {
    var found: [Song] = []
    for id in ids {
      do throws(InterfaceError) {
        found.append(try song(id, in: library))
      } catch {
        guard case .noSuchSong = error else { throw error }
      }
    }
    return found
  }

  static func crate(_ name: String, in library: Library) throws(InterfaceError) -> Crate {
    guard let crate = library.crate(named: name) else { throw .noSuchCrate(name: name) }
    return crate
  }

  private static func ambiguous(_ text: String, _ matches: [String]) -> InterfaceError {
    .ambiguousId(id: text, matches: Array(matches.sorted().prefix(matchesMost)))
  }

  /// Converts a place, resolving its anchor.
  static func place<Anchor>(
    _ place: Interface.Place, anchor: (String) throws(InterfaceError) -> Anchor
  ) throws(InterfaceError) -> Place<Anchor> {
    if place.where.needsAnchor {
      guard let name = place.anchor else {
        throw .invalidPlace(reason: "\(place.where.rawValue) needs an anchor")
      }
      let found = try anchor(name)
      return place.where == .before ? .before(found) : .after(found)
    }
    if place.anchor != nil {
      throw .invalidPlace(reason: "\(place.where.rawValue) takes no anchor")
    }
    switch place.where {
    case .top: return .top
    case .bottom: return .bottom
    case .up: return .up
    default: return .down
    }
  }
}
