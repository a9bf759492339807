/// A name of one thing, or of several at positions inside it: a WHAT of crate(1).
package struct What: Hashable, Sendable {
  package enum Name: Hashable, Sendable {
    /// A full id, an exact name or a prefix of an id, in that order.
    case any(String)
    case id(String)
    case crate(String)
    case album(String)
    case song(String)
    /// An absolute path.
    case path(BytePath)
  }

  package var name: Name
  /// Positions, each one level further down.
  package var levels: [Positions] = []

  /// Crates contain albums, and albums contain songs.
  private static let levelsMost = 2

  /// Returns nil if there is no name, or if a word after it is no list of positions.
  ///
  /// - Parameter words: a name, then positions.
  package init?(_ words: [String]) {
    guard let first = words.first, let name = Name(first), words.count <= Self.levelsMost + 1
    else { return nil }
    self.name = name
    for word in words.dropFirst() {
      guard let positions = Positions(word) else { return nil }
      levels.append(positions)
    }
  }
}

extension What.Name {
  /// Returns nil for a relative path, since only the client knows its directory.
  init?(_ word: String) {
    for (mark, name) in Self.marks where word.hasPrefix(mark) {
      self = name(String(word.dropFirst(mark.count)))
      return
    }
    if word.hasPrefix("/") || word.hasPrefix("file:") {
      var word = word[...]
      while word.count > 1, word.hasSuffix("/") { word.removeLast() }
      guard let path = BytePath(uriOrPath: String(word)) else { return nil }
      self = .path(path)
    } else if ["./", "../", "~/"].contains(where: word.hasPrefix) {
      return nil
    } else {
      self = .any(word)
    }
  }

  private static let marks: [(String, @Sendable (String) -> What.Name)] = [
    ("id:", { .id($0) }), ("crate:", { .crate($0) }), ("album:", { .album($0) }),
    ("song:", { .song($0) }),
  ]

  /// Whether it may refer to songs that are found only by reading the names of all songs.
  package var asksForSongs: Bool {
    switch self {
    case .song, .path: true
    case .any, .id, .crate, .album: false
    }
  }

  /// Whether it may refer to songs by a prefix of an id.
  package var asksForNumbers: Bool {
    switch self {
    case .id: true
    case .any(let text), .song(let text):
      (IdentifierText.shortestPrefix..<IdentifierText.length).contains(text.utf8.count)
        && IdentifierText.range(ofPrefix: text) != nil
    case .crate, .album, .path: false
    }
  }

  package var isId: Bool { if case .id = self { true } else { false } }
  package var isPath: Bool { if case .path = self { true } else { false } }

  /// The text without the mark.
  var text: String {
    switch self {
    case .any(let text), .id(let text), .crate(let text), .album(let text), .song(let text): text
    case .path(let path): path.display
    }
  }
}

/// A crate, an album or a song.
package enum Thing: Hashable, Sendable {
  case crate(CrateID)
  case album(AlbumID)
  case song(SongID)

  package enum Kind: Hashable, Sendable, CaseIterable {
    case crate, album, song
  }

  var kind: Kind {
    switch self {
    case .crate: .crate
    case .album: .album
    case .song: .song
    }
  }
}

/// The things that a WHAT refers to in a library.
package struct Meaning: Equatable, Sendable {
  /// All things that it refers to, in order.
  package var what: [Thing] = []
  /// The candidates, if it is ambiguous.
  package var candidates: [Thing] = []
  /// Similarly spelled things, the best first, if nothing matches.
  package var near: [Thing] = []

  package init() {}
}
