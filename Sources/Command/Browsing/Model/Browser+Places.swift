import Ordering
import Text

/// The cursor's place, and the text that describes it.
extension Browser {
  var currentCrate: CrateID? { crateList.cursor }

  var albumList: ListState<AlbumID> {
    get { currentCrate.flatMap { albumLists[$0] } ?? ListState() }
    set { if let crate = currentCrate { albumLists[crate] = newValue } }
  }

  /// The album under the cursor of the open crate.
  var currentAlbum: AlbumID? {
    guard let cursor = albumList.cursor ?? items.first else { return nil }
    return shown.home(of: cursor) == nil ? nil : cursor
  }

  /// The album whose cover and songs are shown.
  var lookedAtAlbum: AlbumID? {
    switch mode {
    case .triage(let triage): return triage.current
    // While songs are in front, they stay those of the current album.
    case .finding(let finding) where pane != .songs:
      return finding.chosenThing?.album ?? currentAlbum
    default: return currentAlbum
    }
  }

  var songs: [String] { lookedAtAlbum.flatMap { shown.songs[$0] } ?? [] }

  var songList: ListState<String> {
    get { currentAlbum.flatMap { songLists[$0] } ?? ListState(cursor: songs.first) }
    set { if let album = currentAlbum { songLists[album] = newValue } }
  }

  var isTriage: Bool { if case .triage = mode { true } else { false } }

  // MARK: Arrivals

  /// The number of albums that arrived in a crate since the user last viewed it.
  func arrived(in crate: CrateID) -> Int { sums[crate]?.arrived ?? 0 }

  func isNew(_ album: AlbumID) -> Bool {
    shown.home(of: album).map { isNew(album, since: sums[$0]?.looked) } ?? false
  }

  /// Whether the album arrived since then or was left for later, and the user has not placed it
  /// yet.
  private func isNew(_ album: AlbumID, since looked: Int?) -> Bool {
    let hasCome = looked.map { tables.came(album) > $0 } ?? false
    return (hasCome || !waiting.isEmpty && waiting.contains(album))
      && !tables.isMoved(album) && !placed.contains(album)
  }

  /// Recomputes what the rows of the crates show.
  mutating func sumUp() {
    var sums: [CrateID: CrateSum] = [:]
    for crate in shown.crates {
      var sum = CrateSum(looked: looked[crate])
      for album in shown[crate] {
        if isNew(album, since: sum.looked) { sum.arrived += 1 }
        if tables.isThere(album) { sum.isThere = true }
      }
      sums[crate] = sum
    }
    self.sums = sums
  }

  /// Called before another crate is opened. Marks the albums of the current one as seen.
  mutating func leaveCrate() {
    guard isComplete, let crate = currentCrate else { return }
    looked[crate] = sequence
    sumUp()
  }

  /// Starts to count arrivals in crates that were never viewed.
  mutating func beginLooking() {
    for crate in shown.crates where looked[crate] == nil { looked[crate] = sequence }
  }

  // MARK: Sentences

  var awaySentence: String {
    switch link {
    case .away(let reason): "crated \(reason)"
    case .connecting: "crated does not answer yet"
    case .ready: ""
    }
  }
}

/// The remembered cursor and scroll position of a crate.
struct RememberedPlace: Hashable, Sendable {
  var cursor: String?
  var top: String?
}

extension Browser {
  private static let heading = "crated browse 1"
  /// The most bytes to remember; crates beyond that open at their top.
  package static let memoryMost = 256 << 10

  /// The state to restore in the next browser, as lines of words with names at their ends. Until
  /// crates are loaded it is the former state.
  package var memory: String {
    if shown.crates.isEmpty, !isComplete { return formerMemory }
    var text = Self.heading + "\n"
    if let crate = currentCrate, shown.contains(crate) {
      text += "open \(shown.name(of: crate))\n"
    }
    if isGallery { text += "gallery\n" }
    for crate in shown.crates {
      let name = shown.name(of: crate)
      var place = remembered[crate] ?? RememberedPlace()
      if let state = albumLists[crate], let cursor = state.cursor {
        place = RememberedPlace(cursor: tables[cursor].id, top: state.top.map { tables[$0].id })
      }
      let seen = crate == currentCrate && isComplete ? sequence : looked[crate]
      let line =
        "crate \(seen.map(String.init) ?? "-") \(place.cursor ?? "-") \(place.top ?? "-") \(name)\n"
      if text.utf8.count + line.utf8.count > Self.memoryMost { break }
      text += line
    }
    // An album that has been moved needs no record of its own. This can be checked only after all
    // albums are loaded.
    let placed = placed.filter {
      !isComplete || shown.home(of: $0) != nil && !tables.isMoved($0)
    }
    var left = waiting
    if case .triage(let triage) = mode { left.formUnion(triage.queue) }
    left = left.filter { isComplete ? isNew($0) : waiting.contains($0) }
    for (word, albums) in [("placed", placed), ("new", left)] {
      for id in albums.map({ tables[$0].id }).sorted() {
        let line = "\(word) \(id)\n"
        if text.utf8.count + line.utf8.count > Self.memoryMost { break }
        text += line
      }
    }
    return text
  }

  /// Merges the state that other browsers have written, before this one writes.
  package mutating func join(_ memory: String) {
    guard memory.hasPrefix("\(Self.heading)\n") else { return }
    formerMemory = memory
    let (mine, crate, gallery) = (looked, wantedCrate, isGallery)
    placed = []
    recall(memory)
    (wantedCrate, isGallery) = (crate, gallery)
    looked.merge(mine) { max($0, $1) }
    for (album, isPlaced) in placedHere {
      if isPlaced { placed.insert(album) } else { placed.remove(album) }
    }
    // For crates that were opened here, this browser's places win.
    for (crate, list) in albumLists where list.cursor != nil { remembered[crate] = nil }
    sumUp()
  }

  /// Restores the state. Ignores lines that it can't read.
  mutating func recall(_ memory: String) {
    var lines = memory.split(separator: "\n")[...]
    guard lines.popFirst().map(String.init) == Self.heading else { return }
    for line in lines {
      let words = line.split(separator: " ", maxSplits: 4)
      switch words.first {
      case "open": wantedCrate = String(line.dropFirst("open ".count))
      case "gallery": isGallery = true
      case "placed": if words.count == 2 { placed.insert(tables.number(ofAlbum: String(words[1]))) }
      case "new": if words.count == 2 { waiting.insert(tables.number(ofAlbum: String(words[1]))) }
      case "crate":
        guard words.count == 5 else { continue }
        let crate = tables.number(ofCrate: String(words[4]))
        func word(_ place: Int) -> String? { words[place] == "-" ? nil : String(words[place]) }
        remembered[crate] = RememberedPlace(cursor: word(2), top: word(3))
        looked[crate] = Int(words[1])
      default: continue
      }
    }
  }
}

/// Texts for the user.
enum Words {
  /// For example `1 album` or `3 albums`.
  static func count(_ count: Int, _ one: String) -> String {
    "\(number(count)) \(one)\(count == 1 ? "" : "s")"
  }

  /// Capitalizes the first letter, as the last line shows sentences.
  static func sentence(_ text: String) -> String {
    guard let first = text.first, first.isASCII, first.isLowercase else { return text }
    return first.uppercased() + text.dropFirst()
  }

  /// For example `12,345`.
  static func number(_ number: Int) -> String {
    if number < 1_000 { return String(number) }
    let rest = String(number % 1_000)
    return "\(self.number(number / 1_000)),\(String(repeating: "0", count: 3 - rest.count))\(rest)"
  }

  /// For example `3:07` or `1:02:03`; empty if the duration is unknown.
  static func duration(_ seconds: Double) -> String {
    guard seconds > 0, seconds < 1e9 else { return "" }
    let whole = Int(seconds.rounded())
    func two(_ number: Int) -> String { number < 10 ? "0\(number)" : String(number) }
    let (hours, minutes, rest) = (whole / 3600, whole / 60 % 60, whole % 60)
    return hours > 0 ? "\(hours):\(two(minutes)):\(two(rest))" : "\(minutes):\(two(rest))"
  }

  /// For example `71 h`, `2 h 31 min` or `45 min`.
  static func length(_ seconds: Double) -> String {
    guard seconds > 0, seconds < 1e12 else { return "" }
    let minutes = Int((seconds / 60).rounded())
    if minutes < 120 { return "\(minutes) min" }
    if minutes >= 600 { return "\(number((minutes + 30) / 60)) h" }
    let rest = minutes % 60
    return rest == 0 ? "\(minutes / 60) h" : "\(minutes / 60) h \(rest) min"
  }
}
