import LibraryModel
import Terminal
import TestSupport
import Testing

@testable import Browsing

@Suite("Random sessions", .limited)
struct RandomSessionTests {
  static let keys: [Stroke] =
    Array(Bindings.commands.keys).filter {
      ![.quit, .suspend, .redraw].contains(Bindings.commands[$0])
    }.sorted { $0.name < $1.name }
    + [
      Stroke("z"), Stroke("o"), Stroke("y"), Stroke(.backspace), Stroke("é"), Stroke("c"),
      Stroke("J"), Stroke("K"), Stroke("x"), Stroke("p"), Stroke(" "), Stroke("m"), Stroke(.enter),
    ]

  /// Something is wrong with what the browser holds to be true.
  static func fault(of session: Session) -> String? {
    let browser = session.browser
    if let crate = browser.currentCrate {
      if !browser.shown.contains(crate) { return "the open crate is not there" }
    } else if !browser.shown.crates.isEmpty {
      return "no crate is open"
    }
    if browser.narrowing == nil, let crate = browser.currentCrate,
      browser.items != browser.shown[crate]
    {
      return "other albums are seen"
    }
    if !browser.items.isEmpty {
      guard let cursor = browser.albumList.cursor, browser.items.contains(cursor) else {
        return "the cursor is nowhere"
      }
      guard let top = browser.albumList.top, browser.items.contains(top) else {
        return "the view is nowhere"
      }
    }
    if browser.pending.count > PendingEdit.waitingMost + 2 { return "too much waits" }
    if browser.pending.count(where: { $0.state == .sent }) > 1 { return "two are on their way" }
    return nil
  }

  /// What only the daemon can tell.
  static func isGuessed(_ session: Session) -> Bool {
    // Keys that wait for what the daemon finds do nothing yet.
    session.browser.typedAhead.isEmpty
      && session.browser.pending.allSatisfy {
        switch $0.edit {
        case .moveAlbums, .moveSongs, .moveCrate: true
        default: false
        }
      }
  }

  static func crates(_ random: inout SeededGenerator) -> [(name: String, albums: [String])] {
    var number = 0
    return ["Music", "Jazz", "Ébène", "Late Night"].prefix(Int.random(in: 1...4, using: &random))
      .map { name in
        let albums = (0..<Int.random(in: 1...6, using: &random)).map { _ in
          number += 1
          return "\(["a", "b", "ü", "日"][number % 4])\(number)"
        }
        return (name, albums)
      }
  }

  @Test("keep what always holds, and end where the daemon is", arguments: 0..<20)
  func sessions(batch: UInt64) {
    var random = SeededGenerator(usually: 1_000 + batch)
    for round in 0..<Effort.runs(150, nightly: 5_000) {
      var session = Session(
        Self.crates(&random), columns: [45, 80, 140].randomElement(using: &random) ?? 80,
        rows: Int.random(in: 8...20, using: &random))
      var typed: [String] = []
      for _ in 0..<Int.random(in: 3...16, using: &random) {
        switch Int.random(in: 0..<12, using: &random) {
        case 0:
          session.act()
          typed.append("(acts)")
        case 1:
          session.tell()
          typed.append("(told)")
        case 2 where round % 4 == 0:
          let name = ["Music", "Jazz", "Fresh"].randomElement(using: &random) ?? ""
          let title = "n\(round).\(typed.count)"
          session.happens(session.keeper.add(title, to: name))
          typed.append("(\(title) comes into \(name))")
        default:
          let stroke = Self.keys.randomElement(using: &random) ?? Stroke("j")
          session.press(stroke)
          typed.append(stroke.name)
        }
        if let fault = Self.fault(of: session) {
          Issue.record("\(random), round \(round): \(fault) after \(typed)")
          return
        }
        if round % 8 == 0 { _ = session.browser.grid() }
      }
      let seen = session.lists
      let isGuessed = Self.isGuessed(session) && round % 4 != 0
      session.settle()
      if session.browser.layout.showsSongs, session.browser.lookedAtAlbum != nil,
        session.browser.songs.isEmpty
      {
        Issue.record("\(random), round \(round): no songs are seen after \(typed)")
        return
      }
      if session.lists != session.keptLists {
        Issue.record(
          "\(random), round \(round): \(session.lists), not \(session.keptLists): \(typed)")
        return
      }
      if isGuessed, session.lists != seen {
        Issue.record("\(random), round \(round): \(seen) was shown, \(session.lists) is: \(typed)")
        return
      }
      if !session.browser.pending.isEmpty {
        Issue.record("\(random), round \(round): something waits for ever: \(typed)")
        return
      }
    }
  }

  @Test("of clicks, drags and wheels, in windows of any size")
  func mouse() {
    var random = SeededGenerator(usually: 77)
    for round in 0..<1_000 {
      var session = Session(
        Self.crates(&random), columns: Int.random(in: 1...130, using: &random),
        rows: Int.random(in: 1...30, using: &random))
      for _ in 0..<20 {
        let spot = Grid.Spot(
          row: Int.random(in: 0..<30, using: &random),
          column: Int.random(in: 0..<130, using: &random))
        let actions: [Mouse.Action] = [
          .press(.left), .press(.right), .drag(.left), .drag(.left), .release, .wheel(1),
          .wheel(-1),
        ]
        switch Int.random(in: 0..<10, using: &random) {
        case 0:
          session.take(
            .resized(
              columns: Int.random(in: 1...130, using: &random),
              rows: Int.random(in: 1...30, using: &random)))
        case 1: session.press(Self.keys.randomElement(using: &random) ?? Stroke("j"))
        default:
          session.take(
            .input(
              .mouse(
                Mouse(
                  actions.randomElement(using: &random) ?? .release, spot,
                  Bool.random(using: &random) ? .control : []))))
        }
        if let fault = Self.fault(of: session) {
          Issue.record("\(random), round \(round): \(fault)")
          return
        }
        _ = session.browser.grid()
      }
      session.settle()
      #expect(session.lists == session.keptLists, "\(random), round \(round)")
    }
  }
}
