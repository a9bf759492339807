/// The number of songs by each artist, including guests in the name.
struct ArtistCounts {
  private var counts: [(key: String, name: String, count: Int)] = []
  private var places: [String: Int] = [:]

  var isEmpty: Bool { counts.isEmpty }

  /// - Parameter artists: the artist of each song. Of several spellings the first one is used.
  init(_ artists: some Sequence<String>) {
    // Most albums have one artist, repeated.
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

  /// Returns the artist that at least that many songs have. The number has to be more than half of
  /// the songs, so that there is only one.
  func named(by most: Int) -> String? { counts.first { $0.count >= most }?.name }

  /// Returns the artist with whom at least that many songs begin, and who is alone on one of them:
  /// "Alice" of "Alice", "Alice, Bob" and "Alice and Cleo". Of several, the longest.
  func joined(by most: Int) -> String? {
    // In sorted order, artists with the same beginning are adjacent. A beginning that more than
    // half of the songs share is also that of the middle song.
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

  /// Whether a text is the artist, or begins with the artist at a word boundary.
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
