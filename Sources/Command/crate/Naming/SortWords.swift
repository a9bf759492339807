import CratesInterface
import Text

/// The words of `crate sort`: the things, the order and the direction.
struct SortWords: Equatable {
  var what: [String]
  var order: Order
  /// Nil: the order's default direction.
  var ascending: Bool?

  /// The orders as they are typed.
  enum Order: String, CaseIterable {
    case track, added, artist, title, album, year, released, reversed, shuffled

    /// Nil if albums have no such order.
    var ofAlbums: Interface.AlbumOrder? {
      switch self {
      case .track: nil
      case .added: .added
      case .artist: .artist
      case .title, .album: .title
      case .year, .released: .released
      case .reversed: .reversed
      case .shuffled: .shuffled
      }
    }

    /// Nil if songs have no such order.
    var ofSongs: Interface.SongOrder? {
      switch self {
      case .track: .track
      case .added: .added
      case .title: .title
      case .reversed: .reversed
      case .shuffled: .shuffled
      case .artist, .album, .year, .released: nil
      }
    }

    /// Whether the order is by time, with an oldest and a newest end.
    fileprivate var isInTime: Bool { [.added, .year, .released].contains(self) }
    /// Whether the order is written without `by` and has no direction.
    fileprivate var isVerb: Bool { [.reversed, .shuffled].contains(self) }
  }

  private enum Direction: String, CaseIterable { case oldest, newest, ascending, descending }

  /// Synonyms of orders and directions.
  private static let habits = [
    "date": "year", "name": "title", "reverse": "reversed", "shuffle": "shuffled",
    "random": "shuffled", "asc": "ascending", "desc": "descending",
  ]

  private static func known(_ word: String) -> String {
    let word = word.lowercased()
    return habits[word] ?? word
  }

  static let songOrders = "track, title, added, reversed or shuffled"
  /// Returns the directions that may follow an order.
  static func directions(of order: Order) -> [String] {
    if order.isVerb { return [] }
    return Direction.allCases.filter { direction in
      order.isInTime || ![.oldest, .newest].contains(direction)
    }.map(\.rawValue)
  }

  private static let allOrders = "artist, title, year, added, track, reversed or shuffled"

  /// The last `by` is the keyword, so that an album may contain it.
  init(_ words: [String]) throws(Failure) {
    var rest = words[...]
    let direction = rest.last.flatMap { Direction(rawValue: Self.known($0)) }
    if direction != nil { rest.removeLast() }
    guard let word = rest.popLast() else { throw .wrongUse("say what to sort, and by what") }
    let isSaid = rest.last?.lowercased() == "by"
    guard let order = Order(rawValue: Self.known(word)), isSaid || order.isVerb else {
      throw Self.mistake(word, isOrder: isSaid, words)
    }
    if isSaid { rest.removeLast() }
    guard !rest.isEmpty else { throw .wrongUse("say what to sort") }
    what = Array(rest)
    self.order = order
    if let direction { ascending = try Self.ascending(direction, order) }
  }

  private static func mistake(_ word: String, isOrder: Bool, _ words: [String]) -> Failure {
    guard isOrder else {
      if let by = words.lastIndex(where: { $0.lowercased() == "by" }),
        let order = words[(by + 1)...].first.flatMap({ Order(rawValue: known($0)) })
      {
        let most = order.isVerb ? "" : "; only \(Shown.either(directions(of: order))) may"
        let rest = words[(by + 2)...].joined(separator: " ")
        return .wrongUse("“\(rest)” can't follow by \(order.rawValue)\(most)")
      }
      if let order = Order(rawValue: known(word)) {
        return .wrongUse("“by” is missing before the order; write: by \(order.rawValue)")
      }
      return .wrongUse("say at the end what to sort by: by \(allOrders)")
    }
    let near = nearestName(to: word, of: Order.allCases.map(\.rawValue))
    return .wrongUse(
      "there is no order “\(word)”; "
        + (near.map { "did you mean \($0)?" } ?? "use \(allOrders)"))
  }

  private static func ascending(_ direction: Direction, _ order: Order) throws(Failure) -> Bool {
    let word = direction.rawValue
    if order.isVerb { throw .wrongUse("“\(word)” can't follow \(order.rawValue)") }
    switch direction {
    case .ascending: return true
    case .descending: return false
    case .oldest, .newest:
      guard order.isInTime else {
        throw .wrongUse(
          "“\(word)” can't follow by \(order.rawValue); write ascending or descending")
      }
      return direction == .oldest
    }
  }
}
