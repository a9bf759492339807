import TestSupport
import Testing

@testable import LibraryModel

/// What is alike must not cost its number squared.
@Suite("The cost of what is alike", .limited, .nightly)
struct AlikeCostTests {
  private func copies(_ count: Int) -> World {
    var world = World()
    for number in 0..<count {
      world.put(
        "all/\(number).mp3", sound: 7, title: "T\(number)", album: "Album \(number)",
        artist: "X", albumArtist: "X", track: 1)
    }
    world.merge(firstScan: true)
    return world
  }

  @Test("One sound in many albums, and their folder is renamed")
  func renamed() throws {
    let ratio = try Cost.ratio(400, 1600) { count in
      var world = copies(count)
      world.move("all", to: "other")
      let cost = Cost.time { world.merge() }
      let outcome = world.library.songs.values.filter { !$0.isGone }
      try #require(outcome.count == count && world.library.songs.values.count == count)
      return cost
    }
    #expect(ratio < Cost.mostOfFourTimes)
  }

  @Test("One sound in many albums, which all go")
  func deleted() throws {
    let ratio = try Cost.ratio(400, 1600) { count in
      var world = copies(count)
      _ = world.remove("all")
      let cost = Cost.time { world.merge() }
      let areGone = world.library.songs.values.allSatisfy(\.isGone)
      try #require(areGone)
      return cost
    }
    #expect(ratio < Cost.mostOfFourTimes)
  }

  @Test(
    "One title in one album without tracks, which is converted at once",
    arguments: [nil, "Half with their sounds"])
  func converted(kept: String?) throws {
    let ratio = try Cost.ratio(400, 1600) { count in
      var world = World()
      func put(_ folder: String, _ kind: String, album: String, _ sound: (Int) -> Int) {
        for number in 0..<count {
          // Far from each other, as digests are.
          let digest = sound(number) &* 0x1E37_79B9_7F4A_7C15 & Int.max
          world.put(
            "\(folder)/\(number).\(kind)", sound: digest, title: "Untitled", album: album,
            artist: "X", albumArtist: "X")
        }
      }
      put("a", "mp3", album: "Album") { $0 + 1 }
      world.merge(firstScan: true)
      _ = world.remove("a")
      // The rest follows those of the same sound into another album.
      let isPart = kept != nil
      put("b", "ogg", album: isPart ? "Album (remastered)" : "Album") {
        isPart && $0 % 2 == 0 ? $0 + 1 : $0 + 1 + count
      }
      let cost = Cost.time { world.merge() }
      try #require(world.library.songs.values.filter { !$0.isGone }.count == count)
      return cost
    }
    #expect(ratio < Cost.mostOfFourTimes)
  }

  @Test("Files of a drive that gives them no identity")
  func nowhereElse() throws {
    let ratio = try Cost.ratio(1_000, 4_000) { count in
      var world = World()
      for number in 1...count {
        let sound = number &* 0x1E37_79B9_7F4A_7C15 & Int.max
        world.put("usb/\(number).mp3", sound: sound, title: "Title \(number)")
        world.files[World.path("usb/\(number).mp3")]?.inode = 0
      }
      let cost = Cost.time { world.merge(firstScan: true) }
      try #require(Set(world.library.songs.values.map { $0.facts?.stamp.identity }).count == 1)
      return cost
    }
    #expect(ratio < Cost.mostOfFourTimes)
  }

  @Test("Many crates, which every change asks for")
  func crates() throws {
    let ratio = try Cost.ratio(250, 1000) { count in
      var library = Library()
      return try Cost.time {
        for number in 0..<count {
          let last = number == 0 ? nil : "Crate é \(number - 1)"
          try library.apply(.crateAdded("Crate é \(number)", after: last), by: .person)
        }
      } / Double(count)
    }
    // Each is looked for among all, but not made comparable anew.
    #expect(ratio < Cost.mostOfFourTimes)
  }
}
