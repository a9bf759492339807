import Ordering
import Text

/// Where the person is, and what is said of it.
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

  /// The one whose cover and songs are seen.
  var lookedAtAlbum: AlbumID? {
    switch mode {
    case .triage(let triage): return triage.current
    // The songs in front are those of one album.
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

  /// Albums that came into a crate since the person looked at it.
  func arrived(in crate: CrateID) -> Int { sums[crate]?.arrived ?? 0 }

  func isNew(_ album: AlbumID) -> Bool {
    shown.home(of: album).map { isNew(album, since: sums[$0]?.looked) } ?? false
  }

  /// It came since then, or was left for later, and nothing was said of its place.
  private func isNew(_ album: AlbumID, since looked: Int?) -> Bool {
    let hasCome = looked.map { tables.came(album) > $0 } ?? false
    return (hasCome || !waiting.isEmpty && waiting.contains(album))
      && !tables.isMoved(album) && !placed.contains(album)
  }

  /// Works out anew what the crates' rows say.
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

  /// The person turns to another crate, and has seen what was there.
  mutating func leaveCrate() {
    guard isComplete, let crate = currentCrate else { return }
    looked[crate] = sequence
    sumUp()
  }

  /// What came into a crate counts from now on, if it didn't yet.
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

/// What a person comes back to in a crate.
struct RememberedPlace: Hashable, Sendable {
  var cursor: String?
  var top: String?
}

extension Browser {
  private static let heading = "crated browse 1"
  /// Bytes of what is remembered; crates beyond that open at their top.
  package static let memoryMost = 256 << 10

  /// Where the person is, to be given to the next browser. Lines of words; names are at their end.
  /// As long as no crates came it is what was remembered before.
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
    // One that was moved since is known by that; before all albums are read nothing is.
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

  /// Takes in what other browsers have written since, before this one writes.
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
    // Where one was is known of crates that were opened here.
    for (crate, list) in albumLists where list.cursor != nil { remembered[crate] = nil }
    sumUp()
  }

  /// Takes what can be read of it; the rest is as if it had never been.
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

/// Words for people.
enum Words {
  /// `1 album`, `3 albums`
  static func count(_ count: Int, _ one: String) -> String {
    "\(number(count)) \(one)\(count == 1 ? "" : "s")"
  }

  /// With a capital letter, as the last line has sentences.
  static func sentence(_ text: String) -> String {
    guard let first = text.first, first.isASCII, first.isLowercase else { return text }
    return first.uppercased() + text.dropFirst()
  }

  /// `12,345`
  static func number(_ number: Int) -> String {
    if number < 1_000 { return String(number) }
    let rest = String(number % 1_000)
    return "\(self.number(number / 1_000)),\(String(repeating: "0", count: 3 - rest.count))\(rest)"
  }

  /// `3:07`, `1:02:03`; empty where it is not known.
  static func duration(_ seconds: Double) -> String {
    guard seconds > 0, seconds < 1e9 else { return "" }
    let whole = Int(seconds.rounded())
    func two(_ number: Int) -> String { number < 10 ? "0\(number)" : String(number) }
    let (hours, minutes, rest) = (whole / 3600, whole / 60 % 60, whole % 60)
    return hours > 0 ? "\(hours):\(two(minutes)):\(two(rest))" : "\(minutes):\(two(rest))"
  }

  /// `71 h`, `2 h 31 min`, `45 min`
  static func length(_ seconds: Double) -> String {
    guard seconds > 0, seconds < 1e12 else { return "" }
    let minutes = Int((seconds / 60).rounded())
    if minutes < 120 { return "\(minutes) min" }
    if minutes >= 600 { return "\(number((minutes + 30) / 60)) h" }
    let rest = minutes % 60
    return rest == 0 ? "\(minutes / 60) h" : "\(minutes / 60) h \(rest) min"
  }
}
