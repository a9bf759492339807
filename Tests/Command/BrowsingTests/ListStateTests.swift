import Ordering
import TestSupport
import Testing

@testable import Browsing

@Suite("Where one is in a list", .limited) struct ListStateTests {
  private let items = Array(0..<100)

  @Test("The view follows the cursor, with two rows in sight around it")
  func following() {
    var state = ListState<Int>()
    for (place, top) in [
      (0, 0), (7, 0), (8, 1), (20, 13), (19, 13), (15, 13), (14, 12), (13, 11), (50, 43), (99, 90),
      (150, 90), (92, 90), (91, 89), (1, 0), (-5, 0),
    ] {
      state.go(to: place, in: items, height: 10)
      #expect(state.cursor == min(max(place, 0), 99) && state.top == top, "\(place)")
      #expect(state.place(in: items) == state.cursor && state.topPlace(in: items) == top)
    }
  }

  @Test("In a low view fewer rows stay in sight, and in one of a row none")
  func low() {
    for (height, tops) in [
      (1, [0, 1, 5, 4]), (2, [0, 0, 4, 4]), (3, [0, 0, 4, 3]), (4, [0, 0, 3, 3]),
      (5, [0, 0, 3, 2]),
      (6, [0, 0, 2, 2]),
    ] {
      var state = ListState<Int>()
      var found: [Int] = []
      for place in [0, 1, 5, 4] {
        state.go(to: place, in: items, height: height)
        found.append(state.topPlace(in: items))
      }
      #expect(found == tops, "\(height)")
    }
  }

  @Test("A list that has room is seen whole, and an empty one has no cursor")
  func short() {
    var state = ListState<Int>()
    state.go(to: 4, in: Array(0..<5), height: 5)
    #expect(state.top == 0 && state.cursor == 4)
    state.go(to: 0, in: [], height: 5)
    #expect(state.top == nil && state.cursor == nil && state.place(in: []) == 0)
    state.show(in: [], height: 5)
    state.scroll(by: 1, in: [], height: 5)
    #expect(state.top == nil)
  }

  @Test("The view moves alone as far as there are rows")
  func scrolling() {
    var state = ListState<Int>()
    state.go(to: 0, in: items, height: 10)
    for (rows, top) in [(3, 3), (3, 6), (-4, 2), (-4, 0), (200, 90), (1, 90), (-1, 89)] {
      state.scroll(by: rows, in: items, height: 10)
      #expect(state.top == top && state.cursor == 0)
    }
    state.show(in: items, height: 10)
    #expect(state.top == 0)
    // Among tiles rows are of several.
    for (rows, top) in [(1, 3), (2, 9), (-1, 6), (99, 90), (1, 90)] {
      state.scroll(by: rows, in: items, height: 4, across: 3)
      #expect(state.top == top)
    }
  }

  @Test("Among tiles the row of the cursor is in sight")
  func tiles() {
    var state = ListState<Int>()
    for (place, top) in [(0, 0), (8, 0), (9, 3), (14, 6), (99, 90), (95, 90), (90, 87), (86, 81)] {
      state.go(to: place, in: items, height: 4, across: 3)
      #expect(state.cursor == place && state.top == top, "\(place)")
    }
  }

  @Test("It stays with its things when others come and go")
  func changing() {
    func followed(_ new: [Int], moved: Set<Int> = [], cursor: Int = 20) -> (Int?, Int?) {
      var state = ListState<Int>()
      state.go(to: cursor, in: items, height: 10)
      state.scroll(by: 15 - state.topPlace(in: items), in: items, height: 10)
      state.follow(from: items, to: new, moved: moved)
      return (state.cursor, state.top)
    }
    #expect(followed([-2, -1] + items) == (20, 15))
    #expect(followed(items.filter { $0 != 15 }) == (20, 14))
    #expect(followed(items.filter { $0 != 20 }) == (21, 15))
    #expect(followed(items.filter { $0 < 20 }) == (19, 15))
    // What moved itself is no place to hold on to.
    #expect(followed(items.filter { $0 != 15 } + [15], moved: [15]) == (20, 14))
    #expect(followed([]) == (nil, nil))
    #expect(followed([200, 201]) == (200, 201))
  }

  @Test("At its top a view stays at the top as long as the first thing does")
  func atTop() {
    var state = ListState<Int>()
    state.go(to: 0, in: items, height: 10)
    state.follow(from: items, to: [0, 200] + items.dropFirst(), moved: [0])
    #expect(state.top == 0)
    state.follow(from: items, to: [300] + items, moved: [])
    #expect(state.top == 0 && state.topPlace(in: [300] + items) == 1)
  }

  @Test("A range goes from where it began to the cursor, and can take away, or be taken back")
  func ranges() {
    var state = ListState<Int>()
    state.select([1, 4])
    state.go(to: 3, in: items, height: 10)
    state.beginRange(in: items)
    #expect(state.selected == [1, 3, 4])
    state.go(to: 6, in: items, height: 10)
    #expect(state.selected == [1, 3, 4, 5, 6])
    state.go(to: 2, in: items, height: 10)
    #expect(state.selected == [1, 2, 3, 4])
    state.dropRange()
    #expect(state.selected == [1, 4] && state.range == nil)
    state.beginRange(in: items, deselects: true)
    state.go(to: 4, in: items, height: 10)
    #expect(state.selected == [1])
    state.endRange()
    state.go(to: 0, in: items, height: 10)
    #expect(state.selected == [1])
    state.beginRange(in: [7])
    #expect(state.range == nil)
    state.dropRange()
    #expect(state.selected == [1])
  }

  @Test("What selects other things ends a range, which then selects nothing more")
  func ended() {
    let ways: [(select: (inout ListState<Int>) -> Void, selects: Set<Int>)] = [
      ({ $0.invert(Array(0..<5)) }, [0, 1, 4]), ({ $0.select([9]) }, [9]),
      ({ $0.selectRange(.above, in: items) }, []),
    ]
    for (select, expected) in ways {
      var state = ListState<Int>()
      state.go(to: 2, in: items, height: 10)
      state.beginRange(in: items)
      state.go(to: 3, in: items, height: 10)
      select(&state)
      let selected = state.selected
      state.go(to: 7, in: items, height: 10)
      #expect(state.range == nil && state.selected == selected && selected == expected)
    }
  }

  @Test("What is meant is what is selected in the list, else the cursor, if it is in it")
  func meant() {
    var state = ListState<Int>()
    #expect(state.place(in: items) == 0 && state.topPlace(in: items) == 0)
    #expect(state.meant(in: items) == [])
    state.go(to: 3, in: items, height: 10)
    #expect(state.meant(in: items) == [3] && state.meant(in: [1, 2]) == [])
    state.select([9, 2, 200])
    #expect(state.meant(in: items) == [2, 9] && state.selected(in: items) == [2, 9])
    #expect(state.meant(in: [3, 4]) == [3] && state.meant(in: [4]) == [])
    state.toggle(2)
    state.toggle(5)
    #expect(state.meant(in: items) == [5, 9])
    state.invert(Array(0..<10))
    #expect(state.selected == [0, 1, 2, 3, 4, 6, 7, 8])
    state.deselect([0, 1, 99])
    #expect(state.selected == [2, 3, 4, 6, 7, 8])
  }

  @Test("An empty rest below hides nothing above")
  func filled() {
    for (count, across, top, height, expected) in [
      (42, 1, 4, 43, 0), (42, 1, 4, 42, 0), (42, 1, 4, 40, 2), (42, 1, 4, 20, 4), (42, 3, 4, 20, 0),
      (42, 3, 12, 10, 12), (42, 3, 15, 10, 12), (0, 1, 0, 5, 0),
    ] {
      let items = Array(0..<count)
      var state = ListState<Int>(cursor: items.first, top: items.dropFirst(top).first)
      state.fill(items, height: height, across: across)
      #expect(state.topPlace(in: items) == expected, "\(count) \(across) \(top) \(height)")
    }
  }
}
