import TestSupport
import Testing

@testable import LibraryModel

/// Many edits as players make them, on a crate as large as people's are.
@Suite("Many edited lists", .limited)
struct ListSimulationTests {
  private static let edits = Effort.runs(100, nightly: 400)
  private var random = SeededGenerator(usually: 72)

  /// 40 albums, 242 songs.
  private static func crate() throws -> ListedMusic {
    try ListedMusic([
      ("Jazz", [2] + Array(repeating: [4, 6, 8, 6], count: 10).joined().dropLast(0))
    ])
  }

  private func below(_ limit: Int, _ random: inout SeededGenerator) -> Int {
    Int.random(in: 0..<limit, using: &random)
  }

  /// What each kind of edit comes to, on average.
  private struct Outcome {
    var moved = 0.0
    var exact = 0.0
    var refused = 0.0
  }

  /// - Parameter edit: makes another list of one.
  private mutating func outcome(
    _ edit: (ListedMusic, inout SeededGenerator) -> [SongID]
  ) throws -> Outcome {
    let music = try Self.crate()
    let before = music.albums("Jazz")
    var outcome = Outcome()
    for round in 0..<Self.edits {
      let list = edit(music, &random)
      var after = music
      guard let decision = try after.take(list, "Jazz") else {
        outcome.refused += 1
        continue
      }
      let moves = decision.changes.count { if case .albumMoved = $0 { true } else { false } }
      outcome.moved += Double(moves)
      if after.list("Jazz") == list { outcome.exact += 1 }
      #expect(Set(after.albums("Jazz")) == Set(before), "\(random), round \(round)")
      #expect(Set(after.list("Jazz")) == Set(music.list("Jazz")), "\(random), round \(round)")
      // What comes of it, written again, is taken for what it is.
      let again = try after.take(after.list("Jazz"), "Jazz")
      #expect(again?.changes == [], "\(random), round \(round)")
    }
    let count = Double(Self.edits)
    return Outcome(
      moved: outcome.moved / count, exact: outcome.exact / count, refused: outcome.refused / count)
  }

  @Test("a song that is dragged anywhere takes its album along once in ten times at most")
  mutating func strays() throws {
    let anywhere = try outcome { music, random in
      var list = music.list("Jazz")
      list.move(
        Int.random(in: list.indices, using: &random),
        to: Int.random(in: list.indices, using: &random))
      return list
    }
    #expect(anywhere.moved <= 0.1 && anywhere.refused == 0, "\(random): \(anywhere)")
    let oneStep = try outcome { music, random in
      var list = music.list("Jazz")
      let place = Int.random(in: 1..<list.count, using: &random)
      list.swapAt(place - 1, place)
      return list
    }
    #expect(oneStep.moved <= 0.05 && oneStep.exact > 0.8, "\(random): \(oneStep)")
  }

  @Test("an album that is dragged is the only one that moves, wherever it is dropped")
  mutating func albums() throws {
    func dragged(
      _ music: ListedMusic, _ random: inout SeededGenerator, atBorder: Bool
    ) -> [SongID] {
      let albums = music.albums("Jazz")
      let place = Int.random(in: albums.indices, using: &random)
      let songs = music.songs(of: albums[place])
      let rest = albums.filter { $0 != albums[place] }
      var list = rest.flatMap { music.songs(of: $0) }
      let before = rest.prefix(Int.random(in: 0...rest.count, using: &random))
      let border = before.reduce(0) { $0 + music.songs(of: $1).count }
      let goal = atBorder ? border : Int.random(in: 0...list.count, using: &random)
      list.insert(contentsOf: songs, at: goal)
      return list
    }
    let atBorder = try outcome { dragged($0, &$1, atBorder: true) }
    #expect(atBorder.exact == 1 && atBorder.moved <= 1, "\(random): \(atBorder)")
    let anywhere = try outcome { dragged($0, &$1, atBorder: false) }
    #expect(anywhere.moved <= 1 && anywhere.refused == 0, "\(random): \(anywhere)")
  }

  @Test("songs inside their albums are where they were put, and no album moves")
  mutating func inside() throws {
    let inside = try outcome { music, random in
      let albums = music.albums("Jazz")
      let chosen = albums[Int.random(in: albums.indices, using: &random)]
      return albums.flatMap { album -> [SongID] in
        let songs = music.songs(of: album)
        return album == chosen ? songs.shuffled(using: &random) : songs
      }
    }
    #expect(inside.exact == 1 && inside.moved == 0, "\(random): \(inside)")
  }

  @Test("half an album elsewhere moves one album at most")
  mutating func halves() throws {
    let halves = try outcome { music, random in
      let albums = music.albums("Jazz")
      let songs = music.songs(of: albums[Int.random(in: albums.indices, using: &random)])
      let half = Array(songs.suffix(songs.count / 2))
      var list = music.list("Jazz").filter { !half.contains($0) }
      list.insert(contentsOf: half, at: Int.random(in: 0...list.count, using: &random))
      return list
    }
    #expect(halves.moved <= 1 && halves.refused == 0, "\(random): \(halves)")
  }

  @Test("a shuffled list, and one sorted by title, is refused each time")
  mutating func mixed() throws {
    let shuffled = try outcome { music, random in music.list("Jazz").shuffled(using: &random) }
    #expect(shuffled.refused == 1)
    let sorted = try outcome { music, random in
      // Titles say nothing of albums.
      let titles = music.list("Jazz").map { ($0, random.next()) }
      return titles.sorted { $0.1 < $1.1 }.map(\.0)
    }
    #expect(sorted.refused == 1)
  }

  @Test("an edit of an older list is that edit, and takes back nothing that was done meanwhile")
  mutating func lostUpdates() throws {
    var right = 0
    let rounds = Effort.runs(60, nightly: 300)
    for _ in 0..<rounds {
      var music = try Self.crate()
      var versions: [[AlbumID]] = [music.albums("Jazz")]
      var taken: Set<AlbumID> = []
      // Four versions, of which the player has read one.
      for _ in 0..<3 {
        let albums = music.albums("Jazz")
        let place = Int.random(in: albums.indices, using: &random)
        var anchor = Int.random(in: albums.indices, using: &random)
        if anchor == place { anchor = (place + 1) % albums.count }
        try music.edit(.moveAlbums([albums[place]], .after(albums[anchor]), crate: nil))
        taken.insert(albums[place])
        music.write("Jazz")
        versions.append(music.albums("Jazz"))
      }
      var list = versions[Int.random(in: versions.indices, using: &random)]
      let now = music.albums("Jazz")
      // To move back what was moved just before would be an old copy; and of two neighbours that
      // change places, nobody knows which one was moved.
      let places = list.indices.filter { !taken.contains(list[$0]) }
      let place = places[Int.random(in: places.indices, using: &random)]
      let goals = list.indices.filter { abs($0 - place) > 1 }
      let goal = goals[Int.random(in: goals.indices, using: &random)]
      let chosen = list[place]
      list.move(place, to: goal)
      #expect(try music.take(list.flatMap { music.songs(of: $0) }, "Jazz") != nil)
      // Beside what the player put it beside, and everything else as it was.
      var expected = now.filter { $0 != chosen }
      let neighbour = goal == 0 ? list[1] : list[goal - 1]
      let anchor = try #require(expected.firstIndex(of: neighbour))
      expected.insert(chosen, at: goal == 0 ? anchor : anchor + 1)
      if music.albums("Jazz") == expected { right += 1 }
    }
    #expect(right == rounds, "\(random)")
  }
}
