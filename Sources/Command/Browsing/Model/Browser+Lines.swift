import Ordering
import Terminal
import Text

/// Text input below the lists.
extension Browser {
  mutating func pressInLine(_ stroke: Stroke) -> [Effect] {
    switch mode {
    case .finding(let finding): return press(stroke, in: finding)
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
      notice = nil
      switch stroke.key {
      case .escape: mode = .lists
      case .enter: return rename(crate, to: input)
      default:
        guard input.take(stroke) else { return [] }
        mode = .renaming(crate, input)
      }
      return []
    default: return []
    }
  }

  /// An invalid name leaves the prompt open with the text.
  private mutating func rename(_ crate: CrateID, to input: LineInput) -> [Effect] {
    let name = Self.trimmed(input.text)
    if name.isEmpty {
      notice = Notice(text: "A crate needs a name", isFault: true)
      return []
    }
    if let other = tables.known(crate: name), other != crate, shown.contains(other) {
      notice = Notice(text: "\(shown.name(of: other)) exists already", isFault: true)
      return []
    }
    let before = lastEdit
    let effects = name == shown.name(of: crate) ? [] : ask(.renameCrate(crate, to: name))
    if notice?.isFault != true || lastEdit > before { mode = .lists }
    return effects
  }

  /// Inserts pasted text where letters are text.
  mutating func type(_ text: String) -> [Effect] {
    switch mode {
    case .picking(var picker):
      type(text, into: &picker)
      mode = .picking(picker)
    case .finding(var finding):
      finding.input.type(text)
      return find(finding)
    case .narrowing(let former, var input):
      input.type(text)
      mode = .narrowing(former: former, input)
      narrow(to: input.text)
      return openCurrentAlbum()
    case .renaming(let crate, var input):
      input.type(text)
      mode = .renaming(crate, input)
    case .triage(var triage):
      guard var picker = triage.picker else { return [] }
      type(text, into: &picker)
      triage.picker = picker
      mode = .triage(triage)
    default: break
    }
    return []
  }

  // MARK: Narrowing

  /// Narrows the list of albums to those that match the text; an empty text shows all.
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
