import Ordering
import Terminal

/// The triage mode, which goes through new albums one by one.
struct Triage: Hashable, Sendable {
  /// The albums, the newest first.
  var queue: [AlbumID]
  /// Whether the queue has all albums that were never moved, instead of those that arrived since
  /// the user last viewed their crates.
  var isAll: Bool
  /// The decisions so far, one for each album from the front of the queue.
  var steps: [Step] = []
  /// The prompt for another crate, while it is open.
  var picker: Picker?

  enum Step: Hashable, Sendable {
    /// The album stays where it is, and that is its place.
    case left
    /// The user left the decision for later.
    case later
    case put(edit: Int)
    /// The album disappeared in the meantime.
    case gone
  }

  var current: AlbumID? { queue.indices.contains(steps.count) ? queue[steps.count] : nil }
}

extension Browser {
  mutating func beginTriage() -> [Effect] {
    guard isComplete else {
      notice = Notice(text: "The albums are still being read; try again in a moment")
      return []
    }
    let all = arrivals()
    if all.isEmpty {
      notice = Notice(text: "Nothing is new: you have said of every album where its place is")
      return []
    }
    let new = all.filter(isNew)
    // Edits of the previous triage may still be undoable while they are pending.
    if pending.isEmpty { madeChanges = [:] }
    mode = .triage(Triage(queue: new.isEmpty ? all : new, isAll: new.isEmpty))
    return openCurrentAlbum()
  }

  /// Returns the albums that the user never placed, the newest first.
  private func arrivals(without known: Set<AlbumID> = []) -> [AlbumID] {
    var places: [(album: AlbumID, came: Int, place: Int)] = []
    for crate in shown.crates {
      for album in shown[crate]
      where !tables.isMoved(album) && !placed.contains(album) && tables.isKnown(album)
        && !known.contains(album)
      {
        places.append((album, tables.came(album), places.count))
      }
    }
    // Of albums added together, the one higher in the list counts as newer.
    places.sort { ($1.came, $0.place) < ($0.came, $1.place) }
    return places.map(\.album)
  }

  /// Returns the number of albums outside the queue that the user never placed.
  func othersCount(_ triage: Triage) -> Int {
    triage.isAll ? 0 : arrivals(without: Set(triage.queue)).count
  }

  /// Appends albums that arrive during the triage.
  mutating func extendTriage() {
    guard case .triage(var triage) = mode else { return }
    let more = arrivals(without: Set(triage.queue)).filter { triage.isAll || isNew($0) }
    if more.isEmpty { return }
    triage.queue += more
    mode = .triage(triage)
  }

  /// Extends the triage to all albums that the user never placed.
  private mutating func goOnToAll(_ triage: Triage) -> [Effect] {
    var triage = triage
    triage.isAll = true
    mode = .triage(triage)
    let count = triage.queue.count
    extendTriage()
    if case .triage(let extended) = mode, extended.queue.count == count {
      notice = Notice(text: "These are all that you never moved")
    } else {
      notice = nil
    }
    return openCurrentAlbum()
  }

  /// The keys of the crates, in the crates' order. Letters with another meaning are left out.
  static let crateKeys: [Unicode.Scalar] = Array("123456789bcdefghijklmoprstvwxyz".unicodeScalars)

  mutating func press(_ stroke: Stroke, in triage: Triage) -> [Effect] {
    var triage = triage
    notice = nil
    if var picker = triage.picker {
      switch edit(&picker, stroke) {
      case .goesOn: triage.picker = picker
      case .isLeft: triage.picker = nil
      case .isChosen(let choice):
        triage.picker = nil
        mode = .triage(triage)
        let (crate, name) = target(choice)
        return put(in: crate, named: name)
      }
      mode = .triage(triage)
      return []
    }
    if let action = playerAction(of: stroke) { return ask(player: .control(action)) }
    switch stroke {
    case Stroke("q"), Stroke(.escape):
      waiting.formUnion(triage.queue.filter(isNew))
      mode = .lists
      sumUp()
      settle()
      return [.remember]
    case Stroke("?"), Stroke(.function(1)): mode = .help(top: 0, back: triage)
    case Stroke("a"): return goOnToAll(triage)
    case Stroke("u"): return stepBack()
    case Stroke("n"), Stroke(.right), Stroke(.down): return goOn(.later)
    case Stroke(.left), Stroke(.up): return stepBack()
    case Stroke("!"), Stroke("p", .control):
      guard let album = triage.current else { return [] }
      return play(.albums([album]))
    case Stroke(" "): return goOn(.left)
    case Stroke(.enter):
      if let album = triage.current { triage.picker = picker(for: [album]) }
      mode = .triage(triage)
    default:
      guard case .character(let letter) = stroke.key, stroke.modifiers.isEmpty,
        let place = Self.crateKeys.firstIndex(of: letter)
      else {
        notice = Notice(text: "\(stroke.name) does nothing here; ? shows the keys")
        return []
      }
      guard shown.crates.indices.contains(place) else {
        notice = Notice(
          text: "No crate has the key \(stroke.name); Enter asks for one, n is for later")
        return []
      }
      let crate = shown.crates[place]
      return put(in: crate, named: shown.name(of: crate))
    }
    return []
  }

  private mutating func put(in crate: CrateID, named name: String) -> [Effect] {
    guard case .triage(let triage) = mode, let album = triage.current else { return [] }
    let before = lastEdit
    notice = nil
    let effects = ask(.moveAlbums([album], .top, crate: crate, name: name))
    guard lastEdit > before else { return effects }
    lastTarget = crate
    return effects + goOn(.put(edit: lastEdit))
  }

  private mutating func goOn(_ step: Triage.Step) -> [Effect] {
    guard case .triage(var triage) = mode, let album = triage.current else { return [] }
    if step == .left { setPlaced(album, true) }
    triage.steps.append(step)
    // Albums that have disappeared are skipped.
    while let album = triage.current, shown.home(of: album) == nil { triage.steps.append(.gone) }
    mode = .triage(triage)
    if triage.current == nil {
      notice = Notice(text: "That was the last one; u goes back, q leaves")
    }
    return openCurrentAlbum() + (step == .left ? [.remember] : [])
  }

  private mutating func setPlaced(_ album: AlbumID, _ isPlaced: Bool) {
    placedHere[album] = isPlaced
    if isPlaced { placed.insert(album) } else { placed.remove(album) }
  }

  /// Goes back one step and undoes its edit.
  private mutating func stepBack() -> [Effect] {
    guard case .triage(var triage) = mode else { return [] }
    while triage.steps.last == .gone { triage.steps.removeLast() }
    guard let step = triage.steps.popLast() else { return [] }
    var effects: [Effect] = []
    if case .put(let edit) = step {
      let before = lastEdit
      effects = ask(.takeBack(edit: edit))
      guard lastEdit > before else { return effects }
    }
    mode = .triage(triage)
    if step == .left, let album = triage.current {
      setPlaced(album, false)
      effects.append(.remember)
    }
    return effects + openCurrentAlbum()
  }
}
