import Terminal
import TestSupport
import Testing

@testable import Browsing

/// Whole screens, as text. Where one is meant to look otherwise, its file in `Golden` goes, and the
/// next run writes it anew.
@Suite("Screens", .limited)
struct ScreenTests {
  static let crates: [(name: String, albums: [String])] = [
    (
      "Jazz",
      [
        "Kind of Blue", "Head Hunters", "Blue Train", "日本の伝統音楽", "A Love Supreme", "Time Out",
        "Ágætis byrjun", "An album with a title that is longer than any column may ever be",
      ]
    ),
    ("Late night", ["e\u{301}tude", "हिन्दी"]), ("Music", (1...40).map { "Number \($0)" }),
  ]

  static let scenes: [(name: String, keys: String)] = [
    ("lists", "j"), ("selected", "Space Space j"), ("carried", "jvj x jj"), ("songs", "l"),
    ("crates", "h"), ("picker", "m la"), ("sort", "s"), ("find", "/blue"),
    ("narrowed", "fblue Enter"),
    ("help", "?"), ("triage", "+"), ("play", "!"), ("rename", "r"),
    ("gallery", "w"), ("carried-gallery", "w x j"), ("carried-songs", "l x j"),
    ("carried-crate", "h x j"), ("chosen", "m Down"), ("selected-songs", "l Space Space"),
    ("narrowed-triage", "+ Down"),
  ]

  static func text(of grid: Grid) -> String {
    var text = ""
    for row in 0..<grid.rows { text += grid.text(row: row) + "\n" }
    if let cursor = grid.cursor { text += "cursor \(cursor.row) \(cursor.column)\n" }
    for row in 0..<grid.rows {
      let styles = styles(of: row, grid)
      if !styles.isEmpty { text += "row \(row):\(styles)\n" }
    }
    return text
  }

  /// Where a row doesn't look plain, and how it looks there.
  private static func styles(of row: Int, _ grid: Grid) -> String {
    var text = ""
    var start = 0
    for column in 1...grid.columns {
      let style = grid.style(row: row, column: start)
      if column < grid.columns, grid.style(row: row, column: column) == style { continue }
      if style != .plain { text += " \(start)-\(column - 1) \(words(style))" }
      start = column
    }
    return text
  }

  private static func words(_ style: Style) -> String {
    let names: [(Style.Attributes, String)] = [
      (.bold, "bold"), (.dim, "dim"), (.italic, "italic"), (.underlined, "underlined"),
      (.reversed, "reversed"),
    ]
    var words = names.filter { style.attributes.contains($0.0) }.map(\.1)
    // The colours in use are of the person's own palette.
    for number in UInt8(1)..<16 {
      if style.ink == .palette(number) { words.append("colour \(number)") }
      if style.paper == .palette(number) { words.append("on colour \(number)") }
    }
    return words.isEmpty ? "another" : words.joined(separator: "+")
  }

  @Test(
    "are as they were",
    arguments: ["40x12", "80x24", "140x30", "80x24 plain", "80x24 ascii"], scenes)
  func golden(screen: String, scene: (name: String, keys: String)) throws {
    let words = screen.split(separator: " ")
    let size = words[0].split(separator: "x").compactMap { Int($0) }
    let look = Look(
      isASCII: words.contains("ascii"), isPlain: words.contains("plain"))
    var session = Session(Self.crates, columns: size[0], rows: size[1], look: look)
    if scene.name == "play" {
      session.take(.playing(PlayingFacts(player: "mpv", title: "So What", artist: "Miles Davis")))
    }
    session.press(scene.keys)
    let text = Self.text(of: session.browser.grid())
    let name = "\(screen.replacing(" ", with: "-"))-\(scene.name).txt"
    try GoldenScreens.expect(text, in: name)
  }

  @Test(
    "of what others do are as they were",
    arguments: ["connecting", "away", "empty", "arrived", "offline", "gone"])
  func news(name: String) throws {
    var session = Session(Self.crates, columns: 80, rows: 12)
    switch name {
    case "connecting": session.browser = Browser(columns: 80, rows: 12)
    case "away": session.take(.lost("has stopped"))
    case "empty": session = Session([], columns: 80, rows: 12)
    case "arrived":
      session.happens(session.keeper.add("Fresh", to: "Jazz"))
      session.happens(session.keeper.add("Other", to: "Music"))
      session.settle()
    case "offline":
      var album = try #require(session.keeper.facts("\(Keeper.id("Time Out"))"))
      album.presence = .offline
      session.take(.lookedUp([album]))
      session.take(.status(StatusFacts(troubles: ["/mnt/music is offline"])))
    default:
      session.take(.status(StatusFacts(gone: 3)))
      session.press("F")
    }
    try GoldenScreens.expect(Self.text(of: session.browser.grid()), in: "80x12-\(name).txt")
  }

  @Test("the heading tells how long all that is listed is")
  func length() {
    let session = Session(Self.crates)
    #expect(session.browser.items.count == 8 && session.browser.itemSeconds == 8 * 45 * 60)
  }

  @Test("what came since one looked is marked at the end of its row", arguments: [44, 80])
  func marks(columns: Int) {
    var session = Session(Self.crates, columns: columns, rows: 24)
    session.press("2")
    session.happens(session.keeper.add("Other", to: "Jazz"))
    session.settle()
    session.press("1")
    let marked = session.screen.dropLast().filter { $0.hasSuffix(" new") }
    #expect(marked.count == 1 && marked[0].contains("Other"), "\(session.screen)")
    #expect(marked.first.map(Widths.of) == columns - 1)
  }

  @Test("too small a window says so, and is alive")
  func tooSmall() {
    var session = Session(Self.crates, columns: 30, rows: 5)
    #expect(session.screen[0] == "The window is too small:")
    session.press("j")
    session.take(.resized(columns: 80, rows: 24))
    #expect(session.screen[2].contains("Kind of Blue"))
    session.take(.resized(columns: 1, rows: 1))
    _ = session.browser.grid()
    session.press("q")
    #expect(session.hasQuit)
  }

  @Test("for a screen reader a row says all of it, and has the cursor")
  func plain() {
    var session = Session(Self.crates, look: Look(isPlain: true))
    session.press("j Space j")
    #expect(session.screen[2] == "2 of 8, selected, Head Hunters, Artist of Head Hunters")
    #expect(session.browser.grid().cursor == Grid.Spot(row: 4, column: 0))
  }

  @Test("no name steers the terminal")
  func harmless() {
    let name = "a\u{1B}]0;title\u{7}\u{9B}31m\u{202E}b\nc"
    var session = Session([(name: "Music", albums: [name])])
    for keys in ["", "h", "l", "m", "Esc", "w", "+"] {
      session.press(keys)
      var painter = Painter(depth: .mixed)
      let bytes = String(decoding: painter.paint(session.browser.grid()), as: UTF8.self)
      #expect(!bytes.contains("\u{1B}]") && !bytes.unicodeScalars.contains("\u{9B}"))
      #expect(!bytes.contains("\u{202E}") && !bytes.contains("\n") && !bytes.contains("\u{7}"))
    }
  }

  @Test("covers are asked for at rest, once, also where songs have none in them")
  func askedCovers() throws {
    var session = Session(Self.crates, columns: 120, rows: 30, look: Look(covers: .blocks))
    let first = "\(Keeper.id("Kind of Blue"))"
    guard case .covers(let ids, _)? = session.browser.update(.rested).first else {
      Issue.record("none is asked for")
      return
    }
    #expect(ids.first == first && ids.count > 1)
    session.take(.cover(album: first, digest: nil, nil, side: 64))
    #expect(session.screen.contains { $0.contains("no cover") })
    guard case .covers(let others, _)? = session.browser.update(.rested).first else { return }
    #expect(!others.contains(first))
  }

  @Test("an image that comes, changes or goes beside songs is seen when one looks again")
  func laterCovers() throws {
    var session = Session(Self.crates, columns: 120, rows: 30, look: Look(covers: .blocks))
    let id = "\(Keeper.id("Kind of Blue"))"
    let pixels = try #require(
      Pixels(width: 8, height: 8, bytes: [UInt8](repeating: 90, count: 8 * 8 * 3)))
    session.take(.rested)
    session.settle()
    session.take(.cover(album: id, digest: nil, nil, side: 64))
    for digest in ["one", "two", nil] as [String?] {
      session.keeper.setCover(of: id, digest)
      session.press("j")
      session.take(.rested)
      session.press("k")
      session.take(.rested)
      #expect(session.effects.contains(.lookUp([id])))
      session.settle()
      let effects = session.browser.update(.rested)
      guard case .covers(let ids, _)? = effects.first else {
        Issue.record("\(digest ?? "none"): it is not asked for")
        return
      }
      #expect(ids.first == id)
      session.take(.cover(album: id, digest: digest, digest == nil ? nil : pixels, side: 64))
      session.take(.rested)
      #expect(!session.effects.contains(.lookUp([id])))
      session.settle()
    }
  }

  /// Answers what is asked until nothing more is.
  ///
  /// - Returns: the pixels of the longer side that were asked for last; nil: it asks for ever.
  private static func fetchCovers(of session: inout Session) throws -> Int? {
    var last = 0
    for _ in 0..<20 {
      let effects = session.browser.update(.rested)
      guard case .covers(let ids, let side)? = effects.first(where: \.asksForCovers) else {
        return last
      }
      last = side
      let pixels = try #require(
        Pixels(
          width: side, height: side, bytes: [UInt8](repeating: 90, count: side * side * 3)))
      for id in ids { session.take(.cover(album: id, digest: id, pixels, side: side)) }
    }
    return nil
  }

  @Test("a gallery of any size shows all its covers, and comes to rest")
  func largeGallery() throws {
    let albums = (0..<300).map { "Album \($0)" }
    var session = Session(
      [(name: "Music", albums: albums)], columns: 240, rows: 58,
      look: Look(covers: .kitty, cell: CellSize(width: 16, height: 32)))
    session.settle()
    // In the list they are large.
    #expect(try Self.fetchCovers(of: &session) == 512)
    for _ in 0..<6 {
      session.press("j j j")
      #expect(try Self.fetchCovers(of: &session) != nil)
    }
    for (columns, rows) in [(240, 58), (400, 120), (100, 30)] {
      session.take(.resized(columns: columns, rows: rows))
      session.press("w")
      #expect(try Self.fetchCovers(of: &session) != nil, "\(columns) × \(rows)")
      let layout = session.browser.layout
      let whole = layout.albums.rows / layout.tileRows * layout.across
      #expect(session.browser.grid().pictures.count >= whole, "\(columns) × \(rows)")
      session.press("w")
      // What was small among many is large again.
      let side = try #require(try Self.fetchCovers(of: &session))
      #expect(side > 200, "\(columns) × \(rows)")
    }
  }

  @Test("what is gathered below the first stays in view with it")
  func gathered() {
    var session = Session(Self.crates, columns: 80, rows: 24)
    session.press("3 g Space j Space K")
    #expect(session.screen[2].contains("● 1  Number 1 "))
    #expect(session.screen[3].contains("● 2  Number 3 "))
    #expect(session.screen[5].contains("▌  4  Number 4 "))
  }

  @Test("wherever the cursor goes, the songs of its album are seen")
  func songsFollow() {
    for keys in ["j", "Space", "S-Down", "G S-Up", "V S-Down", "2", "J u", "G Space"] {
      var session = Session(Self.crates, columns: 120, rows: 30)
      session.settle()
      session.press(keys)
      session.settle()
      #expect(!session.browser.songs.isEmpty, "\(keys)")
    }
  }

  @Test("in a gallery the songs have the place of the cover")
  func gallerySongs() {
    for way in [CoverWay.none, .blocks, .kitty] {
      var session = Session(Self.crates, columns: 120, rows: 30, look: Look(covers: way))
      session.settle()
      session.press("w")
      #expect(session.browser.layout.songs.row == 2 && session.browser.layout.cover.isEmpty)
      session.press("w")
      #expect(session.browser.layout.cover.isEmpty == (way == .none))
    }
  }

  @Test("what comes in during triage comes last")
  func laterArrivals() {
    var session = Session(Self.crates)
    session.press("+")
    #expect(session.screen[0].hasSuffix("1 of 50"))
    session.happens(session.keeper.add("Fresh", to: "Jazz"))
    session.settle()
    #expect(session.screen[0].hasSuffix("1 of 51"))
  }

  @Test("a cover changes when nothing was pressed for a moment, a few cells at a time")
  func blocks() throws {
    var session = Session(
      Self.crates, columns: 120, rows: 30, look: Look(covers: .blocks))
    let pixels = try #require(
      Pixels(width: 64, height: 64, bytes: [UInt8](repeating: 90, count: 64 * 64 * 3)))
    for album in session.browser.items {
      session.take(.cover(album: session.browser.tables[album].id, digest: "x", pixels, side: 64))
    }
    func coverRows() -> Int {
      let grid = session.browser.grid()
      return (0..<grid.rows).count { grid.text(row: $0).contains("▀") }
    }
    #expect(coverRows() == 0)
    session.take(.rested)
    #expect(coverRows() == 0)
    session.take(.roomForMore(cells: 30))
    #expect(coverRows() == 2)
    while session.browser.hasMoreToDraw { session.take(.roomForMore(cells: 30)) }
    #expect(coverRows() > 8)
    let whole = coverRows()
    session.press("j")
    #expect(coverRows() == whole)
    session.press("w")
    session.take(.rested)
    while session.browser.hasMoreToDraw { session.take(.roomForMore(cells: 100)) }
    #expect(coverRows() > 0)
  }
}

@Suite("Jobs by hand", .limited)
struct JobTests {
  @Test("25 new albums go into five crates by 30 keys at most")
  func triage() {
    var session = Session(
      [(name: "New", albums: (1...25).map { "N\($0)" })]
        + ["Jazz", "Late", "Folk", "Loud"].map { (name: $0, albums: ["Known \($0)"]) })
    let keys = (0..<25).map { ["2", "3", "4", "5", "Space"][$0 % 5] }
    session.press("+")
    let before = session.keeper.sequence
    var count = 1
    for key in keys {
      session.press(key)
      count += 1
    }
    session.press("q")
    count += 1
    #expect(count <= 30)
    #expect(session.keeper.sequence - before == 20)
    #expect(session.lists == session.keptLists)
  }

  static let titles = [
    "Kind of Blue", "Head Hunters", "Blue Train", "A Love Supreme", "Time Out", "Giant Steps",
    "Maiden Voyage", "Speak No Evil", "Mingus Ah Um", "Somethin' Else", "Moanin'", "Idle Moments",
    "Out to Lunch!", "Saxophone Colossus", "The Sidewinder", "Song for My Father",
    "Ellington at Newport", "Waltz for Debby", "Crescent", "Ballads", "Page One", "Empyrean Isles",
    "The Real McCoy", "Point of Departure", "Bitches Brew", "In a Silent Way", "Heavy Weather",
    "Aja", "Ágætis byrjun", "Takk...", "Kid A", "OK Computer", "In Rainbows", "Dummy", "Third",
    "Mezzanine", "Blue Lines", "Homogenic", "Vespertine", "日本の伝統音楽",
  ]

  /// From any order into any other, as a person does it: one after the other is found by its first
  /// letters, as many as it takes, and put at the bottom from there.
  @Test("40 albums come into an order of one's own by 150 keys at most", arguments: 1...20)
  func order(seed: UInt64) throws {
    var random = SeededGenerator(seed: seed)
    let wanted = Self.titles.shuffled(using: &random)
    var session = Session([(name: "Music", albums: Self.titles.shuffled(using: &random))])
    var count = 0
    func shown() -> [String] {
      session.browser.items.map { session.browser.tables[$0].title }
    }
    session.press("/")
    count += 1
    for title in wanted where shown() != wanted {
      for letter in title.unicodeScalars where session.titleAtCursor != title {
        session.press(Stroke(letter))
        session.settle()
        count += 1
      }
      #expect(session.titleAtCursor == title)
      session.press("M-End")
      count += 1
    }
    #expect(count <= 150, "\(count) keys")
    #expect(shown() == wanted)
    #expect(session.keptLists == session.lists)
  }
}

extension Effect {
  fileprivate var asksForCovers: Bool {
    if case .covers = self { true } else { false }
  }
}
