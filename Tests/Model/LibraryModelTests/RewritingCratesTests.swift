import TestSupport
import Testing

@testable import LibraryModel

@Suite("Crates of a text that were renamed since it was read", .limited)
struct RewritingCratesTests {
  private let texts = RewritingTests()

  @Test("a crate of the text is the one that was read, whatever it is called by now")
  func crateIDs() throws {
    func result(
      _ text: String, withIDs: Bool = true, _ meanwhile: (inout World) throws -> Void
    ) throws -> String {
      var world = try texts.world()
      let base = world.library
      var order = try texts.written(text, in: world)
      for place in order.crates.indices where withIDs && place < base.crates.count {
        order.crates[place].id = base.crates[place].id
      }
      try meanwhile(&world)
      let decision = try world.library.decide(order, readFrom: base, newAlbums: nil)
      world.library = decision.library
      world.check()
      return texts.shape(decision.library)
    }
    let swapped = "Jazz: J2 J1 J3, Music: A1 A2 A3 A4"
    func swap(_ world: inout World) throws {
      try world.edit(.renameCrate("Jazz", to: "Old"))
      try world.edit(.renameCrate("Music", to: "Jazz"))
      try world.edit(.renameCrate("Old", to: "Music"))
    }
    for withIDs in [true, false] {
      #expect(
        try result(swapped, withIDs: withIDs, swap) == "Music: J2 J1 J3, Jazz: A1 A2 A3 A4")
      // Both renamed it: the text is the last to do so.
      #expect(
        try result("Late: J2 J1 J3, Music: A1 A2 A3 A4", withIDs: withIDs) {
          try $0.edit(.renameCrate("Jazz", to: "Old"))
        } == "Late: J2 J1 J3, Music: A1 A2 A3 A4")
      // It went meanwhile, and comes back with what the text moves to it.
      #expect(
        try result("Jazz: A4 J1 J2 J3, Music: A1 A2 A3", withIDs: withIDs) {
          try $0.edit(.moveAlbums(["J1", "J2", "J3"].map($0.id), nil, crate: "Pop"))
        } == "Jazz: A4, Music: A1 A2 A3, Pop: J1 J2 J3")
      // And another one has its name.
      #expect(
        throws: Refusal.editRejected(
          line: 1, reason: "there is a crate “Jazz” by now; choose another name")
      ) {
        try result("Jazz: A4 J1 J2 J3, Music: A1 A2 A3", withIDs: withIDs) {
          try $0.edit(.moveAlbums(["J1", "J2", "J3"].map($0.id), nil, crate: "Pop"))
          try $0.edit(.renameCrate("Pop", to: "Jazz"))
        }
      }
    }
    // A crate gets another name, and a new one its former.
    #expect(
      try result("Late: J1 J2, Music: A1 A2 A3 A4, Jazz: J3") { _ in }
        == "Late: J1 J2, Music: A1 A2 A3 A4, Jazz: J3")
    // An id tells which crate is meant, where names alone would leave it open.
    #expect(
      try result("Late: J1 A1 A2 A3 A4, Music: J2 J3") { _ in }
        == "Late: J1 A1 A2 A3 A4, Music: J2 J3")
    #expect(
      try result("Jazz: J1, Music: A1 A2 A3 A4, Pop: J2 J3") { _ in }
        == "Jazz: J1, Music: A1 A2 A3 A4, Pop: J2 J3")
  }
}
