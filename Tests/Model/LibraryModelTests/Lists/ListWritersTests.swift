import TestSupport
import Testing

@testable import LibraryModel

/// Players that edit the lists of three crates, as each of them does, while the person goes on
/// moving albums; against the plainest model of what must come of it.
@Suite("Players at work", .limited)
struct ListWritersTests {
  /// Who writes, by what it knows of the list and does to what it doesn't.
  enum Writer: CaseIterable {
    /// Reads the list anew for each step.
    case mpd
    /// Has the list that it read at its start, or that was opened in it: cmus, Strawberry, VLC,
    /// Mixxx.
    case copier
    /// Reads what is there now and then, and has songs alone: Jellyfin.
    case scanner
  }

  /// How many edits of each writer.
  private static let edits = Effort.runs(400, nightly: 10_000)
  private var random = SeededGenerator(usually: 73)
  private var music: ListedMusic
  /// What the writer has in memory.
  private var held: [String: [SongID]] = [:]
  private let songs: Set<SongID>
  private static let crates = ["Jazz", "Rock", "Pop"]
  /// How often each kind of outcome came, so that none is left out.
  private var seen: [String: Int] = [:]

  init() throws {
    music = try ListedMusic([
      ("Jazz", [3, 5, 2, 8, 1, 4, 6, 3]), ("Rock", [4, 4, 4, 4, 4]), ("Pop", [1, 1, 2, 12, 3, 3]),
    ])
    songs = Set(Self.crates.flatMap(music.list))
  }

  private mutating func below(_ limit: Int) -> Int { Int.random(in: 0..<limit, using: &random) }

  private mutating func edited(_ list: [SongID], in crate: String) -> [SongID] {
    var list = list
    if list.isEmpty { return list }
    let library = music.library
    switch below(9) {
    case 0, 1: list.move(below(list.count), to: below(list.count))
    case 2, 3:
      // An album song by song to a place, as playlistmove does.
      guard let album = library.songs[list[below(list.count)]]?.album else { break }
      let block = list.filter { library.songs[$0]?.album == album }
      list.removeAll { library.songs[$0]?.album == album }
      list.insert(contentsOf: block, at: below(list.count + 1))
    case 4: list.remove(at: below(list.count))
    case 5: list.removeSubrange(below(list.count)...)
    case 6:
      let others = music.library.crates.flatMap { $0.name == crate ? [] : Array($0.albums) }
      if others.isEmpty { break }
      list += music.songs(of: others[below(others.count)])
    case 7: list.append(list[below(list.count)])
    default: if below(4) == 0 { list.shuffle(using: &random) }
    }
    return list
  }

  private mutating func move() throws {
    let albums = music.library.crates.flatMap { Array($0.albums) }
    let crate = Self.crates[below(Self.crates.count)]
    try music.edit(.moveAlbums([albums[below(albums.count)]], .top, crate: crate))
  }

  /// Every song is in its album and every album in one crate: nothing was lost or doubled.
  private func expectWhole(_ comment: Comment) {
    let library = music.library
    var found: [SongID] = []
    for crate in library.crates {
      for id in crate.albums {
        #expect(library.albums[id]?.crate == crate.id, comment)
        found += music.songs(of: id)
      }
    }
    #expect(found.count == songs.count, comment)
    #expect(Set(found) == songs, comment)
  }

  /// What a list that is contiguous and complete must come to: exactly itself.
  private func isPlain(_ list: [SongID], of crate: String) -> Bool {
    let library = music.library
    var ended: Set<AlbumID> = []
    var last: AlbumID?
    for song in list {
      guard let album = library.songs[song]?.album else { return false }
      if album != last, let last { ended.insert(last) }
      if ended.contains(album) { return false }
      last = album
    }
    return Set(list) == Set(music.list(crate)) && list.count == Set(list).count
  }

  @Test(
    "after many edits of each nothing is lost, and what was written is never an edit",
    arguments: Writer.allCases)
  mutating func many(writer: Writer) throws {
    for round in 0..<Self.edits {
      let comment: Comment = "\(random), \(writer), round \(round)"
      if below(3) == 0 {
        try move()
        music.removeLists()
        // At times the list is edited before it is written.
        if below(2) == 0 { for name in music.library.crates.map(\.name) { music.write(name) } }
        expectWhole(comment)
      }
      let crates = music.library.crates.map(\.name)
      let crate = crates[below(crates.count)]
      let isFresh = writer == .mpd || held[crate] == nil
      if isFresh || below(writer == .scanner ? 2 : 5) == 0 {
        held[crate] = music.bases[crate]?.last
      }
      guard let read = held[crate] else { continue }
      let list = edited(read, in: crate)
      held[crate] = list
      let isPlain = isPlain(list, of: crate)
      let bases = music.bases[crate] ?? []
      let isNewest = bases.last == music.list(crate)
      let before = music.library
      guard let decision = try music.take(list, crate, writer == .mpd ? .anew : .held) else {
        seen["refused", default: 0] += 1
        continue
      }
      seen[decision.changes.isEmpty ? "nothing" : "taken", default: 0] += 1
      let nearest = nearestBase(of: list, among: bases) { before.songs[$0]?.album }
      let isOfNewest = writer == .mpd || nearest == bases.last
      if isPlain, isNewest, isOfNewest {
        #expect(music.list(crate) == list, comment)
        seen["exact", default: 0] += 1
      }
      expectWhole(comment)
      expectRelativeOrder(before, decision, comment)
      // Written again, and read again, by whomever: no edit. Twice the same one: none, either.
      #expect(try music.take(list, crate)?.changes == [], comment)
      music.removeLists()
      for name in music.library.crates.map(\.name) {
        music.write(name)
        let written = music.list(name).map { EditedList.Line.song($0) }
        #expect(try music.verdict(written, name).decision?.changes == [], comment)
      }
    }
    for outcome in ["refused", "nothing", "taken", "exact"] {
      #expect(seen[outcome, default: 0] > Self.edits / 100, "\(random): \(seen)")
    }
  }

  /// Albums that the edit did not name keep their order.
  private func expectRelativeOrder(_ before: Library, _ decision: Decision, _ comment: Comment) {
    var moved: Set<AlbumID> = []
    for case .albumMoved(let id, _, _, _, _) in decision.changes { moved.insert(id) }
    for crate in decision.library.crates {
      let old = before.crate(crate.id).map { Array($0.albums) } ?? []
      let rest = Array(crate.albums).filter { !moved.contains($0) }
      #expect(rest == old.filter { !moved.contains($0) }, comment)
    }
  }
}
