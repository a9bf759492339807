import LibraryStore
import ModelSupport
import TestSupport

@testable import LibraryModel

/// A music folder, its library and the plain model of it, through a life of folder operations,
/// merges and the person's actions. After each step the library is what the model says, and what
/// must always hold does.
struct RandomHistory {
  var random: SeededGenerator
  var folder = PlainFolder()
  var library = Library()
  var lookups: Lookups
  var plain = PlainLibrary()
  /// All songs and albums that there ever were, as they were last.
  var former = PlainLibrary()
  /// What the journal's lines came to.
  var replica = Library()
  /// What merges were told of.
  var known: [String: PlainFile] = [:]
  /// What merges were told of, of songs that were forgotten since and may be brought back.
  private var forgotten: [String: PlainFile] = [:]
  var now: Int64 = 1_700_000_000_000
  private var merges = 0
  var newAlbums: String?
  var memory = Merge.Memory()
  /// What the last merge was told to wait for.
  private var awaited: Set<String> = []
  var undo = UndoHistory()
  var done: [Action] = []
  var undone: [Action] = []
  /// Ids that were ever given out, and not forgotten.
  var songs: Set<SongID> = []
  /// Whether what is missing may be waited for while other things are found, and some of it longer
  /// than the rest.
  var waitsLong = false
  /// Whether it is held against the plain model.
  var isJudged = true
  /// All changes as lines, where somebody wants them.
  var journal: [UInt8]?
  /// What happened, where somebody wants to know.
  var story: [String]?
  /// Steps that had one result, and those that had several.
  var exact = 0
  var open = 0

  /// An action of the person's, as far as undo has to bring back what was before.
  struct Action {
    var before: PlainLibrary
    var after: PlainLibrary
    /// Nothing was merged since, so that undo and redo are exact.
    var isFresh = true
    var movedAlbums: Set<AlbumID> = []
    /// Where songs were moved.
    var touchedAlbums: Set<AlbumID> = []
    var forgets = false

    mutating func note(_ changes: [Change]) {
      for change in changes {
        switch change {
        case .albumMoved(let id, _, _, _, _), .albumRemoved(let id, _): movedAlbums.insert(id)
        case .songMoved(_, let album, _, _): touchedAlbums.insert(album)
        default: continue
        }
      }
    }
  }

  init(seed: UInt64, isTold: Bool = false) {
    random = SeededGenerator(seed: seed)
    story = isTold ? [] : nil
    library.away.folders = [bytePath(PlainFolder.root)]
    // Seldom anything is too large here to be gone through.
    let manyFiles = seed % 2 == 0 ? Int(1 + seed / 2 % 5) : 1_024
    lookups = Lookups(library, roots: [bytePath(PlainFolder.root)], manyFiles: manyFiles)
    if chance(8) { newAlbums = "Inbox" }
  }

  mutating func chance(_ one: Int) -> Bool { Int.random(in: 0..<one, using: &random) == 0 }

  mutating func tell(_ words: @autoclosure () -> String) {
    if story != nil { story?.append(words()) }
  }

  mutating func begin() throws {
    for _ in 0..<(chance(3) ? 2 : 1) {
      let words = folder.addAlbum(&random)
      tell(words)
    }
    try look(isFirstScan: Bool.random(using: &random))
  }

  mutating func step() throws {
    if Int.random(in: 0..<5, using: &random) < 2 {
      switch Int.random(in: 0..<10, using: &random) {
      case 0...2: try takeBack()
      case 3: try doAgain()
      default: try act()
      }
    } else {
      for _ in 0..<(chance(3) ? Int.random(in: 2...3, using: &random) : 1) {
        let words = folder.change(&random)
        tell(words)
      }
      library.away.places = folder.away.sorted().map(bytePath)
      try look()
    }
  }

  // MARK: Merges

  /// Looks at what is there, and merges it in whole or in pieces.
  private mutating func look(isFirstScan: Bool = false) throws {
    let there = { [folder] (path: String) in !folder.isAway(path) }
    let found = folder.paths.filter { there($0) && known[$0] != folder.files[$0] }
    let vanished = known.keys.filter { there($0) && folder.files[$0] == nil }.sorted()
    if waitsLong, !isFirstScan, chance(2) { return try lookAndWait(found, vanished) }
    switch isFirstScan ? 9 : Int.random(in: 0..<10, using: &random) {
    case 0, 1:
      tell("appearances first")
      try merge(found, [], absent: vanished)
      try merge([], vanished)
    case 2:
      tell("disappearances first")
      try merge([], vanished)
      try merge(found, [])
    case 3:
      tell("in pieces")
      let cut = found.filter { _ in Bool.random(using: &random) }
      let lost = vanished.filter { _ in Bool.random(using: &random) }
      try merge(cut, lost)
      try merge(found.filter { !cut.contains($0) }, vanished.filter { !lost.contains($0) })
    default: try merge(found, vanished, isFirstScan: isFirstScan)
    }
  }

  /// Merges what was found in pieces, while the wait for what is missing ends one by one.
  private mutating func lookAndWait(_ found: [String], _ vanished: [String]) throws {
    tell("with long waits")
    let early = found.filter { _ in Bool.random(using: &random) }
    let late = vanished.filter { _ in Bool.random(using: &random) }
    try merge(early, [], absent: vanished)
    try merge([], vanished.filter { !late.contains($0) }, absent: late)
    try merge(found.filter { !early.contains($0) }, [], absent: late)
    try merge([], late)
  }

  /// Looks, and merges in whole.
  mutating func lookOnce(isFirstScan: Bool = false) throws {
    let found = folder.paths.filter { !folder.isAway($0) && known[$0] != folder.files[$0] }
    let vanished = known.keys.filter { !folder.isAway($0) && folder.files[$0] == nil }.sorted()
    try merge(found, vanished, isFirstScan: isFirstScan)
  }

  mutating func merge(
    _ found: [String], _ vanished: [String], absent: [String] = [], isFirstScan: Bool = false
  ) throws {
    // Nothing was found: now and then that is merged as well.
    if found.isEmpty && vanished.isEmpty && absent.isEmpty && !isFirstScan && !chance(8) { return }
    now += 1000
    merges += 1
    tell("  merge \(found)\(isFirstScan ? " first scan" : "") lost \(vanished) absent \(absent)")
    var contents = FolderContents(root: bytePath(PlainFolder.root), seen: now)
    (contents.isFirstScan, contents.endsFirstScan) = (isFirstScan, isFirstScan)
    contents.vanished = vanished.map(bytePath)
    contents.turned = lookups.turned(in: library)
    contents.absent = absent.filter { !awaited.contains($0) }.map(bytePath)
    contents.returned = awaited.subtracting(absent + vanished).sorted().map(bytePath)
    awaited = Set(absent)
    let before = known
    for path in vanished { known[path] = nil }
    for path in found {
      guard let file = folder.files[path] else { continue }
      contents.found.append(
        FolderContents.Found(path: bytePath(path), facts: file.facts(at: path)))
      known[path] = file
    }
    let old = library
    let outcome = Merge.merge(
      contents, into: library, lookups: lookups, newAlbums: newAlbums, memory: memory)
    library = outcome.decision.library
    memory = outcome.memory
    lookups.follow(
      from: old, to: library, songs: outcome.songs, albums: outcome.albums)
    // A file that was followed elsewhere is not waited for any longer.
    let files = lookups.paths(in: library)
    for path in absent where !files.contains(bytePath(path)) { known[path] = nil }
    for path in outcome.strangers(in: library.away) { known[plainPath(path)] = nil }
    for case .songForgotten(let id, _) in outcome.decision.changes { songs.remove(id) }
    // Tags may have changed where the order did not.
    if !contents.isEmpty {
      for place in done.indices { done[place].isFresh = false }
      for place in undone.indices { undone[place].isFresh = false }
    }
    try record(outcome.decision.changes, by: .folder)
    try checkTouched(outcome.decision.changes, old)
    try checkRetagged(outcome.decision.changes, old)
    var look = PlainLook(
      files: known.merging(before.filter { absent.contains($0.key) }) { $1 }, found: Set(found),
      known: Set(before.keys), absent: Set(absent), away: folder.away, seen: now,
      newAlbums: newAlbums)
    (look.isFirstScan, look.endsFirstScan) = (isFirstScan, isFirstScan)
    try judge(look, old)
    if outcome.decision.changes.isEmpty || merges % 2 > 0 { return }
    let again = Merge.merge(
      contents, into: library, lookups: lookups, newAlbums: newAlbums, memory: memory)
    if let change = again.decision.changes.first {
      throw Disagreement("a second merge makes \(change)")
    }
  }

  private mutating func judge(_ look: PlainLook, _ old: Library) throws {
    if !isJudged { return }
    let naming = PlainNaming { [library, lookups] path in
      lookups.song(at: bytePath(path), in: library)?.id
    } album: { [library] song in
      library.songs[song]?.album
    }
    plain = PlainMerge.merge(look, into: plain, naming: naming)
    if let words = plain.difference(from: library, withSlots: false, withMarks: true) {
      throw Disagreement("merge: \(words)")
    }
    exact += 1
    plain.adoptSlots(library)
    remember()
    if merges % 3 == 0 {
      try PlainInvariants(
        before: old, after: library, files: known, absent: look.absent, away: folder.away,
        lookups: lookups, kept: newAlbums
      ).check()
    }
    try checkIds(old)
    try checkDefaultOrder()
    // The check takes as long as the rest of the merge.
    if merges % 4 == 0 { try checkLookups() }
  }

  private mutating func remember() {
    former.albums.merge(plain.albums) { $1 }
    former.songs.merge(plain.songs) { $1 }
  }

  /// An id is never reused.
  private mutating func checkIds(_ old: Library) throws {
    var reused: SongID?
    library.songs.forEach { id, _ in
      if old.songs[id] == nil, !songs.insert(id).inserted { reused = id }
    }
    if let reused { throw Disagreement("the id \(reused) is given out again") }
  }

  private func checkDefaultOrder() throws {
    for (id, album) in plain.albums where !album.isArranged {
      if plain.members(id) != plain.inDefaultOrder(plain.members(id)) {
        throw Disagreement("album \(id) is not arranged, and not in default order")
      }
    }
  }

  private mutating func record(_ changes: [Change], by author: Author) throws {
    library.advance(to: library.sequence + changes.count)
    try replay(changes, by: author)
  }

  // MARK: The person

  private mutating func act() throws {
    guard let edit = randomEdit() else { return }
    tell("\(edit)")
    try make(edit)
  }

  mutating func make(_ edit: Edit) throws {
    if !isJudged {
      if let decision = try? library.decide(edit, newAlbums: newAlbums) { try take(decision) }
      return
    }
    var goal: PlainLibrary? = plain
    var isRefused = false
    do {
      try goal?.make(edit, newAlbums: newAlbums)
    } catch is PlainRefusal {
      isRefused = true
    } catch let several as Several {
      goal = nil
      open += 1
      tell("several results: \(several.reason)")
    }
    let decision: Decision
    do {
      decision = try library.decide(edit, newAlbums: newAlbums)
    } catch {
      if goal != nil && !isRefused { throw Disagreement("refused: \(error)") }
      return
    }
    if isRefused { throw Disagreement("it is not refused") }
    let before = plain
    try take(decision)
    if let goal {
      exact += 1
      try agree(goal, decision)
      try checkFewest(edit, decision, before)
    } else {
      try checkOpen(edit, before)
    }
    try checkNamed(edit, decision, before)
    plain.adopt(library, lookups, from: former)
    if decision.changes.isEmpty {
      if plain != before { throw Disagreement("no change, and another library") }
      return
    }
    var action = Action(before: before, after: plain)
    action.note(decision.changes)
    if case .forget = edit { action.forgets = true }
    done.append(action)
    undone = []
  }

  private func agree(_ goal: PlainLibrary, _ decision: Decision) throws {
    var goal = goal
    // An action that moves nothing may leave the flag as it was.
    if decision.changes.isEmpty {
      for (id, album) in plain.albums where goal.members(id) == plain.members(id) {
        goal.albums[id]?.isArranged = album.isArranged
      }
    }
    let words = goal.difference(from: library, withSlots: true)
    if let words { throw Disagreement(words) }
  }

  /// What must hold of edits whose result the plain model does not tell.
  private func checkOpen(_ edit: Edit, _ before: PlainLibrary) throws {
    switch edit {
    case .sortAlbums(let ids, _, _):
      for crate in before.crates {
        let albums = Array(library.crate(named: crate.name)?.albums ?? [])
        try checkShuffled(crate.albums, albums, ids, before.isListed)
      }
    case .sortSongs(let ids, _, _):
      for id in before.albums.keys {
        let songs = library.albums[id].map(library.members) ?? []
        try checkShuffled(before.members(id), songs, ids) { before.songs[$0]?.isGone == false }
      }
    case .forget(_, _, _, let all):
      for (id, song) in before.songs where !song.isGone && library.songs[id] == nil {
        if all || !song.paths.allSatisfy(folder.isAway) {
          throw Disagreement("song \(id) is forgotten, and there")
        }
      }
      if all, library.songs.values.contains(where: \.isGone) {
        throw Disagreement("a gone song is not forgotten")
      }
    default: break
    }
  }

  private func checkShuffled<Item: Equatable>(
    _ old: [Item], _ new: [Item], _ chosen: [Item], _ isListed: (Item) -> Bool
  ) throws {
    guard old.count == new.count else { throw Disagreement("shuffling loses something") }
    for (one, other) in zip(old, new) where !chosen.contains(one) && one != other {
      throw Disagreement("shuffling moves what was not chosen")
    }
    let shown = old.filter { chosen.contains($0) && isListed($0) }
    if shown.count > 1, shown == new.filter(shown.contains) {
      throw Disagreement("shuffling gives the order it began with")
    }
  }

  mutating func take(_ decision: Decision) throws {
    let old = library
    library = decision.library
    lookups.follow(decision.changes, from: old, to: library)
    let files = lookups.paths(in: library)
    for path in known.keys where !files.contains(bytePath(path)) {
      forgotten[path] = known.removeValue(forKey: path)
    }
    for (path, file) in forgotten where files.contains(bytePath(path)) {
      known[path] = known[path] ?? file
      forgotten[path] = nil
    }
    try record(decision.changes, by: .person)
    try checkTouched(decision.changes, old)
    try checkInverse(of: decision.changes)
    let had = songs.count
    for change in decision.changes {
      if case .songForgotten(let id, _) = change { songs.remove(id) }
      if case .songAdded(let id, _) = change { songs.insert(id) }
    }
    if songs.count != had { try checkLookups() }
    // An undo that finds nothing to revert is a transaction as well.
    if decision.isEmpty { return }
    if decision.changes.isEmpty { library.advance(to: library.sequence + 1) }
    undo.follow(decision.transaction.at(library.sequence))
  }
}
