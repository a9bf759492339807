import Terminal
import Testing

@testable import Browsing

/// Tests of a crate whose albums have covers.
protocol CoverSessions {}

extension CoverSessions {
  func session(
    _ way: CoverWay, _ columns: Int = 100, _ rows: Int = 30, albums: Int = 9,
    cell: CellSize = .usual, isPlain: Bool = false
  ) -> Session {
    Session(
      [(name: "Music", albums: (0..<albums).map { "A\($0)" })], columns: columns, rows: rows,
      look: Look(isPlain: isPlain, covers: way, cell: cell))
  }

  /// Places in the list of what is asked for after a rest, and pixels of the longer side.
  func asked(_ session: inout Session) -> (places: [Int], side: Int)? {
    for effect in session.browser.update(.rested) {
      guard case .covers(let ids, let side) = effect else { continue }
      let titles = session.browser.items.map { session.browser.tables[$0].id }
      return (ids.compactMap(titles.firstIndex), side)
    }
    return nil
  }

  func id(_ place: Int, _ session: Session) -> String {
    session.browser.tables[session.browser.items[place]].id
  }

  func pixels(_ width: Int, _ height: Int) throws -> Pixels {
    try #require(
      Pixels(width: width, height: height, bytes: [UInt8](repeating: 9, count: width * height * 3)))
  }
}
