import Choosing
import Terminal
import Text

/// Looking for something while it is typed.
struct Finding: Hashable, Sendable {
  var input = LineInput()
  /// Where the person was before.
  let start: Int
}

/// Lines that are typed below the lists.
extension Browser {
  mutating func beginFinding() {
    if pane == .crates { pane = .albums }
    mode = .finding(Finding(start: place))
  }

  mutating func pressInLine(_ stroke: Stroke) -> [Effect] {
    switch mode {
    case .finding(var finding):
      // No text: what is found is moved, and the next thing may be typed at once.
      if stroke.modifiers == .alt, let command = Bindings.commands[stroke] {
        notice = nil
        // The cursor is where it was before, on what nobody looked for.
        let isMissed = found.isEmpty || likeliestPlace(from: finding.start) == nil
        if !finding.input.text.isEmpty, isMissed {
          notice = Notice(text: "Nothing here is called so; nothing is moved")
          return []
        }
        let effects = run(command)
        mode = .finding(Finding(start: place))
        return effects
      }
      switch stroke.key {
      case .escape:
        mode = .lists
        return go(to: finding.start)
      case .enter:
        mode = .lists
        return []
      case .down: return goToFound(.below)
      case .up: return goToFound(.above)
      default:
        guard finding.input.take(stroke) else { return [] }
        return find(&finding)
      }
    case .narrowing(let former, var input):
      switch stroke.key {
      case .escape:
        mode = .lists
        narrow(to: former)
      case .enter: mode = .lists
      default:
        guard input.take(stroke) else { return [] }
        mode = .narrowing(former: former, input)
        narrow(to: input.text)
      }
      return openCurrentAlbum()
    case .renaming(let crate, var input):
      switch stroke.key {
      case .escape: mode = .lists
      case .enter:
        mode = .lists
        if input.text != shown.name(of: crate) {
          return ask(.renameCrate(crate, to: input.text))
        }
      default:
        guard input.take(stroke) else { return [] }
        mode = .renaming(crate, input)
      }
      return []
    default: return []
    }
  }

  /// What was pasted, where letters are text.
  mutating func type(_ text: String) -> [Effect] {
    switch mode {
    case .picking(var picker):
      picker.input.type(text)
      picker.place = 0
      mode = .picking(picker)
    case .finding(var finding):
      finding.input.type(text)
      return find(&finding)
    case .narrowing(let former, var input):
      input.type(text)
      mode = .narrowing(former: former, input)
      narrow(to: input.text)
      return openCurrentAlbum()
    case .renaming(let crate, var input):
      input.type(text)
      mode = .renaming(crate, input)
    case .triage(var triage):
      triage.picker?.input.type(text)
      triage.picker?.place = 0
      mode = .triage(triage)
    default: break
    }
    return []
  }

  // MARK: Finding

  private mutating func find(_ finding: inout Finding) -> [Effect] {
    mode = .finding(finding)
    found = Search(finding.input.text)
    if found.isEmpty { return go(to: finding.start) }
    // The one where the person was is as good as any.
    if let place = likeliestPlace(from: finding.start) {
      notice = nil
      return go(to: place)
    }
    notice = Notice(text: "Nothing here is called so")
    return go(to: finding.start)
  }

  mutating func goToFound(_ direction: ListDirection) -> [Effect] {
    if found.isEmpty {
      notice = Notice(text: "/ finds")
      return []
    }
    guard let place = foundPlace(direction, from: place) else {
      notice = Notice(text: "Nothing here is called so")
      return []
    }
    return go(to: place)
  }

  /// The next one, around the end of the list, as far as the row itself.
  private mutating func foundPlace(_ direction: ListDirection, from place: Int) -> Int? {
    let count = frontCount
    guard count > 0 else { return nil }
    for distance in 1...count {
      let way = direction == .below ? distance : -distance
      let candidate = ((place + way) % count + count) % count
      if found.match(searched(candidate)) != nil { return candidate }
    }
    return nil
  }

  /// From that row on, around the end of the list: the first title that begins so, as people type
  /// them, else the first with words that begin so, else what has it anywhere.
  private mutating func likeliestPlace(from place: Int) -> Int? {
    let count = frontCount
    var best: (match: Search.Match, place: Int)?
    for distance in 0..<count {
      let candidate = (place + distance) % count
      guard let match = found.match(searched(candidate)) else { continue }
      if match == .beginning { return candidate }
      if best.map({ $0.match < match }) ?? true { best = (match, candidate) }
    }
    return best?.place
  }

  private mutating func searched(_ place: Int) -> [UInt8] {
    switch pane {
    case .crates: return Search.text(shown.name(of: shown.crates[place]))
    case .albums: return tables.searched(items[place])
    case .songs:
      guard let song = songFacts[songs[place]] else { return [] }
      return Search.text("\(song.title) \(song.artist)")
    }
  }

  // MARK: Narrowing

  /// The list of albums becomes those with these words; none: all.
  mutating func narrow(to text: String) {
    narrowedText = text
    narrowing = text.isEmpty ? nil : Search(text)
    if pane == .songs { pane = .albums }
    let former = items
    refreshItems()
    guard let crate = currentCrate else { return }
    var state = albumLists[crate] ?? ListState()
    state.follow(from: former, to: items, moved: [])
    state.show(in: items, height: layout.listRows, across: layout.across)
    albumLists[crate] = state
  }

  mutating func clearNarrowing() {
    narrowedText = ""
    narrowing = nil
  }
}
