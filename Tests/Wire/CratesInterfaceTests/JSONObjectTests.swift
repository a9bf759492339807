import CratesInterface
import TestSupport
import Testing

@Suite("JSON objects and what is asked of values", .limited)
struct JSONObjectTests {
  @Test("Members keep their places whatever is set and taken away, be they few or many")
  func members() {
    var random = SeededGenerator(seed: 7)
    for most in [3, 15, 16, 17, 18, 40] as [UInt64] {
      var object = JSON.Object()
      var expected: [(key: String, value: JSON)] = []
      for step in 0..<Int64(400) {
        let key = "key\(random.next() % most)"
        // Towards all of them first, then towards none.
        let isTaken = random.next() % 8 < (step < 200 ? 1 : 6)
        object[key] = isTaken ? nil : .integer(step)
        let place = expected.firstIndex { $0.key == key }
        switch (place, isTaken) {
        case (let place?, true): expected.remove(at: place)
        case (let place?, false): expected[place].value = .integer(step)
        case (nil, false): expected.append((key, .integer(step)))
        case (nil, true): break
        }
        #expect(object.keys == expected.map(\.key))
        #expect(object.members.map(\.value) == expected.map(\.value))
        #expect(object.count == expected.count && object.isEmpty == expected.isEmpty)
        for number in 0..<most {
          let place = expected.firstIndex { $0.key == "key\(number)" }
          #expect(object.position(of: "key\(number)") == place)
          #expect(object["key\(number)"] == place.map { expected[$0].value })
        }
        #expect(object == JSON.Object(expected))
      }
    }
  }

  @Test("Of a key that comes twice the last value stands, in the first place")
  func twice() {
    for count in [2, 17, 30] {
      let members = (0..<count).map { (key: "\($0)", value: JSON.integer(Int64($0))) }
      let object = JSON.Object(members + [(key: "1", value: "again")])
      #expect(object.keys == members.map(\.key))
      #expect(object["1"] == "again" && object["0"] == 0)
    }
  }

  @Test("Two are alike where they have the same in the same order")
  func equality() {
    let object: JSON.Object = ["a": 1, "b": 2]
    #expect(object == ["a": 1, "b": 2])
    for other in [
      ["a": 1], ["a": 1, "b": 2, "c": 3], ["b": 2, "a": 1], ["a": 1, "b": 3], ["a": 1, "c": 2],
      ["a": 2, "b": 2], [:],
    ] as [JSON.Object] {
      #expect(object != other && other != object)
    }
  }

  @Test("A value is of one kind, and whole numbers are numbers, too")
  func kinds() {
    let object: JSON.Object = ["a": 1]
    for (value, has) in [
      (nil, []), (true, ["bool"]), (false, ["bool"]), (7, ["integer", "number"]),
      (0.5, ["number"]), (3.0, ["number"]), ("x", ["string"]), ([1], ["array"]), ([], ["array"]),
      (.object(object), ["object"]),
    ] as [(JSON, Set<String>)] {
      let found = [
        ("bool", value.bool != nil), ("integer", value.integer != nil),
        ("number", value.number != nil), ("string", value.string != nil),
        ("array", value.array != nil), ("object", value.object != nil),
      ]
      #expect(Set(found.filter(\.1).map(\.0)) == has, "\(value.text)")
      #expect(value["a"] == (value.object == nil ? nil : 1))
      #expect(value["b"] == nil)
    }
    #expect((true as JSON).bool == true && (false as JSON).bool == false)
    #expect((7 as JSON).integer == 7 && (7 as JSON).number == 7 && (0.5 as JSON).number == 0.5)
    #expect(("x" as JSON).string == "x" && ([1] as JSON).array == [1])
    #expect((["a": 1] as JSON).object == object)
  }

  @Test("What is not there is null")
  func nothing() {
    #expect(JSON(Int?.none) == .null && JSON(String?.none) == .null && JSON(Bool?.none) == .null)
    #expect(JSON(Int?(3)) == 3 && JSON(String?("")) == "" && JSON(Bool?(false)) == false)
    #expect(JSON(["a", ""]) == ["a", ""] && JSON([String]()) == [])
  }
}
