import Terminal
import Text

/// A prompt for a crate, by the beginning of its name or by a new name.
struct Picker: Hashable, Sendable {
  /// The albums to move.
  let albums: [AlbumID]
  var input = LineInput()
  /// The choice by its crate and not by its row, since crates may come, go and move meanwhile.
  var choice: Choice?
  /// The search to return to.
  var back: Finding?

  enum Choice: Hashable, Sendable {
    case crate(CrateID)
    case new(String)
  }
}

extension Browser {
  /// Returns the crates that match the text, best first, and last the option of a new crate.
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
    // While nothing is typed, the last target comes first.
    if query.isEmpty, let lastTarget, let place = begins.firstIndex(of: .crate(lastTarget)) {
      begins.insert(begins.remove(at: place), at: 0)
    }
    let isName = !folded(typed).isEmpty
    return begins + others + (isName && !isTaken ? [.new(typed)] : [])
  }

  /// Returns the row of the choice; nil if it disappeared.
  func place(of picker: Picker) -> Int? {
    let choices = choices(of: picker)
    if let choice = picker.choice, let place = choices.firstIndex(of: choice) { return place }
    // A crate with this name was created in the meantime.
    guard case .new(let name)? = picker.choice, let crate = tables.known(crate: name) else {
      return nil
    }
    return choices.firstIndex(of: .crate(crate))
  }

  func picker(for albums: [AlbumID], back: Finding? = nil) -> Picker {
    var picker = Picker(albums: albums, back: back)
    picker.choice = choices(of: picker).first
    return picker
  }

  mutating func beginPicking(_ albums: [AlbumID], back: Finding? = nil) {
    if back == nil, refuseSongs() { return }
    if albums.isEmpty {
      notice = Notice(text: "There is nothing here to move")
    } else {
      mode = .picking(picker(for: albums, back: back))
    }
  }

  mutating func press(_ stroke: Stroke, in picker: Picker) -> [Effect] {
    var picker = picker
    switch edit(&picker, stroke) {
    case .goesOn: mode = .picking(picker)
    case .isLeft:
      mode = picker.back.map { .finding($0) } ?? .lists
      refreshFinding()
    case .isChosen(let choice):
      mode = .lists
      let (crate, name) = target(choice)
      let effects = send(picker.albums, to: crate, named: name)
      // The prompt closes and the search goes on.
      if picker.back != nil { mode = .finding(Finding(start: here)) }
      return effects
    }
    return []
  }

  enum Picking {
    case goesOn, isLeft
    case isChosen(Picker.Choice)
  }

  mutating func edit(_ picker: inout Picker, _ stroke: Stroke) -> Picking {
    let choices = choices(of: picker)
    let place = place(of: picker)
    notice = nil
    switch (stroke.key, stroke.modifiers) {
    case (.escape, _): return .isLeft
    case (.enter, _):
      if let place { return .isChosen(choices[place]) }
      if case .crate(let crate)? = picker.choice {
        notice = Notice(text: "\(shown.name(of: crate)) went away; choose again", isFault: true)
      }
      picker.choice = choices.first
    case (.down, _), (.tab, []), (.character("n"), .control):
      if !choices.isEmpty { picker.choice = choices[min((place ?? -1) + 1, choices.count - 1)] }
    case (.up, _), (.tab, .shift), (.character("p"), .control):
      if !choices.isEmpty { picker.choice = choices[max((place ?? 0) - 1, 0)] }
    default:
      let former = picker.input.text
      if picker.input.take(stroke), picker.input.text != former {
        picker.choice = self.choices(of: picker).first
      }
    }
    return .goesOn
  }

  /// Inserts pasted text.
  func type(_ text: String, into picker: inout Picker) {
    picker.input.type(text)
    picker.choice = choices(of: picker).first
  }

  mutating func target(_ choice: Picker.Choice) -> (CrateID, String) {
    switch choice {
    case .crate(let crate): return (crate, shown.name(of: crate))
    case .new(let name):
      let trimmed = Self.trimmed(name)
      return (tables.number(ofCrate: trimmed), trimmed)
    }
  }

  /// Removes blanks around a name, like the daemon.
  static func trimmed(_ name: String) -> String {
    let words = name.split(separator: " ", omittingEmptySubsequences: false)
    return words.drop { $0.isEmpty }.reversed().drop { $0.isEmpty }.reversed()
      .joined(separator: " ")
  }
}
