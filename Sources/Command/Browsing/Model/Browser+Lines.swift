import Choosing
import Terminal
import Text

/// Lines that are typed below the lists.
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
      triage.picker?.input.type(text)
      triage.picker?.place = 0
      mode = .triage(triage)
    default: break
    }
    return []
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
