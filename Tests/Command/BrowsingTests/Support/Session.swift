import CratesInterface
import LibraryModel
import Terminal
import TestSupport
import Testing

@testable import Browsing

/// A browser and a keeper that answers it, driven by keys.
struct Session {
  var browser: Browser
  var keeper: Keeper
  /// What nobody did yet.
  private(set) var effects: [Effect] = []
  /// What was told to those that watch, and has not arrived.
  private var untold: [Interface.Change] = []
  private(set) var played: [Effect] = []
  private(set) var hasQuit = false

  init(
    _ crates: [(name: String, albums: [String])], columns: Int = 100, rows: Int = 30,
    look: Look = Look(), memory: String = "", songs: Int = 3
  ) {
    keeper = Keeper(crates, songs: songs)
    browser = Browser(columns: columns, rows: rows, look: look, memory: memory)
    take(.began(crates: keeper.lists.map(\.name), sequence: keeper.sequence))
    take(keeper.listing)
    settle()
  }

  /// A crate of albums with one letter each: `"A B C"`.
  init(_ albums: String) {
    self.init([(name: "Music", albums: albums.split(separator: " ").map(String.init))])
  }

  mutating func take(_ message: Message) { effects += browser.update(message) }

  /// What the daemon is asked to change, one after the other, until all is answered.
  mutating func requests() -> [Call] {
    var found: [Call] = []
    while !effects.isEmpty || !untold.isEmpty {
      if effects.isEmpty {
        tell()
      } else {
        if case .edit(_, let request) = effects[0] { found.append(request) }
        act()
      }
    }
    return found
  }

  /// Does what the browser wants, until it wants nothing.
  mutating func settle() {
    while !effects.isEmpty || !untold.isEmpty {
      if !effects.isEmpty { act() } else { tell() }
    }
  }

  /// The next effect.
  mutating func act() {
    guard !effects.isEmpty else { return }
    switch effects.removeFirst() {
    case .edit(let number, let request):
      let (answer, told) = keeper.answer(request)
      if let told { untold.append(told) }
      take(.answered(number, answer))
    case .list: take(keeper.listing)
    case .lookUp(let ids): take(.lookedUp(ids.compactMap(keeper.facts)))
    case .songs(let album): take(.songs(album: album, keeper.songs(of: album)))
    case .search(let query):
      let (albums, songs) = keeper.search(query)
      take(.found(query, albums: albums, songs: songs))
    case .play(let things, let adding): played.append(.play(things, adding: adding))
    case .control(let action): played.append(.control(action))
    case .quit: hasQuit = true
    case .covers, .remember, .redraw, .suspend: break
    }
  }

  /// The next change arrives.
  mutating func tell() { if !untold.isEmpty { take(.changed(untold.removeFirst())) } }

  mutating func happens(_ change: Interface.Change?) { if let change { untold.append(change) } }

  // MARK: Keys

  static let named: [String: Stroke] = [
    "Space": Stroke(" "), "Enter": Stroke(.enter), "Esc": Stroke(.escape), "Tab": Stroke(.tab),
    "S-Tab": Stroke(.tab, .shift), "Up": Stroke(.up), "Down": Stroke(.down),
    "S-Up": Stroke(.up, .shift), "S-Down": Stroke(.down, .shift), "M-Up": Stroke(.up, .alt),
    "M-Down": Stroke(.down, .alt), "M-Home": Stroke(.home, .alt), "M-End": Stroke(.end, .alt),
    "Left": Stroke(.left), "Right": Stroke(.right),
    "C-d": Stroke("d", .control), "C-u": Stroke("u", .control), "C-r": Stroke("r", .control),
    "C-c": Stroke("c", .control), "C-w": Stroke("w", .control), "C-p": Stroke("p", .control),
    "C-a": Stroke("a", .control), "C-e": Stroke("e", .control), "Del": Stroke(.delete),
    "Bs": Stroke(.backspace),
    "Home": Stroke(.home), "End": Stroke(.end), "PgDn": Stroke(.pageDown),
    "PgUp": Stroke(.pageUp),
  ]

  static func strokes(_ keys: String) -> [Stroke] {
    keys.split(separator: " ").flatMap { word in
      named[String(word)].map { [$0] } ?? word.unicodeScalars.map { Stroke($0) }
    }
  }

  /// Keys, each answered before the next.
  mutating func press(_ keys: String) {
    for stroke in Self.strokes(keys) {
      press(stroke)
      settle()
    }
  }

  mutating func press(_ stroke: Stroke) {
    take(.input(.key(stroke.key, stroke.modifiers)))
  }

  /// Keys that nobody answers yet.
  mutating func rush(_ keys: String) { for stroke in Self.strokes(keys) { press(stroke) } }

  // MARK: What is seen

  var titleAtCursor: String? { browser.currentAlbum.map { browser.tables[$0].title } }

  /// The open crate's albums: the cursor's in brackets, a selected one with a star, one that is
  /// picked up with a tilde.
  var list: String {
    let cursor = browser.currentAlbum
    return browser.items.map { album in
      var text = browser.tables[album].title
      if case .albums(let ids)? = browser.carried, ids.contains(album) { text = "~\(text)" }
      if browser.albumList.selected.contains(album) { text = "*\(text)" }
      return album == cursor ? "[\(text)]" : text
    }.joined(separator: " ")
  }

  /// All crates, as they are shown.
  var lists: String {
    browser.shown.crates.map { crate in
      let albums = browser.shown[crate].map { browser.tables[$0].title }
      return "\(browser.shown.name(of: crate)): \(albums.joined(separator: " "))"
    }.joined(separator: "; ")
  }

  var keptLists: String {
    keeper.lists.map { "\($0.name): \($0.albums.joined(separator: " "))" }.joined(separator: "; ")
  }

  var screen: [String] {
    let grid = browser.grid()
    return (0..<grid.rows).map { grid.text(row: $0) }
  }
}
