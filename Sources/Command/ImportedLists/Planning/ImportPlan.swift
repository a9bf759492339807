/// What an import would do, list by list.
package struct ImportPlan: Hashable, Sendable {
  /// An album that goes where a list has it.
  package struct Album: Hashable, Sendable {
    package var album: KnownAlbum
    /// Songs of it that the list has.
    package var listed: Int
    /// Whether it is in the crate already, and stays where it is.
    package var isThere: Bool
    /// The songs in the list's order, where that is another than they have; else none.
    package var songs: [String]
  }

  /// An album that several lists have enough of.
  package struct Claim: Hashable, Sendable {
    package var album: KnownAlbum
    /// The lists by their names, in the order of the file.
    package var lists: [String]
    /// The list that gets it.
    package var winner: String
  }

  /// An album that a list has too little of.
  package struct LeftAlbum: Hashable, Sendable {
    package var album: KnownAlbum
    package var listed: Int

    /// For people.
    package var reason: String { "\(listed) of \(album.songs) song\(album.songs == 1 ? "" : "s")" }
  }

  package struct MissingSong: Hashable, Sendable {
    package var song: WantedSong
    package var tried: String
  }

  /// Why nothing of a list is taken over.
  package enum Standstill: Hashable, Sendable {
    case empty
    /// Less than a fifth of its songs were found. These are some of the others' paths, for people.
    case hardlyFound(paths: [String])
    /// The same of a list whose encoding shows in nothing.
    case undecoded(paths: [String])

    package var paths: [String] {
      switch self {
      case .empty: []
      case .hardlyFound(let paths), .undecoded(let paths): paths
      }
    }

    /// For people.
    ///
    /// - Parameter found: how many of its songs were found.
    package func reason(found: Int) -> String {
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
    /// The crate comes into being.
    package var isNew = false
    package var listed = 0
    package var found = 0
    package var albums: [Album] = []
    package var claimed: [Claim] = []
    package var left: [LeftAlbum] = []
    package var missing: [MissingSong] = []
    package var standstill: Standstill?
  }

  package var lists: [List] = []
  package var leftOut: [LeftOutList] = []

  /// Whether nothing would change.
  package var isEmpty: Bool { lists.allSatisfy { $0.albums.allSatisfy(\.isThere) } }
}

/// How the lists of a file become crates.
package struct ImportChoice: Hashable, Sendable {
  /// The crate that the only list goes to; nil: one of its name.
  package var crate: String?
  /// The names of the lists that are meant; empty: all.
  package var only: [String] = []
  /// One song of an album is enough.
  package var any = false

  package init() {}
}

/// Why lists can't be taken over as somebody wants it, with what to do.
package struct ImportRefusal: Error, Hashable, CustomStringConvertible {
  package let description: String
}
