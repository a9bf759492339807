import Glibc
import TestSupport
import Testing

@testable import LibraryModel

/// What is alike must not cost its number squared: four times as much may take four times as long,
/// with room for what caches do, and not sixteen times.
@Suite("The cost of what is alike", .limited)
struct AlikeCostTests {
  private static let most = 9.0

  /// Processor time of this thread, in seconds.
  private func time(_ body: () throws -> Void) rethrows -> Double {
    func now() -> Double {
      var time = timespec()
      clock_gettime(CLOCK_THREAD_CPUTIME_ID, &time)
      return Double(time.tv_sec) + Double(time.tv_nsec) / 1e9
    }
    let start = now()
    try body()
    return now() - start
  }

  /// The least of three: others disturb, and nobody helps.
  private func ratio(_ few: Int, _ many: Int, _ cost: (Int) throws -> Double) rethrows -> Double {
    func least(_ count: Int) throws -> Double {
      var times: [Double] = []
      for _ in 0..<3 { times.append(try cost(count)) }
      return times.min() ?? 0
    }
    return try least(many) / least(few)
  }

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
    let ratio = try ratio(400, 1600) { count in
      var world = copies(count)
      world.move("all", to: "other")
      let cost = time { world.merge() }
      let outcome = world.library.songs.values.filter { !$0.isGone }
      try #require(outcome.count == count && world.library.songs.values.count == count)
      return cost
    }
    #expect(ratio < Self.most)
  }

  @Test("One sound in many albums, which all go")
  func deleted() throws {
    let ratio = try ratio(400, 1600) { count in
      var world = copies(count)
      _ = world.remove("all")
      let cost = time { world.merge() }
      let areGone = world.library.songs.values.allSatisfy(\.isGone)
      try #require(areGone)
      return cost
    }
    #expect(ratio < Self.most)
  }

  @Test("Many crates, which every change asks for")
  func crates() throws {
    let ratio = try ratio(250, 1000) { count in
      var library = Library()
      return try time {
        for number in 0..<count {
          let last = number == 0 ? nil : "Crate é \(number - 1)"
          try library.apply(.crateAdded("Crate é \(number)", after: last), by: .person)
        }
      } / Double(count)
    }
    // Each is looked for among all, but not made comparable anew.
    #expect(ratio < Self.most)
  }
}
