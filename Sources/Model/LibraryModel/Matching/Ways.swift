/// How a path of a list leads to one of ours: by replacing their folder with ours, or as it is.
struct Way: Hashable {
  var theirs: [UInt8] = []
  var ours: [UInt8] = []
  /// Whether the list's paths are relative to the music folder.
  var isRelative = false

  static let relative = Way(isRelative: true)
  /// The list's paths are absolute, and name our files.
  static let same = Way()
}

/// A song that the end of its path led to, for now.
struct Ending {
  /// The parts that make an end of a path telling: artist, album and song. Telling ends speak for
  /// the others of a list that says nothing but paths.
  static let tellingParts = 3

  var file: Int
  /// How many parts in common tell songs apart: no folders of discs, and none above the music
  /// folder.
  var parts: Int
  var way: Way
  /// Whether the list says nothing of the song but its path.
  var isSilent: Bool

  var isTelling: Bool { parts >= Self.tellingParts }
}

/// What was found by the ends of paths, together: what says nothing by itself counts where half
/// of the list was found by more, or by the same way.
struct Ways {
  /// Silent ones of a way.
  private struct Silent {
    var all = 0
    var telling = 0
  }

  /// The ways with most songs, in an order that is no hash table's.
  let best: [Way]
  /// Ways by which at least half of the list was found, or half of what lies in a folder of theirs
  /// that a tenth of the list is from.
  let usual: [Way]
  /// The way by whose end half of the list was found.
  let most: Way?
  /// Where folders of theirs are here, by what is more than an album and a song of these names.
  private let ours: [[UInt8]: [[UInt8]]]
  private var silent: [Way: Silent] = [:]
  private var telling = 0
  private let found: Int
  private let total: Int

  /// - Parameters:
  ///   - paths: how those were found whose paths are right.
  ///   - inside: how many of the list lie in a folder of theirs.
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

  /// Whether half of the list was found by more, by this way, or by an end that tells.
  func speak(for way: Way) -> Bool {
    if isCommon(way) { return true }
    guard let same = silent[way] else { return false }
    return (found + same.all + telling - same.telling) * 2 >= total
  }

  /// The files that a path without its first slash would be, if it were where others from its
  /// folders are.
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
