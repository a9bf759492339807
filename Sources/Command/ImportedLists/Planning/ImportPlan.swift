/// The planned effects of an import, list by list.
package struct ImportPlan: Hashable, Sendable {
  /// An album that moves to the crate of a list.
  package struct Album: Hashable, Sendable {
    package var album: KnownAlbum
    /// The number of its songs in the list.
    package var listed: Int
    /// Whether it is in the crate already, and so keeps its place.
    package var isInCrate: Bool
    /// The songs in the list's order, if that differs from the album's; else empty.
    package var songs: [String]
  }

  /// An album that several lists claim, since each has enough of its songs.
  package struct Claim: Hashable, Sendable {
    package var album: KnownAlbum
    /// The names of the lists, in the order of the file.
    package var lists: [String]
    /// The name of the list that gets the album.
    package var winner: String
  }

  /// An album that stays where it is, since the list has too few of its songs.
  package struct LeftAlbum: Hashable, Sendable {
    package var album: KnownAlbum
    package var listed: Int

    /// The song counts, as text for the user.
    package var reason: String { "\(listed) of \(album.songs) song\(album.songs == 1 ? "" : "s")" }
  }

  package struct MissingSong: Hashable, Sendable {
    package var song: WantedSong
    /// A description of the lookups.
    package var tried: String
  }

  /// The reason why a list is not imported.
  package enum SkipReason: Hashable, Sendable {
    case empty
    /// Less than a fifth of its songs were found; `paths` has examples of the others.
    case hardlyFound(paths: [String])
    /// Less than a fifth of its songs were found, and the encoding of the list is unknown.
    case undecoded(paths: [String])

    package var paths: [String] {
      switch self {
      case .empty: []
      case .hardlyFound(let paths), .undecoded(let paths): paths
      }
    }

    /// The reason for the user, with what to do.
    ///
    /// - Parameter found: The number of its songs that were found.
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
  /// The crate for the only list; nil: one named after the list.
  package var crate: String?
  /// The names of the lists to import; empty: all.
  package var only: [String] = []
  /// Whether one song of an album is enough.
  package var any = false

  package init() {}
}

/// The reason why the options don't fit the lists, with what to do.
package struct ImportRefusal: Error, Hashable, CustomStringConvertible {
  package let description: String
}
