import Ordering
import Terminal
import Text

/// The incremental search. It shows matches in the list in front at once, and in the whole library
/// when the daemon answers.
struct Finding: Hashable, Sendable {
  var input = LineInput()
  /// The cursor's place before the search.
  let start: Start
  /// The matching rows of the list in front, from the top.
  var here: [Int] = []
  /// The other matches in the library.
  var elsewhere: [FoundThing] = []
  /// The index of the chosen match in `elsewhere`; nil: the row under the cursor.
  var chosen: Int?
  /// Whether `here` matches the current text.
  var hasRows = false
  /// Whether the daemon's answer for the current text is pending.
  var awaitsAnswer = false
  /// Whether the daemon is away and was not asked for the current text.
  var isAway = false

  /// A place by its item, since rows may have moved in the meantime.
  struct Start: Hashable, Sendable {
    let row: Int
    let album: AlbumID?
    let song: String?
  }

  var hasFound: Bool { !here.isEmpty || !elsewhere.isEmpty }
  var chosenThing: FoundThing? { chosen.map { elsewhere[$0] } }
}

/// An album or a song outside the list in front.
struct FoundThing: Hashable, Sendable {
  let album: AlbumID
  /// Nil if the album itself was found.
  let song: SongFacts?
}

extension Browser {
  mutating func beginFinding() {
    if pane == .crates { pane = .albums }
    mode = .finding(Finding(start: here))
  }

  /// The cursor's place in the list in front.
  var here: Finding.Start {
    Finding.Start(
      row: place, album: albumList.cursor, song: pane == .songs ? songList.cursor : nil)
  }

  private func place(of start: Finding.Start) -> Int {
    let place = start.song.map(songs.firstIndex) ?? start.album.flatMap(items.firstIndex)
    return place ?? start.row
  }

  mutating func press(_ stroke: Stroke, in finding: Finding) -> [Effect] {
    var finding = finding
    if let command = Self.command(ofFound: stroke) {
      notice = nil
      guard finding.input.text.isEmpty || finding.hasFound else {
        let what = command == .play ? "plays" : "is moved"
        notice = Notice(text: "Nothing found, so nothing \(what)")
        return []
      }
      if command == .play { return beginPlaying(chosenToPlay(finding), back: finding) }
      if command == .send {
        if finding.chosen == nil, refuseSongs() { return [] }
        beginPicking(chosenToSend(finding), back: finding)
        return []
      }
      // The key is a command: applies it to the match, and the search goes on.
      let effects = goToChosen(finding) + run(command)
      if mode == .lists { mode = .finding(Finding(start: here)) }
      return effects
    }
    switch stroke.key {
    case .escape:
      mode = .lists
      return go(to: place(of: finding.start))
    case .enter:
      guard finding.input.text.isEmpty || finding.hasFound else {
        mode = .lists
        notice = Notice(text: "Nothing found")
        return []
      }
      return goToChosen(finding)
    case .down: return step(1, in: finding)
    case .up: return step(-1, in: finding)
    default:
      guard finding.input.take(stroke) else { return [] }
      return find(finding)
    }
  }

  /// Returns the command of a key in a search, in which plain letters are text.
  private static func command(ofFound stroke: Stroke) -> Command? {
    if stroke.modifiers == .control, Bindings.commands[stroke] == .play { return .play }
    guard stroke.modifiers == .alt else { return nil }
    if let command = Bindings.commands[stroke] { return command }
    switch Bindings.commands[Stroke(stroke.key)] {
    case .send: return .send
    case .sendAgain: return .sendAgain
    default: return nil
    }
  }

  /// Whether a command has to wait for the daemon's answer, because nothing is found yet. Some
  /// users type faster than the daemon answers.
  func needsAnswer(_ stroke: Stroke) -> Bool {
    guard case .finding(let finding) = mode, finding.awaitsAnswer, !finding.hasFound else {
      return false
    }
    return stroke.key == .enter || Self.command(ofFound: stroke) != nil
  }

  // MARK: What is found

  mutating func find(_ finding: Finding) -> [Effect] {
    var finding = finding
    let text = finding.input.text
    let former = found
    found = Search(text)
    notice = nil
    finding.chosen = nil
    if found.isEmpty {
      mode = .finding(Finding(input: finding.input, start: finding.start))
      return go(to: place(of: finding.start))
    }
    // A longer query can only match rows that the shorter one matched.
    let isNarrower = !former.isEmpty && found.extends(former) && finding.hasRows
    mode = .finding(finding)
    finding.here = places(among: isNarrower ? finding.here : Array(0..<frontCount))
    finding.hasRows = true
    finding.elsewhere.removeAll { !found.finds(searched($0)) }
    finding.awaitsAnswer = link == .ready
    finding.isAway = link != .ready
    mode = .finding(finding)
    let start = place(of: finding.start)
    var effects = go(to: likeliest(of: finding.here, from: start) ?? start)
    settleFinding()
    if finding.here.isEmpty { effects += openCurrentAlbum() }
    return effects + (finding.awaitsAnswer ? [.search(text)] : [])
  }

  /// Shows the matches that the daemon found.
  mutating func takeFound(
    _ query: String, albums: [String], _ songs: [FoundSong], _ fault: String?
  ) -> [Effect] {
    guard case .finding(var finding) = mode, finding.awaitsAnswer, finding.input.text == query
    else { return [] }
    let former = finding.chosenThing
    finding.awaitsAnswer = false
    let seen = Set(pane == .songs ? [] : finding.here.map { items[$0] })
    var things = albums.compactMap(tables.known(album:)).filter { !seen.contains($0) }
      .map { FoundThing(album: $0, song: nil) }
    let here = pane == .songs ? Set(self.songs) : []
    for song in songs where !here.contains(song.facts.id) {
      // A song that matches only by its artist or album is found through its album.
      guard let album = tables.known(album: song.album),
        found.findsAny(Search.text(song.facts.title))
      else { continue }
      things.append(FoundThing(album: album, song: song.facts))
    }
    finding.elsewhere = things.filter { shown.home(of: $0.album) != nil }
    finding.chosen = former.flatMap(finding.elsewhere.firstIndex)
    mode = .finding(finding)
    settleFinding()
    if let fault, !finding.hasFound { notice = Notice(text: fault) }
    return openCurrentAlbum() + pressTypedAhead()
  }

  /// Updates the matches after the lists have changed.
  mutating func refreshFinding() {
    guard case .finding(var finding) = mode, !finding.input.text.isEmpty else { return }
    finding.here = places(among: Array(0..<frontCount))
    let former = finding.chosenThing
    finding.elsewhere.removeAll { shown.home(of: $0.album) == nil }
    finding.chosen = former.flatMap(finding.elsewhere.firstIndex)
    mode = .finding(finding)
    settleFinding()
  }

  /// Chooses a match if none is chosen, and shows a notice if there is none.
  private mutating func settleFinding() {
    guard case .finding(var finding) = mode else { return }
    if finding.here.isEmpty, finding.chosen == nil, !finding.elsewhere.isEmpty {
      finding.chosen = 0
      mode = .finding(finding)
    }
    if !finding.hasFound, !finding.awaitsAnswer {
      notice = Notice(text: finding.isAway ? "\(awaySentence); it was not asked" : "Nothing found")
    }
  }

  /// Shows that the daemon went away during a search.
  mutating func loseFinding() {
    guard case .finding(var finding) = mode, finding.awaitsAnswer else { return }
    (finding.awaitsAnswer, finding.isAway) = (false, true)
    mode = .finding(finding)
  }

  /// Asks the daemon, which was away, for the current text.
  mutating func findAgain() -> [Effect] {
    guard case .finding(let finding) = mode, finding.isAway else { return [] }
    return find(finding)
  }

  private mutating func places(among places: [Int]) -> [Int] {
    places.filter { found.findsWords(searched($0)) }
  }

  /// Returns the best match, searching from `start` and wrapping around: the first title that
  /// begins with the query, else the first row whose words do.
  private mutating func likeliest(of places: [Int], from start: Int) -> Int? {
    let first = places.firstIndex { $0 >= start } ?? 0
    let around = places[first...] + places[..<first]
    return around.first { found.match(searched($0)) == .beginning } ?? around.first
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

  private mutating func searched(_ thing: FoundThing) -> [UInt8] {
    let album = tables.searched(thing.album)
    guard let song = thing.song else { return album }
    return Search.text("\(song.title) \(song.artist) ") + album
  }

  // MARK: Going there

  /// Goes to the next match and wraps around.
  private mutating func step(_ way: Int, in finding: Finding) -> [Effect] {
    if finding.input.text.isEmpty { return goToFound(way > 0 ? .below : .above) }
    var finding = finding
    let count = finding.here.count + finding.elsewhere.count
    guard count > 0 else { return [] }
    let former =
      finding.chosen.map { finding.here.count + $0 } ?? finding.here.firstIndex(of: place) ?? 0
    let next = (former + way + count) % count
    finding.chosen = next < finding.here.count ? nil : next - finding.here.count
    mode = .finding(finding)
    return finding.chosen == nil ? go(to: finding.here[next]) : openCurrentAlbum()
  }

  private func chosenToPlay(_ finding: Finding) -> Things? {
    if let thing = finding.chosenThing {
      return thing.song.map { .songs([$0.id], of: thing.album) } ?? .albums([thing.album])
    }
    guard let album = currentAlbum else { return nil }
    return pane == .songs ? songList.cursor.map { .songs([$0], of: album) } : .albums([album])
  }

  /// Returns the albums selected in the crate of the match, or the matching album itself.
  private func chosenToSend(_ finding: Finding) -> [AlbumID] {
    guard let album = finding.chosenThing?.album ?? currentAlbum,
      let crate = shown.home(of: album)
    else { return [] }
    let selected = albumLists[crate]?.selected(in: shown[crate]) ?? []
    return selected.isEmpty || pane == .songs ? [album] : selected
  }

  /// Goes to the chosen match, whichever crate it is in.
  private mutating func goToChosen(_ finding: Finding) -> [Effect] {
    mode = .lists
    guard let thing = finding.chosenThing else { return [] }
    var effects = go(to: place(of: finding.start))
    guard let crate = shown.home(of: thing.album), let row = shown.crates.firstIndex(of: crate)
    else { return effects }
    effects += open(crateAt: row)
    if !items.contains(thing.album) { narrow(to: "") }
    guard let place = items.firstIndex(of: thing.album) else { return effects }
    effects += go(to: place)
    if let song = thing.song {
      wantedSong = song.id
      effects += turn(to: .songs)
      goToWantedSong()
    }
    return effects
  }

  /// Goes to the wanted song once the songs of its album are loaded.
  mutating func goToWantedSong() {
    guard let wanted = wantedSong, let album = currentAlbum, pane == .songs,
      let place = shown.songs[album]?.firstIndex(of: wanted)
    else { return }
    wantedSong = nil
    _ = go(to: place)
  }

  // MARK: Again

  mutating func goToFound(_ direction: ListDirection) -> [Effect] {
    if found.isEmpty {
      notice = Notice(text: "Nothing was searched for yet; / searches")
      return []
    }
    guard let place = foundPlace(direction, from: place) else {
      notice = Notice(text: "Nothing found here")
      return []
    }
    return go(to: place)
  }

  /// Returns the next matching row, wrapping around to the row itself.
  private mutating func foundPlace(_ direction: ListDirection, from place: Int) -> Int? {
    let count = frontCount
    guard count > 0 else { return nil }
    for distance in 1...count {
      let way = direction == .below ? distance : -distance
      let candidate = ((place + way) % count + count) % count
      if found.findsWords(searched(candidate)) { return candidate }
    }
    return nil
  }
}
