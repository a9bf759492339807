/// What an import would do, list by list.
package struct ImportPlan: Hashable, Sendable {
  /// An album that moves to the crate of a list.
  package struct Album: Hashable, Sendable {
    package var album: KnownAlbum
    /// How many of its songs are in the list.
    package var listed: Int
    /// Whether it is in the crate already, and stays where it is.
    package var isInCrate: Bool
    /// The songs in the list's order, if that differs from theirs; else empty.
    package var songs: [String]
  }

  /// An album of which several lists have enough songs.
  package struct Claim: Hashable, Sendable {
    package var album: KnownAlbum
    /// The names of the lists, in the order of the file.
    package var lists: [String]
    /// The name of the list that gets the album.
    package var winner: String
  }

  /// An album of which a list has too few songs.
  package struct LeftAlbum: Hashable, Sendable {
    package var album: KnownAlbum
    package var listed: Int

    /// How many songs it has, for users.
    package var reason: String { "\(listed) of \(album.songs) song\(album.songs == 1 ? "" : "s")" }
  }

  package struct MissingSong: Hashable, Sendable {
    package var song: WantedSong
    /// How it was looked up.
    package var tried: String
  }

  /// Why a list is not imported.
  package enum SkipReason: Hashable, Sendable {
    case empty
    /// Less than a fifth of its songs were found. With some paths of the others.
    case hardlyFound(paths: [String])
    /// The same for a list in an unknown encoding.
    case undecoded(paths: [String])

    package var paths: [String] {
      switch self {
      case .empty: []
      case .hardlyFound(let paths), .undecoded(let paths): paths
      }
    }

    /// The reason for users, with what to do.
    ///
    /// - Parameter found: how many of its songs were found.
    package func text(found: Int) -> String {
      let hardly = "\(found == 0 ? "none" : "less than a fifth") of its songs is found"
      let taken = "take what is found with --only"
      switch self {
      case .empty: return "it has no songs"
      case .undecoded:
        return "\(hardly); the list is not in UTF-8, and no encoding that is known here leads to"
          + " more: save it as UTF-8, and try again"
      case .hardlyFound(let paths) where paths.isEmpty:
        return found == 0 ? hardly : "\(hardly); \(taken)"
      case .hardlyFound:
        let root =
          "the music probably lies in another folder here: say which with --root THEIRS=OURS"
        return "\(hardly); \(root)" + (found == 0 ? "" : ", or \(taken)")
      }
    }
  }

  package struct List: Hashable, Sendable {
    package var name: String
    package var crate: String
    /// Whether the crate is new.
    package var isNew = false
    package var listed = 0
    package var found = 0
    package var albums: [Album] = []
    package var claimed: [Claim] = []
    package var left: [LeftAlbum] = []
    package var missing: [MissingSong] = []
    package var skipReason: SkipReason?
  }

  package var lists: [List] = []
  package var leftOut: [LeftOutList] = []

  /// Whether nothing would change.
  package var isEmpty: Bool { lists.allSatisfy { $0.albums.allSatisfy(\.isInCrate) } }
}

/// The options of an import.
package struct ImportChoice: Hashable, Sendable {
  /// The crate to which the only list goes; nil: one named after it.
  package var crate: String?
  /// The names of the lists to import; empty: all.
  package var only: [String] = []
  /// Whether one song of an album is enough.
  package var any = false

  package init() {}
}

/// Why the options don't fit the lists, with what to do.
package struct ImportRefusal: Error, Hashable, CustomStringConvertible {
  package let description: String
}
