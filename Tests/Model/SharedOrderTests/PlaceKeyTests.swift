import SharedOrder
import TestSupport
import Testing

@Suite("Places in a list that several machines order", .limited)
struct PlaceKeyTests {
  private static let machines = (1...3).map { MachineID(number: $0) }

  /// A list of keys, to which machines add at random places.
  private struct Growing {
    var random: SeededGenerator
    var keys: [PlaceKey] = []
    var time: Int64 = 1

    mutating func add(at place: Int, count: Int = 1, by machine: MachineID) -> [PlaceKey] {
      time += 1
      let new = PlaceKey.between(
        place > 0 ? keys[place - 1] : nil, place < keys.count ? keys[place] : nil, count: count,
        SharedClock(milliseconds: time), machine)
      keys.insert(contentsOf: new, at: place)
      return new
    }
  }

  @Test("lie between their neighbours, are all different, and read as they are written")
  func between() throws {
    for seed in 0..<UInt64(Effort.runs(40, nightly: 4_000)) {
      var list = Growing(random: SeededGenerator(seed: seed))
      for _ in 0..<60 {
        let place = Int.random(in: 0...list.keys.count, using: &list.random)
        let count = Int.random(in: 1...4, using: &list.random)
        let machine = try #require(Self.machines.randomElement(using: &list.random))
        _ = list.add(at: place, count: count, by: machine)
        if Int.random(in: 0..<10, using: &list.random) == 0 {
          list.time += 1
          list.keys = PlaceKey.slots(
            of: list.keys, SharedClock(milliseconds: list.time), machine)
        }
      }
      #expect(zip(list.keys, list.keys.dropFirst()).allSatisfy { $0 < $1 && !($1 < $0) })
      for key in list.keys { #expect(PlaceKey(Array("\(key)".utf8)[...]) == key) }
    }
  }

  @Test("short, where people put things on top, at the bottom, and behind one another")
  func lengths() {
    for habit in 0..<3 {
      var list = Growing(random: SeededGenerator(seed: 7))
      for number in 0..<3_000 {
        let place = [0, list.keys.count, min(list.keys.count, 5)][habit]
        _ = list.add(at: place, by: Self.machines[number / 7 % 3])
      }
      #expect(list.keys.allSatisfy { $0.length <= 50 }, "habit \(habit)")
    }
  }

  @Test("Two blocks that two machines put at one place stay whole", arguments: [true, false])
  func blocks(areSingle: Bool) {
    var start = Growing(random: SeededGenerator(seed: 1))
    _ = start.add(at: 0, count: 2, by: Self.machines[0])
    func block(by machine: MachineID, from time: Int64) -> [PlaceKey] {
      var list = start
      list.time = time
      if areSingle { return list.add(at: 1, count: 5, by: machine) }
      return (0..<5).map { _ in
        list.time += 10
        return list.add(at: 1, by: machine)[0]
      }
    }
    let one = block(by: Self.machines[1], from: 100)
    let other = block(by: Self.machines[2], from: 105)
    let owners = (one.map { ($0, 1) } + other.map { ($0, 2) }).sorted { $0.0 < $1.0 }.map(\.1)
    #expect(owners == [1, 1, 1, 1, 1, 2, 2, 2, 2, 2] || owners == [2, 2, 2, 2, 2, 1, 1, 1, 1, 1])
  }

  @Test(
    "No other text is a key",
    arguments: [
      "", "7k2m2rk3x9a1", ">7k2m2rk3x9a", ">7k2m2rk3x9a1.0", ">7k2m2rk3x9a1.+1", ">7k2m2rk3x9a1.",
      ">7k2M2rk3x9a1", ">7k2m2rk3x9a1>", ">7k2m2rk3x9a1.01", ">7k2m2rk3x9a1.1.2",
      ">7k2m2rk3x9a1234", ">7k2m2rk3x9a1.99999999999",
    ])
  func bad(text: String) { #expect(PlaceKey(Array(text.utf8)[...]) == nil) }
}
