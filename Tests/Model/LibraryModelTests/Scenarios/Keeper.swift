@testable import LibraryModel

/// Something that merges looks into a library and lets a person act: the model under test, or the
/// plain one.
protocol Keeper {
  /// - Returns: the changes, in words; empty where the merge changed nothing.
  @discardableResult mutating func merge(_ look: PlainLook) throws -> [String]
  /// Takes the album of the song to the top of a crate.
  mutating func move(_ song: SongID, toCrate crate: String) throws
  /// Puts the listed songs of their album in this order.
  mutating func arrange(_ songs: [SongID]) throws
  var view: KeptView { get }
}

/// What a keeper holds, as far as people see it.
struct KeptView: Equatable {
  struct Crate: Equatable {
    var name: String
    var albums: [Album]
  }

  struct Album: Equatable {
    var id: AlbumID
    var title: String
    var artist: String
    var isArranged: Bool
    var isTouched: Bool
    var songs: [Song]
  }

  struct Song: Equatable {
    var id: SongID
    var path: String
    var isGone: Bool
    var isTouched: Bool
    var sound: Int
    var seen: Int64
  }

  var crates: [Crate]
  /// Files that are no song's own.
  var duplicates: [String]

  var albums: [Album] { crates.flatMap(\.albums) }

  var songs: [Song] { albums.flatMap(\.songs) }

  /// Without what is gone and what is empty.
  var listed: KeptView {
    var view = self
    for crate in view.crates.indices {
      for album in view.crates[crate].albums.indices {
        view.crates[crate].albums[album].songs.removeAll(where: \.isGone)
      }
      view.crates[crate].albums.removeAll(where: \.songs.isEmpty)
    }
    view.crates.removeAll(where: \.albums.isEmpty)
    return view
  }
}

/// The plain model by itself.
struct PlainKeeper: Keeper {
  var library = PlainLibrary()
  private var nextID: UInt64 = 0

  @discardableResult mutating func merge(_ look: PlainLook) throws -> [String] {
    let before = library
    var id = nextID
    let naming = PlainNaming { _ in
      nil
    } album: { _ in
      nil
    }
    var merged = PlainMerge.merge(look, into: library, naming: naming)
    merged.rename {
      id += 1; return id
    }
    nextID = id
    library = merged
    return library == before ? [] : ["the library is another one"]
  }

  mutating func move(_ song: SongID, toCrate crate: String) throws {
    guard let album = library.songs[song]?.album, let from = library.crate(of: album) else {
      return
    }
    library.crates[from].albums.removeAll { $0 == album }
    if library.crate(named: crate) == nil {
      library.crates.append(PlainLibrary.Crate(name: crate))
    }
    if let to = library.crate(named: crate) { library.crates[to].albums.insert(album, at: 0) }
    library.touch(album)
    library.dropEmptyCrates(except: nil)
  }

  mutating func arrange(_ songs: [SongID]) throws {
    guard let album = songs.first.flatMap({ library.songs[$0]?.album }) else { return }
    library.setMembers(songs, of: album)
    library.noteArranged(album)
    library.touch(album)
  }

  var view: KeptView {
    KeptView(
      crates: library.crates.map { crate in
        KeptView.Crate(
          name: crate.name,
          albums: crate.albums.compactMap { library.albums[$0] }.map { album in
            KeptView.Album(
              id: album.id, title: library.title(album.id),
              artist: library.artist(album.id), isArranged: album.isArranged,
              isTouched: album.isTouched,
              songs: library.members(album.id).compactMap { library.songs[$0] }.map { song in
                KeptView.Song(
                  id: song.id, path: song.path, isGone: song.isGone, isTouched: song.isTouched,
                  sound: song.file.sound, seen: song.seen)
              })
          })
      }, duplicates: library.songs.values.flatMap { $0.paths.dropFirst() })
  }
}

extension PlainLibrary {
  /// Gives what the merge named provisionally names of its own.
  fileprivate mutating func rename(_ next: () -> UInt64) {
    let isProvisional = { (number: UInt64) in number > 1 << 58 }
    for id in albums.keys.filter({ isProvisional($0.number) }).sorted() {
      let new = AlbumID(number: next())
      albums[new] = albums.removeValue(forKey: id)
      albums[new]?.id = new
      for crate in crates.indices {
        crates[crate].albums = crates[crate].albums.map { $0 == id ? new : $0 }
      }
      for song in songs.keys where songs[song]?.album == id { songs[song]?.album = new }
    }
    for id in songs.keys.filter({ isProvisional($0.number) }).sorted() {
      let new = SongID(number: next())
      songs[new] = songs.removeValue(forKey: id)
      songs[new]?.id = new
      for album in albums.keys {
        let entries = (albums[album]?.entries ?? []).map { $0 == id ? new : $0 }
        albums[album]?.entries = entries
      }
    }
    aliases = [:]
  }
}
