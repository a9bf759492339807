extension GroupKey {
  /// A key that a store has, as it would be made today: former versions neither normalised names,
  /// nor folded them all alike, nor bounded what tells editions apart. Of today's keys nothing
  /// changes, and what is no key of ours stays as it is.
  ///
  /// So what is in the folder is found in the album where it was. Ids stay: they are stored, too.
  package convenience init(storedFamily family: String, edition: String = "") {
    if Self.isPlain(family), edition.isEmpty {
      self.init(family: family)
      return
    }
    let parts = family.utf8.split(separator: 0x09, omittingEmptySubsequences: false)
      .map { String(Substring($0)) }
    switch (parts.first, parts.count) {
    case ("by", 3):
      self.init(
        family: Self.tagged(artist: parts[1], album: parts[2]), edition: Self.label(edition))
    case ("in", 3):
      self.init(
        family: "in\t\(Self.folder(parts[1]))\t\(KeyText.name(parts[2]))",
        edition: Self.folder(edition))
    case ("folder", 2):
      self.init(family: "folder\t\(Self.folder(parts[1]))", edition: Self.folder(edition))
    default: self.init(family: family, edition: edition)
    }
  }

  /// Whether nothing in it can be otherwise today, as with most: short, ASCII, folded.
  private static func isPlain(_ family: String) -> Bool {
    guard family.utf8.count <= KeyText.longestName, family.hasPrefix("by\t") else { return false }
    var previous: UInt8 = 0x09
    for byte in family.utf8.dropFirst(3) {
      let isBlank = byte == 0x20
      if byte >= 0x80 || (0x41...0x5A).contains(byte) || (0x0A...0x0D).contains(byte)
        || (isBlank && (previous == 0x20 || previous == 0x09)) || (byte == 0x09 && previous == 0x20)
      {
        return false
      }
      previous = byte
    }
    return previous != 0x20
  }

  private static func folder(_ encoded: String) -> String {
    KeyText.folder(KeyText.percentDecoded(encoded))
  }

  /// An edition: a release, or that and a folder. A release that is no UUID was kept as it was
  /// tagged, and may have had blanks.
  private static func label(_ edition: String) -> String {
    guard let blank = edition.utf8.firstIndex(of: 0x20) else { return storedRelease(edition) }
    let release = folded(String(edition[..<blank]))
    guard KeyText.isRelease(release) else { return storedRelease(edition) }
    return "\(release) \(folder(String(edition[edition.utf8.index(after: blank)...])))"
  }

  private static func storedRelease(_ text: String) -> String {
    KeyText.isRelease(text) ? text : KeyText.release(text)
  }
}

extension GroupKey {
  /// What makes the songs of a group one album.
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
    // Elsewhere an edition tells music folders apart.
    if isTagged { return edition.isEmpty ? .tags : .edition }
    return [.tagsAndFolder, .folder].first { family.hasPrefix($0.family) } ?? .unknown
  }

  /// A key of which only this is known.
  convenience init(_ bond: Bond) {
    self.init(family: bond.family, edition: bond == .edition ? "edition" : "")
  }

  /// Why the songs of the group are one album, as a sentence.
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
