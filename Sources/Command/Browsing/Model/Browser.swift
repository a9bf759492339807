import CratesInterface
package import Terminal

/// The model of the browser: the library, the cursor and the mode. It changes only by messages, and
/// uses no clock and no connection.
package struct Browser: Sendable {
  package internal(set) var columns: Int
  package internal(set) var rows: Int
  package internal(set) var look: Look

  var tables = Tables()
  /// The order as the daemon last confirmed it.
  var confirmed = Order()
  /// The confirmed order with the pending edits applied.
  var shown = Order()
  /// The sequence of the last change.
  var sequence = 0
  var link = Link.connecting
  var status = StatusFacts()
  /// Whether all albums are loaded.
  var isComplete = false
  /// Whether all albums are being read, for the first time or again. Changes are queued meanwhile.
  var isReading = true
  var early: [Interface.Change] = []

  var pending: [PendingEdit] = []
  var lastEdit = 0
  /// The change made by each edit that put a new album somewhere. Used to undo that edit.
  var madeChanges: [Int: Int] = [:]

  /// What plays, as the player last reported.
  var playing: PlayingFacts?
  /// Whether a request to the player is pending.
  package internal(set) var awaitsPlayer = false

  /// The keys that are queued until the lists are loaded.
  var typedAhead: [Stroke] = []

  var pane = Pane.albums
  var crateList = ListState<CrateID>()
  var albumLists: [CrateID: ListState<AlbumID>] = [:]
  var songLists: [AlbumID: ListState<String>] = [:]
  var songFacts: [String: SongFacts] = [:]
  /// The albums whose songs are loaded, the last opened one at the end.
  var opened: [AlbumID] = []
  /// The visible albums of the open crate: all, or those that match the narrowing.
  var items: [AlbumID] = []
  /// The total length of `items` in seconds, and their rows in the crate if the list is narrowed.
  var itemSeconds = 0.0
  var itemPlaces: [Int] = []
  /// What the rows of the crates show.
  var sums: [CrateID: CrateSum] = [:]
  var narrowing: Search?
  var narrowedText = ""

  var mode = Mode.lists
  var isGallery = false
  /// The items that were picked up, which are still in their former place.
  var carried: Things?
  var drag: Drag?
  /// The drop target of a drag.
  var dropCrate: CrateID?
  var lastTarget: CrateID?
  var found = Search("")
  /// The song to which the cursor goes when the songs of its album are loaded.
  var wantedSong: String?
  var notice: Notice?
  /// The sequence up to which the user has seen the arrivals of each crate.
  var looked: [CrateID: Int] = [:]
  /// The albums that the user confirmed to be in their place where they arrived.
  var placed: Set<AlbumID> = []
  /// The decisions made in this browser: whether each album is placed.
  var placedHere: [AlbumID: Bool] = [:]
  /// The new albums that were left for later.
  var waiting: Set<AlbumID> = []
  /// The remembered places of crates that were not opened yet.
  var remembered: [CrateID: RememberedPlace] = [:]
  /// The crate to open first.
  var wantedCrate: String?
  /// The former state, as it was given.
  var formerMemory: String

  var covers = CoverShelf()
  var stage = CoverStage()
  var coverCheck = CoverCheck()

  /// - Parameters:
  ///   - crate: The crate to open; nil: the one that was open last.
  ///   - memory: The remembered state, or an empty text.
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

  /// The number of edits without an answer.
  package var pendingCount: Int { pending.count { $0.state == .sent || $0.state == .waiting } }

  /// The crate to open first, if it is known yet.
  package var firstCrate: String? { wantedCrate }
}

/// The display capabilities of the terminal and the settings of the user.
package struct Look: Hashable, Sendable {
  package var isASCII: Bool
  /// Whether to use one column, for screen readers.
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

/// The mode of the browser.
enum Mode: Hashable, Sendable {
  case lists
  /// - `back`: the triage to return to.
  case help(top: Int, back: Triage?)
  case picking(Picker)
  /// - `in`: the crate of the albums to sort.
  case sorting(Things, in: CrateID?)
  case finding(Finding)
  case narrowing(former: String, LineInput)
  case renaming(CrateID, LineInput)
  /// The number of gone songs when the question was asked.
  case forgetting(Int)
  case playing(Things, back: Finding?)
  case triage(Triage)

  /// Whether letters are text in this mode.
  var takesText: Bool {
    switch self {
    case .picking, .finding, .narrowing, .renaming: true
    case .triage(let triage): triage.picker != nil
    default: false
    }
  }
}

/// A drag with the mouse button down.
struct Drag: Hashable, Sendable {
  var pane: Pane
  /// The row in the list at which the button was pressed.
  var start: Int
  /// The items to move; nil if the drag selects a range.
  var things: Things?
  var hasMoved = false
  /// Whether the pointer is where nothing can be dropped.
  var isOutside = false

  var isMove: Bool { things != nil }
}

/// The sums over a crate's albums. Cached, because a crate may have thousands of albums.
struct CrateSum: Hashable, Sendable {
  /// The sequence up to which the user has seen the arrivals; nil if none count as new.
  var looked: Int?
  /// The number of albums that arrived since.
  var arrived = 0
  /// Whether at least one album is present.
  var isThere = false
}

/// A sentence in the last line.
struct Notice: Hashable, Sendable {
  var text: String
  var isFault = false
  /// The subject with which the text begins, and a shorter form of it. If the line is too short,
  /// the subject is shortened so that the outcome stays readable.
  var subject: String?
  var brief = ""

  /// Returns as much of the text as fits.
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
