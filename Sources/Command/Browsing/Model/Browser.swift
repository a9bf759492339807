import CratesInterface
package import Terminal

/// The browser as a value: what is known, where the person is and what they are doing. It changes
/// by messages alone, and has no clock and no connection.
package struct Browser: Sendable {
  package internal(set) var columns: Int
  package internal(set) var rows: Int
  package internal(set) var look: Look

  var tables = Tables()
  /// The order as the daemon last told it.
  var confirmed = Order()
  /// The same with what is still on its way.
  var shown = Order()
  /// The last change that was told.
  var sequence = 0
  var link = Link.connecting
  var status = StatusFacts()
  /// Whether all albums have been read.
  var isComplete = false
  /// Whether they are being read, again perhaps; what is told meanwhile waits.
  var isReading = true
  var early: [Interface.Change] = []

  var pending: [PendingEdit] = []
  var lastEdit = 0
  /// The number of the change that each edit came to which put a new album somewhere and may be
  /// taken back.
  var madeChanges: [Int: Int] = [:]

  /// What plays, as the player last said.
  var playing: PlayingFacts?
  /// Whether the player is still to answer.
  package internal(set) var awaitsPlayer = false

  /// Keys that wait for the lists.
  var typedAhead: [Stroke] = []

  var pane = Pane.albums
  var crateList = ListState<CrateID>()
  var albumLists: [CrateID: ListState<AlbumID>] = [:]
  var songLists: [AlbumID: ListState<String>] = [:]
  var songFacts: [String: SongFacts] = [:]
  /// Albums whose songs are known, the last one opened at the end.
  var opened: [AlbumID] = []
  /// The albums of the open crate as they are seen: all, or those that the list is narrowed to.
  var items: [AlbumID] = []
  /// How long they are, in seconds, and where they stand in the crate, if the list is narrowed.
  var itemSeconds = 0.0
  var itemPlaces: [Int] = []
  /// What the crates' rows say.
  var sums: [CrateID: CrateSum] = [:]
  var narrowing: Search?
  var narrowedText = ""

  var mode = Mode.lists
  var isGallery = false
  /// What was picked up and is still where it was.
  var carried: Things?
  var drag: Drag?
  /// The crate on which what is dragged would be put.
  var dropCrate: CrateID?
  var lastTarget: CrateID?
  var found = Search("")
  /// The song to which the cursor goes when the songs of its album are known.
  var wantedSong: String?
  var notice: Notice?
  /// Up to which change the person has seen what came into a crate.
  var looked: [CrateID: Int] = [:]
  /// Albums whose place is where they came in, as the person said.
  var placed: Set<AlbumID> = []
  /// What was said of that in this browser, and whether it still holds.
  var placedHere: [AlbumID: Bool] = [:]
  /// New albums that were left for later.
  var waiting: Set<AlbumID> = []
  /// Where the person was in crates that were not opened yet.
  var remembered: [CrateID: RememberedPlace] = [:]
  /// The crate to be opened first.
  var wantedCrate: String?
  /// What was remembered before, as it was given.
  var formerMemory: String

  var covers = CoverShelf()
  var stage = CoverStage()
  var coverCheck = CoverCheck()

  /// - Parameters:
  ///   - crate: the one to open; nil: the one that was open last.
  ///   - memory: what was remembered, if anything.
  package init(
    columns: Int, rows: Int, look: Look = Look(), crate: String? = nil, memory: String = ""
  ) {
    self.columns = columns
    self.rows = rows
    self.look = look
    formerMemory = memory
    recall(memory)
    if let crate { wantedCrate = crate }
  }

  /// Edits that are not answered yet.
  package var pendingCount: Int { pending.count { $0.state == .sent || $0.state == .waiting } }

  /// The crate that is opened first, as far as it is known now.
  package var firstCrate: String? { wantedCrate }
}

/// What the terminal and its person can see.
package struct Look: Hashable, Sendable {
  package var isASCII: Bool
  /// One column, for screen readers.
  package var isPlain: Bool
  package var covers: CoverWay
  package var cell: CellSize

  package init(
    isASCII: Bool = false, isPlain: Bool = false, covers: CoverWay = .none,
    cell: CellSize = .usual
  ) {
    self.isASCII = isASCII
    self.isPlain = isPlain
    self.covers = covers
    self.cell = cell
  }
}

enum Link: Hashable, Sendable {
  case connecting
  case ready
  case away(String)
}

enum Pane: Int, Hashable, Sendable { case crates, albums, songs }

/// What the person does beside looking at lists.
enum Mode: Hashable, Sendable {
  case lists
  /// - `back`: what goes on after it.
  case help(top: Int, back: Triage?)
  case picking(Picker)
  /// - `in`: the crate of albums that are sorted.
  case sorting(Things, in: CrateID?)
  case finding(Finding)
  case narrowing(former: String, LineInput)
  case renaming(CrateID, LineInput)
  /// How many songs were gone when it was asked.
  case forgetting(Int)
  case playing(Things, back: Finding?)
  case triage(Triage)

  /// Whether letters are text.
  var takesText: Bool {
    switch self {
    case .picking, .finding, .narrowing, .renaming: true
    case .triage(let triage): triage.picker != nil
    default: false
    }
  }
}

/// The mouse with its button down.
struct Drag: Hashable, Sendable {
  var pane: Pane
  /// The row's place in its list when it was pressed.
  var start: Int
  /// What goes along; nil: a range grows.
  var things: Things?
  var hasMoved = false
  /// It is where nothing can be dropped.
  var isOutside = false

  var isMove: Bool { things != nil }
}

/// What all albums of a crate come to, worked out when they change: there may be thousands.
struct CrateSum: Hashable, Sendable {
  /// Up to which change the person has seen what came in; nil: all of it is as good as seen.
  var looked: Int?
  /// How many albums came since.
  var arrived = 0
  /// At least one can be played.
  var isThere = false
}

/// A sentence in the last line.
struct Notice: Hashable, Sendable {
  var text: String
  var isFault = false
  /// What it is about, with which it begins, and the same in fewer words: where there is no room
  /// for all of it, what became of that is still said.
  var subject: String?
  var brief = ""

  /// As much of it as has room.
  func fitted(to width: Int) -> String {
    guard let subject, Widths.of(text) > width else { return text }
    let rest = text.dropFirst(subject.count)
    let room = width - Widths.of(rest)
    if Widths.of(brief) <= room { return brief + rest }
    var start = Substring(brief)
    while !start.isEmpty, Widths.of(start) + 1 > room { start.removeLast() }
    while start.last == " " { start.removeLast() }
    return start.isEmpty ? text : "\(start)…\(rest)"
  }
}
