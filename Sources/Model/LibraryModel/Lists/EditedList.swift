/// A player's edited version of a crate's list, with its lines matched to songs.
package struct EditedList: Hashable, Sendable {
  package enum Line: Hashable, Sendable {
    case song(SongID)
    /// A line that matches no song, as it is displayed.
    case unknown(String)
  }

  /// The version of the list that the player had read when it wrote this one.
  package enum Reading: Hashable, Sendable {
    /// Any version, written without being asked to, as cmus does at exit. An earlier version is
    /// then an old copy and no edit.
    case held
    /// Any version, written on the user's request, as when MPD saves its queue. An earlier order is
    /// then wanted.
    case loaded
    /// The current version, as MPD reads a list for each step. If the list comes from another
    /// machine, it may have had an older version.
    case anew
  }

  /// The name of the list's file, for messages.
  package var name: String
  package var crate: CrateID
  package var lines: [Line]
  /// The songs of the versions that the player may have read, oldest first: the last accepted edit,
  /// and the versions written since.
  package var bases: [[SongID]]
  package var reading: Reading

  package init(
    name: String, crate: CrateID, lines: [Line], bases: [[SongID]], _ reading: Reading = .held
  ) {
    self.name = name
    self.crate = crate
    self.lines = lines
    self.bases = bases
    self.reading = reading
  }

  /// The message about an earlier version that was saved again.
  package static let oldCopy =
    "this is how it was before, which a player may have had open: the crate stays as it is, and"
    + " `crate undo` takes back what it was changed by"
  /// The number of written versions that a player may still show.
  package static let mostBases = 8
  /// The most albums of other crates that one edit may add. More are assumed to be a mistake, such
  /// as adding a whole folder.
  package static let mostArrivals = 10
  /// The number of songs that may be separated from their albums in any list, however short, if at
  /// most half of its albums are split.
  package static let fewAstray = 10
  /// The share of a longer list's songs that may be separated: one in this many.
  package static let oneAstrayOf = 5
  /// The number of blocks beyond one per album that any list may have. A dragged song is one, and
  /// splits the album into which it was dropped.
  package static let blocksOfDrag = 2

  /// The songs of the lines, if each line is a song and none is repeated.
  package var plainSongs: [SongID]? {
    var songs: [SongID] = []
    for case .song(let id) in lines { songs.append(id) }
    return songs.count == lines.count && Set(songs).count == songs.count ? songs : nil
  }
}

/// The result of an edited list.
package enum ListVerdict: Sendable {
  /// The list was accepted as an edit. If it changes nothing, the notes say what was ignored.
  ///
  /// - problem: a problem that the user should fix.
  case taken(Decision, problem: String?)
  /// The list is invalid, with the reason.
  case refused(String)
}

/// The songs of a list gathered to albums. An album stands where its largest block of songs is, the
/// first one of equal blocks. If its first song determined the place, the album would move with
/// every song that is dragged up: in a simulation with 40 albums, half of all drags moved one.
struct GatheredSongs {
  /// The albums in the order of their largest blocks.
  private(set) var albums: [AlbumID] = []
  /// The songs of each album, in the order of the list.
  private(set) var songs: [AlbumID: [SongID]] = [:]
  /// The number of songs outside the largest block of their album.
  private(set) var astray = 0
  /// The number of albums that have more than one block.
  private(set) var split = 0
  /// The number of blocks beyond one per album.
  private(set) var moreBlocks = 0

  /// - Parameter album: returns nil for songs that are ignored, which don't split a block.
  init(_ list: [SongID], album: (SongID) -> AlbumID?) {
    var blocks: [(album: AlbumID, count: Int)] = []
    for song in list {
      guard let id = album(song) else { continue }
      songs[id, default: []].append(song)
      if blocks.last?.album == id {
        blocks[blocks.count - 1].count += 1
      } else {
        blocks.append((id, 1))
      }
    }
    var largest: [AlbumID: (place: Int, count: Int)] = [:]
    for (place, block) in blocks.enumerated()
    where block.count > largest[block.album]?.count ?? 0 {
      largest[block.album] = (place, block.count)
    }
    albums = largest.ascending(by: \.value.place).map(\.key)
    astray = songs.map { $1.count - (largest[$0]?.count ?? 0) }.reduce(0, +)
    split = Dictionary(grouping: blocks, by: \.album).values.count { $0.count > 1 }
    moreBlocks = blocks.count - albums.count
  }
}
