/// A list from another program.
package struct ImportedList: Hashable, Sendable {
  package var name: String
  /// The folders that contain the list in the other program, the outermost first.
  package var folders: [String] = []
  package var songs: [WantedSong] = []
  /// False for a list without an order, such as Mixxx's crates.
  package var isOrdered = true
  /// False if the encoding of its names is a guess.
  package var isDecoded = true

  package init(name: String) { self.name = name }
}

/// A list that is not imported because it isn't the user's work.
package struct LeftOutList: Hashable, Sendable {
  package enum Reason: String, Sendable {
    case smart = "a smart list: the program fills it by rules"
    case automatic = "the program made it by itself"
    case history = "a history of what was played"
    case queue = "a queue"
    case hidden = "hidden or closed there"
  }

  package var name: String
  package var reason: Reason

  package init(name: String, reason: Reason) {
    self.name = name
    self.reason = reason
  }
}

/// The lists in a file, in its order.
package struct ListFile: Hashable, Sendable {
  package var lists: [ImportedList] = []
  package var leftOut: [LeftOutList] = []

  package init() {}

  package init(_ list: ImportedList) { lists = [list] }

  init(leaving list: LeftOutList) { leftOut = [list] }
}

/// The reason why a file can't be read as lists. Nothing of the file is used then.
package struct ListFault: Error, Hashable, CustomStringConvertible {
  package enum Place: Hashable, Sendable {
    /// From 1.
    case line(Int)
    /// In bytes, from 0.
    case offset(Int)
    case file
  }

  package var place: Place
  /// The error at this place, without a full stop.
  package var reason: String
  /// Whether the file could not be read at all.
  package var isUnreadable: Bool

  /// - Parameter reason: The reason, which may quote the file; control characters are replaced.
  package init(_ place: Place, _ reason: String, isUnreadable: Bool = false) {
    self.place = place
    var line = String.UnicodeScalarView()
    for scalar in reason.unicodeScalars {
      line.append(scalar.properties.generalCategory == .control ? "\u{FFFD}" : scalar)
    }
    self.reason = String(line)
    self.isUnreadable = isUnreadable
  }

  package var description: String {
    switch place {
    case .line(let line): "line \(line): \(reason)"
    case .offset(let offset): "byte \(offset): \(reason)"
    case .file: reason
    }
  }
}

/// Limits for files of other programs. A file beyond a limit is refused as a whole, since a partly
/// imported list would look complete.
package enum ListLimits {
  /// The most bytes of a file that is read into memory. iTunes writes 140 MiB for 100,000 songs.
  package static let bytes = 256 << 20
  /// The most songs of all lists of a file; a song counts once for each list.
  package static let songs = 1_000_000
  /// The most lists of one file, including those that are left out.
  package static let lists = 100_000
  /// The greatest depth of nested elements.
  static let depth = 64
  /// The most attributes of one element.
  static let attributes = 256
  /// The most bytes of a tag or comment of XML, which bounds the time to parse it.
  static let tag = 4 << 20
  /// The most steps of SQLite's virtual machine for one statement: a few seconds, a hundred times
  /// what a large database needs.
  static let databaseSteps = 1_000_000_000
}

/// Counts songs and lists. Throws a `ListFault` at the first one beyond `ListLimits`.
struct ListCount {
  private var songs = 0
  private var lists = 0

  mutating func addSong() throws(ListFault) {
    songs += 1
    if songs > ListLimits.songs {
      throw ListFault(.file, "its lists have more than 1,000,000 songs; take them over in parts")
    }
  }

  mutating func addList() throws(ListFault) {
    lists += 1
    if lists > ListLimits.lists {
      throw ListFault(.file, "it has more than 100,000 lists; take them over in parts")
    }
  }
}
