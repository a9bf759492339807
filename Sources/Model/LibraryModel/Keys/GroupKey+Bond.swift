extension GroupKey {
  /// The reason why the songs of a group are one album.
  package enum Bond: Int, CaseIterable, Sendable {
    case unknown, tags, edition, tagsAndFolder, folder

    fileprivate var family: String {
      switch self {
      case .unknown: ""
      case .tags, .edition: "by\t"
      case .tagsAndFolder: "in\t"
      case .folder: "folder\t"
      }
    }
  }

  package var bond: Bond {
    // In other groups an edition distinguishes music folders.
    if isTagged { return edition.isEmpty ? .tags : .edition }
    return [.tagsAndFolder, .folder].first { family.hasPrefix($0.family) } ?? .unknown
  }

  /// Creates a key with nothing but this bond.
  convenience init(_ bond: Bond) {
    self.init(family: bond.family, edition: bond == .edition ? "edition" : "")
  }

  /// The reason why the songs of the group are one album, as a sentence.
  package var reason: String {
    switch bond {
    case .unknown: ""
    case .tags: "its songs have the same album and album artist in their tags"
    case .edition:
      "its songs have the same album and album artist in their tags, and are an edition of their"
        + " own"
    case .tagsAndFolder: "its songs have the same album in their tags and lie in the same folder"
    case .folder: "its songs have no album in their tags and lie in the same folder"
    }
  }
}
