import CratesInterface

/// Something the person named.
enum Thing: Equatable {
  case crate(Interface.Crate)
  case album(Interface.Album)
  /// The song itself is known only where it had to be looked up.
  case song(id: String, Interface.Song?)

  enum Kind {
    case crate, album, song
  }

  var kind: Kind {
    switch self {
    case .crate: .crate
    case .album: .album
    case .song: .song
    }
  }

  /// How it is told apart from others of the same name.
  var label: String {
    switch self {
    case .crate(let crate): "crate:\(crate.name)"
    case .album(let album): "\(album.id) (\(album.artist): \(album.title))"
    case .song(let id, let song): song.map { "\(id) (song: \($0.title))" } ?? id
    }
  }

  /// What the daemon knows it by.
  var key: String {
    switch self {
    case .crate(let crate): crate.name
    case .album(let album): album.id
    case .song(let id, _): id
    }
  }

  /// Enough to know it again.
  struct Reference: Hashable {
    var kind: Kind
    var key: String
  }

  var reference: Reference { Reference(kind: kind, key: key) }
}
