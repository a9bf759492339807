import ModelSupport
import TestSupport
import Testing

@testable import LibraryModel

/// Each row of what a list may have become.
@Suite("A list that a player edited", .limited)
struct TakingListTests {
  private var music: ListedMusic

  init() throws {
    music = try ListedMusic([
      ("Jazz", [3, 4, 1, 5, 2, 3, 4, 6]), ("Rock", [2, 3]), ("Pop", Array(repeating: 2, count: 12)),
    ])
  }

  private func lines(_ songs: [SongID]) -> [EditedList.Line] { songs.map { .song($0) } }

  private func crates() -> [[AlbumID]] { music.library.crates.map { Array($0.albums) } }

  @Test("albums in another order are exactly that order, by the fewest moves, in one change")
  mutating func reordered() throws {
    var albums = music.albums("Jazz")
    albums.move(6, to: 1)
    albums.move(0, to: 4)
    let goal = albums.flatMap { music.songs(of: $0) }
    let decision = try #require(try music.take(goal, "Jazz"))
    #expect(music.albums("Jazz") == albums)
    #expect(music.list("Jazz") == goal)
    #expect(decision.transaction.origin == "Jazz.m3u")
    #expect(decision.transaction.author == .person)
    #expect(decision.transaction.sentence == "Album 25 and Album 1 are in Jazz, at 1 and 5 of 8")
    #expect(decision.transaction.notes.isEmpty)
    #expect(decision.changes.count { if case .albumMoved = $0 { true } else { false } } == 2)
  }

  @Test("a song that moved inside its album is there, and no album moves")
  mutating func songInside() throws {
    var list = music.list("Jazz")
    list.move(3, to: 6)
    let albums = music.albums("Jazz")
    let decision = try #require(try music.take(list, "Jazz"))
    #expect(music.list("Jazz") == list)
    #expect(music.albums("Jazz") == albums)
    #expect(decision.transaction.sentence == "Song 6 is at the bottom of Album 5 (4 of 4)")
    #expect(decision.transaction.origin == "Jazz.m3u")
    #expect(music.library.albums[albums[1]]?.isArranged == true)
  }

  @Test("what was not changed is no change, whatever the crate is by now")
  mutating func unchanged() throws {
    let list = music.list("Jazz")
    #expect(try music.verdict(lines(list), "Jazz").decision?.changes == [])
    try music.edit(.moveAlbums([music.albums("Jazz")[5]], .top, crate: nil))
    let moved = music.albums("Jazz")
    // The player has not read what is written meanwhile.
    for _ in 0..<2 {
      #expect(try music.verdict(lines(list), "Jazz").decision?.changes == [])
      music.write("Jazz")
    }
    #expect(music.albums("Jazz") == moved)
  }

  @Test("an album stands where its largest block of songs is, and its songs as the list has them")
  mutating func astray() throws {
    let albums = music.albums("Jazz")
    var list = music.list("Jazz")
    // A song of the fourth album to the very top.
    let song = music.songs(of: albums[3])[2]
    list.move(try #require(list.firstIndex(of: song)), to: 0)
    let decision = try #require(try music.take(list, "Jazz"))
    #expect(music.albums("Jazz") == albums)
    #expect(music.songs(of: albums[3]).first == song)
    #expect(decision.transaction.notes.first?.hasPrefix("1 song stood apart") == true)
    // Most of it to the top.
    list = music.list("Jazz")
    let part = Array(music.songs(of: albums[3]).dropFirst(2))
    list = part + list.filter { !part.contains($0) }
    try music.take(list, "Jazz")
    #expect(music.albums("Jazz") == [albums[3]] + albums[..<3] + albums[4...])
    #expect(music.songs(of: albums[3]).prefix(3) == part[...])
  }

  @Test("what is gone goes with what stands above it")
  mutating func goneOnes() throws {
    let albums = music.albums("Jazz")
    let (first, rest) = (music.songs(of: albums[0]), albums.dropFirst(2))
    let gone = [first[1]] + music.songs(of: albums[1])
    for song in gone { try music.apply(.songGone(song, Traits())) }
    music.write("Jazz")
    // The first song of the first album to its end, and that album behind the third one.
    let third = music.songs(of: albums[2])
    let others = rest.dropFirst().flatMap { music.songs(of: $0) }
    try music.take(third + [first[2], first[0]] + others, "Jazz")
    #expect(
      music.library.albums[albums[0]].map(music.library.members) == [2, 0, 1].map { first[$0] })
    #expect(music.albums("Jazz") == [albums[2], albums[0], albums[1]] + rest.dropFirst())
  }

  @Test("two halves are where the first one is")
  mutating func halves() throws {
    let albums = music.albums("Jazz")
    let half = music.songs(of: albums[6]).suffix(2)
    try music.take(half + music.list("Jazz").filter { !half.contains($0) }, "Jazz")
    #expect(music.albums("Jazz").first == albums[6])
  }

  @Test("shuffled, or sorted by another order, it is refused whole")
  mutating func refused() throws {
    var random = SeededGenerator(usually: 71)
    for _ in 0..<50 {
      let shuffled = music.list("Jazz").shuffled(using: &random)
      #expect(try music.verdict(lines(shuffled), "Jazz").refusal != nil, "\(random)")
    }
    // By track: every album is split, and hardly a song is beside another one of its album.
    let library = music.library
    let byTrack = music.list("Jazz").sorted {
      (library.songs[$0]?.track ?? 0, $0) < (library.songs[$1]?.track ?? 0, $1)
    }
    let reason = try #require(try music.verdict(lines(byTrack), "Jazz").refusal)
    #expect(reason == "it mixes the songs of 7 albums")
  }

  @Test("a tenth of a long list astray is no reason to refuse it")
  mutating func manyAstray() throws {
    music = try ListedMusic([("Jazz", Array(repeating: 10, count: 20))])
    let albums = music.albums("Jazz")
    var list = music.list("Jazz")
    for album in albums.prefix(9) {
      let song = music.songs(of: album)[0]
      list.removeAll { $0 == song }
      list.append(song)
    }
    #expect(try music.verdict(lines(list), "Jazz").refusal == nil)
    // More than half of the albums, or a fifth of the songs, is.
    for album in albums[9...10] {
      let song = music.songs(of: album)[0]
      list.removeAll { $0 == song }
      list.append(song)
    }
    #expect(try music.verdict(lines(list), "Jazz").refusal != nil)
  }

  @Test("songs that are missing are put back where they were", arguments: [1, 5, 20])
  mutating func missing(count: Int) throws {
    let before = music.list("Jazz")
    var list = before
    list.removeSubrange(2..<(2 + count))
    let decision = try #require(try music.verdict(lines(list), "Jazz").decision)
    #expect(decision.changes.isEmpty)
    #expect(decision.transaction.notes.first?.hasPrefix("put back \(count) song") == true)
    // The same with a move beside it.
    let last = music.albums("Jazz")[7]
    let songs = music.songs(of: last)
    list = songs + list.filter { !songs.contains($0) }
    try music.take(list, "Jazz")
    #expect(music.list("Jazz") == songs + before.filter { !songs.contains($0) })
  }

  @Test("an album of another crate moves here, to its block, and its songs keep their order")
  mutating func arrival() throws {
    let rock = music.albums("Rock")
    let jazz = music.albums("Jazz")
    try music.edit(.moveSongs([music.songs(of: rock[1])[2]], .top))
    let arranged = music.songs(of: rock[1])
    var list = music.list("Jazz")
    // A player adds a folder by name.
    let added = arranged.sorted()
    #expect(added != arranged)
    list.insert(contentsOf: added, at: music.songs(of: jazz[0]).count)
    let decision = try #require(try music.take(list, "Jazz"))
    #expect(music.albums("Jazz") == [jazz[0], rock[1]] + jazz[1...])
    #expect(music.albums("Rock") == [rock[0]])
    #expect(music.songs(of: rock[1]) == arranged)
    #expect(decision.transaction.notes == ["Album \(rock[1].number) came from crate Rock"])
    // The last one takes its crate along.
    try music.take(music.list("Jazz") + music.songs(of: rock[0]), "Jazz")
    #expect(music.library.crates.map(\.name) == ["Jazz", "Pop"])
    #expect(music.albums("Jazz").last == rock[0])
  }

  @Test("some songs of an album of another crate are left out")
  mutating func part() throws {
    let before = crates()
    let song = music.songs(of: music.albums("Rock")[1])[0]
    let list = music.list("Jazz") + [song]
    let decision = try #require(try music.verdict(lines(list), "Jazz").decision)
    #expect(decision.changes.isEmpty && before == crates())
    #expect(decision.transaction.notes.count == 1)
    #expect(decision.transaction.notes[0].contains("which is in crate Rock"))
  }

  @Test("of more than ten albums of other crates none comes, and a problem says so")
  mutating func tooMany() throws {
    let pop = music.albums("Pop")
    let all = music.list("Jazz") + pop.flatMap { music.songs(of: $0) }
    var verdict = try music.verdict(lines(all), "Jazz")
    #expect(verdict.decision?.changes == [])
    #expect(verdict.problem?.contains("12 albums of other crates") == true)
    let ten = music.list("Jazz") + pop.prefix(10).flatMap { music.songs(of: $0) }
    verdict = try music.verdict(lines(ten), "Jazz")
    #expect(verdict.problem == nil)
    #expect(verdict.decision?.library.crate(named: "Pop")?.albums.count == 2)
  }

  @Test("a song twice and lines that are no songs are left out, and parted nothing")
  mutating func strangers() throws {
    let list = music.list("Jazz")
    var lines = lines(list)
    lines.insert(.unknown("http://radio/"), at: 1)
    lines.insert(.song(list[4]), at: 0)
    lines += ["a", "b", "c"].map { .unknown($0) }
    let decision = try #require(try music.verdict(lines, "Jazz").decision)
    let notes = decision.transaction.notes
    #expect(
      notes.contains("left out what is no song in a music folder: http://radio/, a, b and 1 more"))
    #expect(notes.contains("left out 1 song that the list has twice"))
    // The first place of the song counts.
    #expect(decision.changes.count { if case .songMoved = $0 { true } else { false } } == 1)
    #expect(!decision.changes.contains { if case .albumMoved = $0 { true } else { false } })
    #expect(
      EditedList(name: "", crate: CrateID(number: 0), lines: lines, bases: []).plainSongs == nil)
  }

  @Test("an album that left, or came, since the player read the list stays where it is by now")
  mutating func meanwhile() throws {
    let albums = music.albums("Jazz")
    var list = music.list("Jazz")
    try music.edit(.moveAlbums([albums[2]], .top, crate: "Rock"))
    try music.edit(.moveAlbums([music.albums("Pop")[0]], .after(albums[4]), crate: "Jazz"))
    try music.edit(.moveAlbums([albums[7]], .after(albums[1]), crate: nil))
    let came = music.albums("Jazz")
    // Written, and not read again by the player.
    music.write("Jazz")
    let songs = music.songs(of: albums[6])
    list = songs + list.filter { !songs.contains($0) }
    try music.take(list, "Jazz")
    #expect(music.albums("Jazz") == [albums[6]] + came.filter { $0 != albums[6] })
    #expect(music.albums("Rock").contains(albums[2]))
  }

  @Test("what is gone keeps its place, and a list that is of nothing known is refused")
  mutating func gone() throws {
    let albums = music.albums("Jazz")
    let song = music.songs(of: albums[0])[1]
    try music.apply(.songGone(song, Traits()))
    for song in music.songs(of: albums[2]) { try music.apply(.songGone(song, Traits())) }
    let songs = music.songs(of: albums[1])
    let list = songs + music.list("Jazz").filter { !songs.contains($0) }
    try music.take(list, "Jazz")
    #expect(music.albums("Jazz") == [albums[1], albums[0]] + albums[2...])
    #expect(music.library.albums[albums[0]]?.entries[1] == song)

    let id = try #require(music.library.crate(named: "Jazz")?.id)
    let strange = EditedList(name: "Jazz.m3u", crate: id, lines: lines(list), bases: [])
    guard case .refused = music.library.decide(strange, newAlbums: nil) else {
      Issue.record("an edit of nothing known was taken")
      return
    }
  }

  @Test("an edit is one step of undo")
  mutating func undone() throws {
    let before = crates()
    var history = UndoHistory()
    let list = music.list("Jazz")
    let goal = Array(list.suffix(6)) + music.songs(of: music.albums("Rock")[0]) + list.dropLast(6)
    var decision = try #require(try music.take(goal, "Jazz"))
    #expect(crates() != before)
    decision.transaction.sequence = music.library.sequence
    history.follow(decision.transaction)
    let undo = try #require(music.library.decideUndo(history, newAlbums: nil))
    #expect(undo.library.crates.map { Array($0.albums) } == before)
    #expect(undo.transaction.sentence.hasPrefix("Taken back: Album 30 is in Jazz again, at 8"))
  }
}
