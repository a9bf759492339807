import TestSupport
import Testing

@testable import Ordering

@Suite("One or more", .limited)
struct OrderingOneOrMoreTests {
  /// The model: a plain list, a plain set and a step of 1 or -1.
  struct Model {
    var items: [Int]
    var chosen: Set<Int>
    var step = 1

    mutating func takeAway(_ item: Int) {
      guard chosen.contains(item), let here = items.firstIndex(of: item) else { return }
      if chosen != [item] {
        chosen.remove(item)
        return
      }
      if !items.indices.contains(here + step), items.count > 1 { step = -step }
      if items.indices.contains(here + step) { chosen = [items[here + step]] }
    }

    /// Moves the cursor as though the person had taken them away, one by one in the direction of
    /// the choice.
    mutating func vanish(_ gone: Set<Int>) {
      let order = step > 0 ? items : items.reversed()
      for item in order where gone.contains(item) {
        takeAway(item)
        items.removeAll { $0 == item }
      }
    }
  }

  /// Every choice of a list that can come about, in both directions where there are two.
  private func everyChoice(of count: Int) -> [OneOrMore<Int>] {
    let items = Array(0..<count)
    let subsets = everySelection(of: count).dropFirst().map { flags in
      Set(items.filter { flags[$0] })
    }
    var choices = subsets.compactMap { OneOrMore(items, chosen: $0) }
    if count > 1, var turned = OneOrMore(items, chosen: [count - 1]) {
      turned.takeAway(count - 1)
      for chosen in subsets {
        var choice = turned
        for item in chosen { choice.choose(item) }
        if !chosen.contains(count - 2) { choice.takeAway(count - 2) }
        #expect(choice.direction == .above)
        choices.append(choice)
      }
    }
    return choices
  }

  private func expect(
    _ choice: OneOrMore<Int>, is model: Model, _ location: SourceLocation = #_sourceLocation
  ) {
    #expect(choice.items == model.items, sourceLocation: location)
    #expect(choice.chosen == model.chosen, sourceLocation: location)
    #expect(choice.direction == (model.step > 0 ? .below : .above), sourceLocation: location)
    #expect(!choice.chosen.isEmpty, sourceLocation: location)
  }

  private func model(_ choice: OneOrMore<Int>) -> Model {
    Model(
      items: choice.items, chosen: choice.chosen, step: choice.direction == .below ? 1 : -1)
  }

  @Test("every choice from lists of up to six changes as the model does")
  func exhaustive() {
    for count in 1...6 {
      let choices = everyChoice(of: count)
      #expect(choices.count == (count == 1 ? 1 : 2 * (1 << count) - 2))
      for choice in choices {
        for item in -1...count {
          var less = choice
          less.takeAway(item)
          var expected = model(choice)
          expected.takeAway(item)
          expect(less, is: expected)

          var more = choice
          more.choose(item)
          var larger = model(choice)
          if choice.items.contains(item) { larger.chosen.insert(item) }
          expect(more, is: larger)
        }
      }
    }
  }

  @Test("taking the only member away again and again goes to and fro through the list")
  func bouncing() throws {
    var choice = try #require(OneOrMore(Array("abcd"), chosen: ["c"]))
    var seen = ""
    for _ in 0..<9 {
      for member in choice.chosen { choice.takeAway(member) }
      seen += choice.chosen
    }
    #expect(seen == "dcbabcdcb")
  }

  @Test("the only item of a list stays chosen, and there is no choice from nothing")
  func smallest() throws {
    var choice = try #require(OneOrMore(["a"]))
    #expect(choice.chosen == ["a"])
    choice.takeAway("a")
    #expect(choice.chosen == ["a"])
    #expect(choice.direction == .below)
    #expect(OneOrMore<String>([]) == nil)
    #expect(OneOrMore<String>([], chosen: ["a"]) == nil)
    #expect(choice.following([]) == nil)
  }

  @Test("what is not in the list can't be chosen; without a choice it is the first")
  func strangers() throws {
    let some = try #require(OneOrMore([1, 2, 3], chosen: [3, 4]))
    #expect(some.chosen == [3])
    let none = try #require(OneOrMore([1, 2, 3], chosen: [4]))
    #expect(none.chosen == [1])
  }

  @Test("where items vanish it is as though they had been taken away one by one")
  func vanishing() {
    for count in 1...5 {
      for choice in everyChoice(of: count) {
        for flags in everySelection(of: count) {
          let gone = Set(choice.items.filter { flags[$0] })
          let left = choice.items.filter { !gone.contains($0) }
          let after = choice.following(left)
          #expect((after == nil) == left.isEmpty)
          guard let after else { continue }
          var expected = model(choice)
          expected.vanish(gone)
          expect(after, is: expected)

          // Items that are new or elsewhere don't matter.
          let other = choice.following([8] + left.reversed() + [9])
          #expect(other?.chosen == expected.chosen)
          #expect(other?.direction == after.direction)
        }
      }
    }
  }

  @Test("in a list that is entirely new the choice begins again at the top")
  func renewed() {
    for choice in everyChoice(of: 4) {
      #expect(choice.following([8, 9]) == OneOrMore([8, 9], chosen: [8]))
    }
  }
}
