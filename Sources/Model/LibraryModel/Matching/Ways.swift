/// A mapping of the list's paths to this machine's: another folder in place of theirs, or the paths
/// as they are.
struct Way: Hashable {
  var theirs: [UInt8] = []
  var ours: [UInt8] = []
  /// Whether the list's paths are relative to the music folder.
  var isRelative = false

  static let relative = Way(isRelative: true)
  /// The list's paths are absolute, and refer to files of this machine.
  static let same = Way()
}

/// A provisional match by the suffix of a path.
struct Ending {
  /// The number of components that make a suffix conclusive: artist, album and song. Conclusive
  /// suffixes support the others of a list that has nothing but paths.
  static let tellingParts = 3

  var file: Int
  /// The number of significant shared components, without disc folders and folders above the music
  /// folder.
  var parts: Int
  var way: Way
  /// Whether the list has no metadata of the song but its path.
  var isSilent: Bool

  var isTelling: Bool { parts >= Self.tellingParts }
}

/// The matches by path suffixes of a whole list. A match without other evidence counts if half of
/// the list was found by better evidence, or by the same mapping.
struct Ways {
  /// The matches of a mapping that have no other evidence.
  private struct Silent {
    var all = 0
    var telling = 0
  }

  /// The mappings with the most songs. The order does not depend on hashes.
  let best: [Way]
  /// The mappings by which at least half of the list was found, or half of the entries in one of
  /// the list's folders, if a tenth of the list was found by it.
  let usual: [Way]
  /// The mapping by which path suffixes found half of the list.
  let most: Way?
  /// The locations here of the list's folders, from matches with more evidence than the names of an
  /// album and a song.
  private let ours: [[UInt8]: [[UInt8]]]
  private var silent: [Way: Silent] = [:]
  private var telling = 0
  private let found: Int
  private let total: Int

  /// - Parameters:
  ///   - paths: the mappings of the entries that were found by their paths.
  ///   - inside: returns how many entries of the list are in a folder of the list's machine.
  init(
    _ endings: [Int: Ending], paths: [Way], of total: Int, inside: ([UInt8]) -> Int
  ) {
    var counts: [Way: Int] = [:]
    var known: [[UInt8]: [[UInt8]]] = [:]
    var found = paths.count
    for (_, ending) in endings.ascending(by: \.key) {
      counts[ending.way, default: 0] += 1
      if ending.isSilent {
        silent[ending.way, default: Silent()].all += 1
      } else {
        found += 1
      }
      if ending.isSilent, ending.isTelling {
        silent[ending.way, default: Silent()].telling += 1
        telling += 1
      }
      guard ending.isTelling || !ending.isSilent else { continue }
      let places = known[ending.way.theirs, default: []]
      if places.count < ListMatching.mostWays, !places.contains(ending.way.ours) {
        known[ending.way.theirs, default: []].append(ending.way.ours)
      }
    }
    ours = known
    self.found = found
    self.total = total
    let sorted = counts.sorted { left, right in
      if let isMore = precedence(right.value, left.value) { return isMore }
      return left.key.theirs == right.key.theirs
        ? left.key.ours.lexicographicallyPrecedes(right.key.ours)
        : left.key.theirs.lexicographicallyPrecedes(right.key.theirs)
    }
    best = Array(sorted.prefix(ListMatching.mostWays).map(\.key))
    let right = [Way.same, .relative].filter { way in paths.count { $0 == way } * 2 >= total }
    usual =
      right
      + best.filter { way in
        let count = counts[way] ?? 0
        if count * 2 >= total { return true }
        guard count * 10 >= total, known[way.theirs] != nil else { return false }
        return count * 2 >= inside(way.theirs)
      }
    most = sorted.first.flatMap { $0.value * 2 >= total ? $0.key : nil }
  }

  func isCommon(_ way: Way) -> Bool {
    (found + (silent[way]?.all ?? 0)) * 2 >= total
  }

  /// Whether half of the list was found by better evidence, by this mapping, or by conclusive
  /// suffixes.
  func speak(for way: Way) -> Bool {
    if isCommon(way) { return true }
    guard let same = silent[way] else { return false }
    return (found + same.all + telling - same.telling) * 2 >= total
  }

  /// Returns the files that a path without its leading slash would refer to by the mappings of
  /// other entries from its folders.
  func places(of path: [UInt8], but way: Way) -> [BytePath] {
    var places: [BytePath] = []
    for end in [0] + path.indices.filter({ path[$0] == slash }) {
      let theirs = Array(path[..<end])
      let rest = BytePath(Array(path[(end == 0 ? 0 : end + 1)...]))
      for ours in ours[theirs] ?? [] where Way(theirs: theirs, ours: ours) != way {
        places.append(BytePath([slash] + ours).appending(rest))
      }
    }
    return places
  }
}

private let slash = UInt8(ascii: "/")
