import LibraryModel
import SharedOrder
import TestSupport
import Testing

/// What happens where one machine does something, and another one something else meanwhile.
@Suite("Two machines apart", .limited)
struct CaseTests {
  /// Two machines with albums 0...5 in Jazz and 10...12 in Rock, from a machine that found them.
  private struct Pair {
    var one = SimulatedMachine(1)
    var other = SimulatedMachine(2)
    var wall: Int64 = 10

    init() throws {
      try one.arrive([0, 1, 2, 3, 4, 5, 10, 11, 12], at: 1)
      try one.edit(.renameCrate("Music", to: "Jazz"), at: 2)
      try one.edit(
        .moveAlbums(
          [10, 11, 12].map(SimulatedMachine.album), .top, crate: "Rock", gathered: .given),
        at: 3)
      try other.read(one.told(), at: 4)
      try other.arrive([0, 1, 2, 3, 4, 5, 10, 11, 12], at: 5)
    }

    /// They hear of each other; both are to come to the same.
    mutating func meet(sourceLocation: SourceLocation = #_sourceLocation) throws -> String {
      let (told, answer) = (one.told(), other.told())
      try one.read(answer, at: wall)
      try other.read(told, at: wall)
      #expect("\(one.shown)" == "\(other.shown)", sourceLocation: sourceLocation)
      return one.library.crates.map { crate in
        "\(crate.name) "
          + crate.albums.map { "\(SimulatedMachine.number($0))" }.joined(separator: " ")
      }.joined(separator: ", ")
    }
  }

  private typealias Act = @Sendable (inout SimulatedMachine, Int64) throws -> Void

  private static func move(
    _ albums: Int..., behind anchor: Int? = nil, to crate: String? = nil
  ) -> Act {
    { machine, wall in
      let place = anchor.map { Place.after(SimulatedMachine.album($0)) } ?? .top
      try machine.edit(
        .moveAlbums(albums.map(SimulatedMachine.album), place, crate: crate, gathered: .given),
        at: wall)
    }
  }

  private static func rename(_ crate: String, _ name: String) -> Act {
    { machine, wall in try machine.edit(.renameCrate(crate, to: name), at: wall) }
  }

  /// Puts the albums of a crate in reverse order, in one change.
  private static func reverse(_ crate: String) -> Act {
    { machine, wall in
      let albums = machine.library.crate(named: crate).map { Array($0.albums.reversed()) } ?? []
      try machine.edit(.moveAlbums(albums, .top, crate: crate, gathered: .given), at: wall)
    }
  }

  private struct Case: Sendable, CustomTestStringConvertible {
    var testDescription: String
    var one: [Act]
    var other: [Act]
    /// Where the second machine is later.
    var then: String
    /// Where the first one is; nil: the same.
    var otherwise: String?

    init(_ words: String, _ one: [Act], _ other: [Act], _ then: String, _ otherwise: String? = nil)
    {
      (testDescription, self.one, self.other) = (words, one, other)
      (self.then, self.otherwise) = (then, otherwise)
    }
  }

  private static let cases = [
    Case(
      "two albums are moved", [move(4, behind: 0)], [move(5, behind: 1)],
      "Jazz 0 4 1 5 2 3, Rock 10 11 12"),
    Case(
      "two blocks behind one album", [move(2, 3, behind: 0)], [move(5, 4, behind: 0)],
      "Jazz 0 2 3 5 4 1, Rock 10 11 12", "Jazz 0 5 4 2 3 1, Rock 10 11 12"),
    Case(
      "one by one to the top", [move(2), move(3)], [move(5), move(4)],
      "Jazz 4 5 3 2 0 1, Rock 10 11 12"),
    Case(
      "the same album in its crate", [move(5, behind: 0)], [move(5, behind: 2)],
      "Jazz 0 1 2 5 3 4, Rock 10 11 12", "Jazz 0 5 1 2 3 4, Rock 10 11 12"),
    Case(
      "into another crate, and within its own", [move(5, to: "Rock")], [move(5, behind: 2)],
      "Jazz 0 1 2 3 4, Rock 5 10 11 12"),
    Case(
      "into another crate, and sorted in its own", [move(5, to: "Rock")],
      [reverse("Jazz")], "Jazz 4 3 2 1 0, Rock 5 10 11 12"),
    Case(
      "into two crates", [move(5, to: "Rock")], [move(5, to: "Pop")],
      "Jazz 0 1 2 3 4, Rock 10 11 12, Pop 5", "Jazz 0 1 2 3 4, Rock 5 10 11 12"),
    Case(
      "behind an album that leaves", [move(5, behind: 1)], [move(1, to: "Rock")],
      "Jazz 0 5 2 3 4, Rock 1 10 11 12"),
    Case(
      "into a crate that gets another name", [rename("Rock", "Pop")], [move(5, to: "Rock")],
      "Jazz 0 1 2 3 4, Pop 5 10 11 12"),
    Case(
      "two names for a crate", [rename("Rock", "Pop")], [rename("Rock", "Soul")],
      "Jazz 0 1 2 3 4 5, Soul 10 11 12", "Jazz 0 1 2 3 4 5, Pop 10 11 12"),
    Case(
      "one new crate made twice", [move(4, to: "Night")], [move(5, to: "Night")],
      "Jazz 0 1 2 3, Rock 10 11 12, Night 4 5", "Jazz 0 1 2 3, Rock 10 11 12, Night 5 4"),
    Case(
      "a crate is emptied, and an album put into it", [move(10, 11, 12, to: "Jazz")],
      [move(5, to: "Rock")], "Jazz 10 11 12 0 1 2 3 4, Rock 5"),
    Case(
      "two sorts", [reverse("Jazz")],
      [move(3, 5, 1, 4, 0, 2)], "Jazz 3 5 1 4 0 2, Rock 10 11 12",
      "Jazz 5 4 3 2 1 0, Rock 10 11 12"),
    Case(
      "two albums are put behind one of a crate that is sorted", [reverse("Jazz")],
      [move(10, 11, behind: 1)], "Jazz 5 4 10 11 3 2 1 0, Rock 12"),
  ]

  @Test("come to", arguments: cases.indices, [true, false])
  func comeTo(place: Int, isOtherLater: Bool) throws {
    let one = Self.cases[place]
    var pair = try Pair()
    for (number, act) in one.one.enumerated() {
      try act(&pair.one, (isOtherLater ? 10 : 50) + Int64(number))
    }
    for (number, act) in one.other.enumerated() { try act(&pair.other, 30 + Int64(number)) }
    pair.wall = 100
    let come = try pair.meet()
    #expect(come == (isOtherLater ? one.then : one.otherwise ?? one.then), "\(one.testDescription)")
  }

  @Test("An album that is known elsewhere comes in at its place, and goes on top of nothing")
  func knownArrival() throws {
    var pair = try Pair()
    try pair.one.arrive([20], at: 20)
    try pair.one.edit(
      .moveAlbums([SimulatedMachine.album(20)], .after(SimulatedMachine.album(3)), crate: nil),
      at: 21)
    try pair.other.read(pair.one.told(), at: 22)
    #expect(!pair.other.albums.contains(SimulatedMachine.album(20)))
    try pair.other.arrive([20], at: 23)
    #expect(try pair.meet() == "Jazz 0 1 2 3 20 4 5, Rock 10 11 12")
  }

  @Test("Albums that arrive under each other's ids come in at their own places")
  func crossedArrival() throws {
    var pair = try Pair()
    pair.other = SimulatedMachine(2)
    try pair.other.read(pair.one.told(), at: 6)
    // Of a folder in which other editions were found first.
    let ids = [0: 5, 1: 0, 2: 7, 5: 1, 10: 2]
    try pair.other.arrive([0, 1, 2, 3, 4, 5, 10, 11, 12], at: 7, ids: ids)
    let shown = pair.other.library.crates.map { $0.albums.map { SimulatedMachine.number($0) } }
    #expect(shown == [[5, 0, 7, 3, 4, 1], [2, 11, 12]])
    #expect(pair.other.table.isOrder(of: pair.other.library))
  }

  @Test("Keys that get too long are made anew with their neighbours", arguments: [60, 200])
  func longKeys(longest: Int) throws {
    var machines = [1, 2].map { SimulatedMachine($0, longestKey: longest) }
    try machines[0].arrive(Array(0..<60), at: 1)
    try machines[1].read(machines[0].told(), at: 1)
    try machines[1].arrive(Array(0..<60), at: 1)
    var wall: Int64 = 2
    for step in 0..<120 {
      let (mover, reader) = step / 5 % 2 == 0 ? (0, 1) : (1, 0)
      let albums = machines[mover].albums
      let moved = albums[step % 3 == 0 ? 10 : 50]
      let others = albums.filter { $0 != moved }
      try machines[mover].edit(
        .moveAlbums([moved], .after(others[29 + step % 2]), crate: nil), at: wall)
      wall += 1
      let wanted = machines[mover].albums
      try machines[reader].read(machines[mover].told(), at: wall)
      #expect(machines[reader].albums == wanted)
      for album in machines[mover].table.albums.values {
        #expect(album.spot.place.value.length <= longest)
      }
    }
  }
}
