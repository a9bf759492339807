/// How many songs name which artist, with the guests that they have.
struct ArtistCounts {
  private var counts: [(key: String, name: String, count: Int)] = []
  private var places: [String: Int] = [:]

  var isEmpty: Bool { counts.isEmpty }

  /// - Parameter artists: of a song each. Of several spellings the first is the artist's.
  init(_ artists: some Sequence<String>) {
    // Mostly it is one artist many times.
    var last: (artist: String, place: Int)?
    for artist in artists {
      if let last, last.artist.isSame(as: artist) {
        counts[last.place].count += 1
      } else {
        last = (artist, add(artist, count: 1))
      }
    }
  }

  @discardableResult
  private mutating func add(_ artist: String, count: Int) -> Int {
    let key = folded(artist)
    let place = places[key] ?? counts.count
    if place == counts.count {
      counts.append((key, artist, 0))
      places[key] = place
    }
    counts[place].count += count
    return place
  }

  /// The artist that so many songs name alike; more than half of them, so that it is the only one.
  func named(by most: Int) -> String? { counts.first { $0.count >= most }?.name }

  /// The artist with whom so many songs begin, and who is alone on one of them: "Alice" of
  /// "Alice", "Alice, Bob" and "Alice and Cleo". Of several the longest.
  func joined(by most: Int) -> String? {
    // In order, those that begin alike follow each other. More than half of all songs have the
    // middle one of them.
    let sorted = counts.sorted { $0.key.utf8.lexicographicallyPrecedes($1.key.utf8) }
    let songs = counts.reduce(0) { $0 + $1.count }
    var passed = 0
    let middle = sorted.first {
      passed += $0.count
      return passed * 2 > songs
    }
    guard let middle else { return nil }
    return counts.filter { isMember($0.key, of: middle.key) }
      .sorted { $0.key.utf8.count > $1.key.utf8.count }
      .first { candidate in
        counts.reduce(0) { $0 + (isMember(candidate.key, of: $1.key) ? $1.count : 0) } >= most
      }?.name
  }

  /// Whether a text is the artist, or begins with the artist at the end of a word.
  private func isMember(_ artist: String, of text: String) -> Bool {
    guard text.utf8.starts(with: artist.utf8) else { return false }
    let rest = text.unicodeScalars[text.utf8.index(text.startIndex, offsetBy: artist.utf8.count)...]
    return rest.first.map { !isPartOfWord($0) } ?? true
  }

  private func isPartOfWord(_ scalar: Unicode.Scalar) -> Bool {
    scalar.properties.isAlphabetic || scalar.properties.numericType != nil
      || scalar.properties.canonicalCombiningClass != .notReordered
  }

  /// The counts of the songs' main artists, without guests.
  var withoutGuests: ArtistCounts {
    var main = ArtistCounts([])
    for (_, name, count) in counts { main.add(mainArtist(name), count: count) }
    return main
  }
}
