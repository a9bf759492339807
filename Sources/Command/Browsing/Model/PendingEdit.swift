import CratesInterface
import Ordering

/// An edit that is shown already and has not been confirmed.
struct PendingEdit: Sendable {
  enum State: Hashable, Sendable {
    case waiting, sent
    /// The daemon answered with this change, whose notification has not arrived yet.
    case answered(Int)
  }

  let number: Int
  var edit: BrowserEdit
  var state = State.waiting

  /// The most edits to queue behind the one that is sent: about what a user types in a minute while
  /// the daemon is busy.
  static let waitingMost = 256
}

extension Browser {
  /// Shows an edit, and sends it as soon as no other one is unanswered.
  mutating func ask(_ edit: BrowserEdit) -> [Effect] {
    guard link == .ready else {
      notice = Notice(text: "\(awaySentence); nothing is moved until it is back", isFault: true)
      return []
    }
    guard isComplete else {
      notice = Notice(text: "The albums are still being read; try again in a moment")
      return []
    }
    if merge(edit) { return [] }
    guard pending.count(where: { $0.state == .waiting }) < PendingEdit.waitingMost else {
      notice = Notice(
        text: "\(PendingEdit.waitingMost) changes are on their way; wait a moment", isFault: true)
      return []
    }
    lastEdit += 1
    pending.append(PendingEdit(number: lastEdit, edit: edit))
    let before = shown
    shown.predict(edit)
    follow(from: before, moved: edit.moved)
    return sendNext()
  }

  /// Merges a step with an unsent step of the same items, into one move to the resulting place.
  private mutating func merge(_ edit: BrowserEdit) -> Bool {
    guard let last = pending.last, last.state == .waiting,
      case .moveAlbums(let ids, let place?, let crate, let name) = edit, place.isStep,
      case .moveAlbums(ids, _?, crate, _) = last.edit
    else { return false }
    let before = shown
    shown.predict(edit)
    let list = shown[crate]
    let chosen = Set(ids)
    guard let first = list.firstIndex(where: chosen.contains) else { return true }
    let end = first + ids.count
    let goal: Place<AlbumID> =
      if place == .up {
        end < list.count ? .before(list[end]) : .bottom
      } else {
        first > 0 ? .after(list[first - 1]) : .top
      }
    pending[pending.count - 1].edit = .moveAlbums(ids, goal, crate: crate, name: name)
    follow(from: before, moved: chosen)
    return true
  }

  private mutating func sendNext() -> [Effect] {
    if pending.contains(where: { $0.state == .sent }) { return [] }
    while let place = pending.firstIndex(where: { $0.state == .waiting }) {
      guard let call = call(for: pending[place].edit, in: order(before: place)) else {
        pending.remove(at: place)
        continue
      }
      pending[place].state = .sent
      return [.edit(pending[place].number, call)]
    }
    return []
  }

  /// Returns the daemon's order as it will be before this edit. Names of crates that later edits
  /// set are not known there yet.
  private func order(before place: Int) -> Order {
    var order = confirmed
    for edit in pending[..<place] { order.predict(edit.edit) }
    return order
  }

  /// Returns nil if there is nothing left to do.
  private mutating func call(for edit: BrowserEdit, in order: Order) -> Call? {
    switch edit {
    case .moveAlbums(let ids, let place, let crate, let name):
      let place = place?.mapped { tables[$0].id }
      // A step stays within the crate, which the call must not name.
      let named: String? =
        place?.isStep ?? false ? nil : order.contains(crate) ? order.name(of: crate) : name
      return .moveAlbums(
        albums: ids.map { tables[$0].id }, place: place.map { Interface.Place($0) }, crate: named,
        sequence: nil)
    case .moveSongs(let ids, let place, _):
      return .moveSongs(songs: ids, place: Interface.Place(place), sequence: nil)
    case .moveCrate(let crate, let place):
      return .moveCrate(
        crate: order.name(of: crate),
        place: Interface.Place(place.mapped { order.name(of: $0) }), sequence: nil)
    case .renameCrate(let crate, let name):
      return .renameCrate(crate: order.name(of: crate), name: name, sequence: nil)
    case .sortAlbums(let ids, let sorting, let isTurned):
      return .sortAlbums(
        albums: ids.map { tables[$0].id }, order: sorting,
        ascending: isTurned ? sorting.isAscending.map { !$0 } : nil, sequence: nil)
    case .sortSongs(let ids, let sorting, let isTurned):
      return .sortSongs(
        songs: ids, order: sorting,
        ascending: isTurned ? sorting.isAscending.map { !$0 } : nil, sequence: nil)
    case .undo: return .undo(sequence: nil)
    case .redo: return .redo(sequence: nil)
    case .takeBack(let number):
      return madeChanges.removeValue(forKey: number).map { .undo(change: $0, sequence: nil) }
    case .forgetGone: return .forget(songs: nil, albums: nil, all: true, sequence: nil)
    }
  }

  // MARK: Answers

  mutating func take(_ answer: Answer, to number: Int) -> [Effect] {
    guard let place = pending.firstIndex(where: { $0.number == number }) else { return [] }
    let edit = pending[place].edit
    switch answer {
    case .done(let change):
      if change.changed, mayBeTakenBack(number) { madeChanges[number] = change.sequence }
      if change.changed, change.sequence > sequence {
        pending[place].state = .answered(change.sequence)
      } else {
        pending.remove(at: place)
        rebase(moved: edit.moved)
      }
      if !change.summary.isEmpty, pending.allSatisfy({ $0.state != .waiting }) {
        notice = notice(of: change)
      }
    case .refused(let sentence):
      pending.remove(at: place)
      rebase(moved: edit.moved)
      notice = Notice(text: Words.sentence(sentence), isFault: true)
      // Reopens the prompt, so that the name can be corrected.
      if case .renameCrate(let crate, let name) = edit, mode == .lists, number == lastEdit {
        mode = .renaming(crate, LineInput(text: name))
      }
    }
    return sendNext()
  }

  /// Whether the edit may have to be undone by its change: it put an album somewhere in the open
  /// triage, or its undo is pending.
  private func mayBeTakenBack(_ number: Int) -> Bool {
    if pending.contains(where: { $0.edit == .takeBack(edit: number) }) { return true }
    guard case .triage(let triage) = mode else { return false }
    return triage.steps.contains(.put(edit: number))
  }

  /// Recomputes the shown order from the confirmed one and the pending edits.
  mutating func rebase(moved: Moved = Moved()) {
    let before = shown
    shown = confirmed
    var moved = moved
    for edit in pending.map(\.edit) {
      shown.predict(edit)
      moved.formUnion(edit.moved)
    }
    follow(from: before, moved: moved)
  }

  /// Drops the pending edits, whose outcome is unknown.
  mutating func dropPending() {
    if pending.isEmpty { return }
    pending = []
    rebase()
  }
}

/// The items that may have moved.
struct Moved: Sendable {
  var albums: Set<AlbumID> = []
  var songs: Set<String> = []
  var crates: Set<CrateID> = []

  mutating func formUnion(_ other: Moved) {
    albums.formUnion(other.albums)
    songs.formUnion(other.songs)
    crates.formUnion(other.crates)
  }
}

extension BrowserEdit {
  var moved: Moved {
    switch self {
    case .moveAlbums(let ids, _, _, _): Moved(albums: Set(ids))
    case .moveSongs(let ids, _, _): Moved(songs: Set(ids))
    case .moveCrate(let crate, _): Moved(crates: [crate])
    default: Moved()
    }
  }
}

extension Browser {
  fileprivate mutating func follow(from before: Order, moved: Set<AlbumID>) {
    follow(from: before, moved: Moved(albums: moved))
  }
}
