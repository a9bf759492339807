/// What a player made of the list of a crate, its lines looked up.
package struct EditedList: Hashable, Sendable {
  package enum Line: Hashable, Sendable {
    case song(SongID)
    /// What no song is known for, as it is shown.
    case unknown(String)
  }

  /// Which list a player had before it, when it wrote this one.
  package enum Reading: Hashable, Sendable {
    /// One that it read at any time, and it may write that without being asked to, such as cmus at
    /// its end: one of earlier is an old copy, and no edit.
    case held
    /// One that it read at any time, and the person told it to write that, such as MPD its queue:
    /// an order of earlier is one that is wanted.
    case loaded
    /// The one that was there, as MPD reads a list for each step; unless the list comes from
    /// another machine, where there was an older one.
    case anew
  }

  /// What the list's file is called, which is how people are told of it.
  package var name: String
  package var crate: CrateID
  package var lines: [Line]
  /// The songs of the lists that the player may have read, the oldest first: those that were
  /// written since the last edit was taken, and that edit.
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

  /// What is told of a list of earlier that was saved again.
  package static let oldCopy =
    "this is how it was before, which a player may have had open: the crate stays as it is, and"
    + " `crate undo` takes back what it was changed by"
  /// Lists that were written and may still be what a player shows.
  package static let mostBases = 8
  /// Albums of other crates that one edit may bring: more are a mistake, such as a whole folder
  /// that was added.
  package static let mostArrivals = 10
  /// Songs that may stand apart from their albums in any list, however short, where no more than
  /// half of its albums are split.
  package static let fewAstray = 10
  /// In longer lists, one of so many may.
  package static let oneAstrayOf = 5
  /// The number of blocks beyond one for each album that any list may have: a dragged song is one,
  /// and splits the album into which it was dropped.
  package static let blocksOfDrag = 2

  /// The songs of the lines, where each line is a song and none comes twice.
  package var plainSongs: [SongID]? {
    var songs: [SongID] = []
    for case .song(let id) in lines { songs.append(id) }
    return songs.count == lines.count && Set(songs).count == songs.count ? songs : nil
  }
}

/// What an edited list comes to.
package enum ListVerdict: Sendable {
  /// An edit; without changes where the list asks for none, and then its notes say what of it was
  /// not taken.
  ///
  /// - problem: what the person should do something about.
  case taken(Decision, problem: String?)
  /// The list can't be meant; why.
  case refused(String)
}

/// Songs as a list has them, gathered to albums: an album stands where its largest block of songs
/// is, the first one of equal blocks. By its first song it would move with every song that is
/// dragged up: simulated with 40 albums, half of all drags did.
struct GatheredSongs {
  /// In the order of their largest blocks.
  private(set) var albums: [AlbumID] = []
  /// The songs of each, in the order of the list.
  private(set) var songs: [AlbumID: [SongID]] = [:]
  /// Songs that stand outside the largest block of their album.
  private(set) var astray = 0
  /// Albums that have more than one block.
  private(set) var split = 0
  /// The number of blocks beyond one for each album.
  private(set) var moreBlocks = 0

  /// - Parameter album: nil for songs to be left out, which part no block.
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
