import Terminal
import Text

/// Choosing a crate by the beginning of its name, or naming a new one.
struct Picker: Hashable, Sendable {
  var input = LineInput()
  /// The row that is chosen.
  var place = 0

  enum Choice: Hashable, Sendable {
    case crate(CrateID)
    case new(String)
  }
}

extension Browser {
  /// What the typed letters may mean, the likeliest first; a new crate last.
  func choices(of picker: Picker) -> [Picker.Choice] {
    let typed = picker.input.text
    let query = Search(typed)
    var begins: [Picker.Choice] = []
    var others: [Picker.Choice] = []
    var isTaken = false
    for crate in shown.crates {
      let name = shown.name(of: crate)
      let text = Search.text(name)
      if folded(name) == folded(typed) { isTaken = true }
      if query.isEmpty || text.starts(with: Search.text(typed)) {
        begins.append(.crate(crate))
      } else if query.finds(text) {
        others.append(.crate(crate))
      }
    }
    // The one that is meant again comes first, as long as nothing is typed.
    if query.isEmpty, let lastTarget, let place = begins.firstIndex(of: .crate(lastTarget)) {
      begins.insert(begins.remove(at: place), at: 0)
    }
    let isName = !folded(typed).isEmpty
    return begins + others + (isName && !isTaken ? [.new(typed)] : [])
  }

  mutating func beginPicking() {
    if refuseSongs() { return }
    guard pane == .crates ? currentCrate != nil : !meantAlbums.isEmpty else {
      notice = Notice(text: "There is nothing here to move")
      return
    }
    mode = .picking(Picker())
  }

  mutating func press(_ stroke: Stroke, in picker: Picker) -> [Effect] {
    var picker = picker
    switch edit(&picker, stroke) {
    case .goesOn: mode = .picking(picker)
    case .isLeft: mode = .lists
    case .isChosen(let choice):
      mode = .lists
      let (crate, name) = target(choice)
      return send(to: crate, named: name)
    }
    return []
  }

  enum Picking {
    case goesOn, isLeft
    case isChosen(Picker.Choice)
  }

  func edit(_ picker: inout Picker, _ stroke: Stroke) -> Picking {
    let choices = choices(of: picker)
    switch (stroke.key, stroke.modifiers) {
    case (.escape, _): return .isLeft
    case (.enter, _):
      return choices.indices.contains(picker.place) ? .isChosen(choices[picker.place]) : .goesOn
    case (.down, _), (.tab, []), (.character("n"), .control):
      picker.place = min(picker.place + 1, max(choices.count - 1, 0))
    case (.up, _), (.tab, .shift), (.character("p"), .control):
      picker.place = max(picker.place - 1, 0)
    default:
      if picker.input.take(stroke) { picker.place = 0 }
    }
    return .goesOn
  }

  mutating func target(_ choice: Picker.Choice) -> (CrateID, String) {
    switch choice {
    case .crate(let crate): return (crate, shown.name(of: crate))
    case .new(let name):
      // A name is taken as the daemon takes it: without blanks around it.
      let words = name.split(separator: " ", omittingEmptySubsequences: false)
      let trimmed = words.drop { $0.isEmpty }.reversed().drop { $0.isEmpty }.reversed()
        .joined(separator: " ")
      return (tables.number(ofCrate: trimmed), trimmed)
    }
  }
}

extension LineInput {
  /// - Returns: whether the key was meant for the line.
  mutating func take(_ stroke: Stroke) -> Bool {
    switch (stroke.key, stroke.modifiers) {
    case (.backspace, _): deleteBackwards()
    case (.character("u"), .control): text = ""
    case (.character("w"), .control): deleteWord()
    case (.character(let scalar), []), (.character(let scalar), .shift):
      type(String(Character(scalar)))
    default: return false
    }
    return true
  }
}
