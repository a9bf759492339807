import Ordering
import TestSupport
import Testing

@testable import Browsing

@Suite("Crates and albums in their order", .limited)
struct OrderTests {
  /// Crates 0 to 2 with two albums each: 00, 01, 10 and so on.
  private func order() -> Order {
    var order = Order()
    for crate in 0..<3 {
      order.add(CrateID(number: Int32(crate)), named: "C\(crate)")
      for album in 0..<2 {
        order.append(Self.album(crate * 10 + album), to: CrateID(number: Int32(crate)))
      }
    }
    return order
  }

  private static func album(_ number: Int) -> AlbumID { AlbumID(number: Int32(number)) }

  private func text(_ order: Order) -> String {
    order.crates.map { crate in
      "\(order.name(of: crate)): \(order[crate].map { String($0.number) }.joined(separator: " "))"
    }.joined(separator: "; ")
  }

  private func changed(_ change: (inout Order) -> Void) -> String {
    var order = order()
    change(&order)
    for crate in order.crates {
      for album in order[crate] { #expect(order.home(of: album) == crate) }
    }
    return text(order)
  }

  private let first = CrateID(number: 0)
  private let second = CrateID(number: 1)
  private let third = CrateID(number: 2)

  private func put(_ order: inout Order, _ song: String, after anchor: String?) -> Bool {
    order.put(song: song, in: Self.album(0), after: anchor)
  }

  @Test("What is put stands behind what is named, or at the beginning")
  func put() {
    #expect(text(order()) == "C0: 0 1; C1: 10 11; C2: 20 21")
    #expect(changed { $0.put(third, after: first) } == "C0: 0 1; C2: 20 21; C1: 10 11")
    #expect(changed { $0.put(third, after: nil) } == "C2: 20 21; C0: 0 1; C1: 10 11")
    #expect(changed { $0.put(first, after: third) } == "C1: 10 11; C2: 20 21; C0: 0 1")
    #expect(
      changed { $0.put(first, after: CrateID(number: 9)) } == "C0: 0 1; C1: 10 11; C2: 20 21")
    for (album, crate, anchor, expected) in [
      (0, second, 10, "C0: 1; C1: 10 0 11; C2: 20 21"),
      (0, second, nil, "C0: 1; C1: 0 10 11; C2: 20 21"),
      (1, first, nil, "C0: 1 0; C1: 10 11; C2: 20 21"),
      (0, first, 1, "C0: 1 0; C1: 10 11; C2: 20 21"),
      (0, second, 20, "C0: 1; C1: 0 10 11; C2: 20 21"),
      (50, third, 21, "C0: 0 1; C1: 10 11; C2: 20 21 50"),
    ] as [(Int, CrateID, Int?, String)] {
      #expect(
        changed { $0.put(Self.album(album), in: crate, after: anchor.map(Self.album)) } == expected)
    }
  }

  @Test("What is taken out is nowhere, and a crate goes with its last album, in its own time")
  func takenOut() {
    var order = order()
    order.takeOut(Self.album(10))
    #expect(order.home(of: Self.album(10)) == nil && text(order) == "C0: 0 1; C1: 11; C2: 20 21")
    order.takeOut(Self.album(10))
    order.takeOut(Self.album(99))
    order.takeOut(Self.album(11))
    #expect(text(order) == "C0: 0 1; C1: ; C2: 20 21" && order.contains(second))
    order.dropEmptyCrates()
    #expect(text(order) == "C0: 0 1; C2: 20 21" && !order.contains(second))
    // Its name is still known, and nobody knows of others.
    #expect(order.name(of: second) == "C1" && order[second].isEmpty)
    #expect(order.name(of: CrateID(number: 7)) == "" && order[CrateID(number: 7)].isEmpty)
    #expect(order.home(of: Self.album(40)) == nil)
  }

  @Test("Songs are known of albums that were opened, and a new one has them read")
  func songs() {
    var order = order()
    let album = Self.album(0)
    #expect(put(&order, "x", after: nil) && order.songs[album] == nil)
    order.move(songs: ["x"], of: album, to: .top)
    #expect(order.songs[album] == nil)
    order.setSongs(of: album, ["a", "b", "c"])
    #expect(put(&order, "a", after: "b") && order.songs[album] == ["b", "a", "c"])
    #expect(put(&order, "a", after: nil) && order.songs[album] == ["a", "b", "c"])
    #expect(!put(&order, "d", after: "c"))
    #expect(order.songs[album] == ["a", "b", "c", "d"])
    order.takeOut(song: "b", of: album)
    order.takeOut(song: "b", of: Self.album(1))
    #expect(order.songs[album] == ["a", "c", "d"])
    order.move(songs: ["d"], of: album, to: .top)
    #expect(order.songs[album] == ["d", "a", "c"])
  }

  @Test("Listed albums are in the order in which they stand, and others are left out")
  func inOrder() {
    let order = order()
    for (ids, expected) in [
      ([], []), ([0], [0]), ([99], []), ([21, 0], [0, 21]), ([11, 10, 1], [1, 10, 11]),
      ([99, 20, 1], [1, 20]), ([98, 99], []),
    ] as [([Int], [Int])] {
      #expect(order.inOrder(Set(ids.map(Self.album))) == expected.map(Self.album), "\(ids)")
    }
    // A set of two has an order of its own, which is right now and then.
    let all = order.crates.flatMap { order[$0] }
    for (place, album) in all.enumerated() {
      for other in all[(place + 1)...] {
        #expect(order.inOrder([other, album]) == [album, other])
      }
    }
  }

  @Test("Albums that are moved gather at their place, of which each has one")
  func moved() {
    for (ids, place, crate, expected) in [
      ([1], .top, 0, "C0: 1 0; C1: 10 11; C2: 20 21"),
      ([1], nil, 0, "C0: 0 1; C1: 10 11; C2: 20 21"),
      ([1, 10], nil, 0, "C0: 10 0 1; C1: 11; C2: 20 21"),
      ([1, 10], .bottom, 2, "C0: 0; C1: 11; C2: 20 21 1 10"),
      ([20, 21], nil, 0, "C0: 20 21 0 1; C1: 10 11"),
      ([21, 1], .after(Self.album(10)), 1, "C0: 0; C1: 10 1 21 11; C2: 20"),
      ([11, 21], .before(Self.album(10)), 1, "C0: 0 1; C1: 11 21 10; C2: 20"),
      ([0], .down, 0, "C0: 1 0; C1: 10 11; C2: 20 21"),
      ([99], .top, 0, "C0: 0 1; C1: 10 11; C2: 20 21"),
      ([0, 99], nil, 5, "C0: 1; C1: 10 11; C2: 20 21; : 0"),
      ([10, 11], .top, 5, "C0: 0 1; C2: 20 21; : 10 11"),
    ] as [([Int], Place<AlbumID>?, Int32, String)] {
      #expect(
        changed { $0.move(ids.map(Self.album), to: place, in: CrateID(number: crate)) } == expected,
        "\(ids) \(crate)")
    }
    #expect(changed { $0.move(second, to: .top) } == "C1: 10 11; C0: 0 1; C2: 20 21")
  }
}
