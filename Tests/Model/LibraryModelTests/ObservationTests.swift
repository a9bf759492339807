import TestSupport
import Testing

@testable import LibraryModel

@Suite("What a look found", .limited)
struct ObservationTests {
  private var world = World()
  private let one = World.path("A/1")
  private let two = World.path("A/2")
  private let three = World.path("A/3")
  private let new = World.path("B/1")
  private let outside = BytePath("/other/1")

  init() {
    for number in 1...3 {
      world.put("A/\(number)", sound: number, title: "\(number)", album: "A", track: number)
    }
    world.merge()
  }

  private func observation(_ change: (inout FolderContents) -> Void) -> Observation {
    var contents = FolderContents(root: World.root, seen: world.now)
    change(&contents)
    return Observation(contents, world.library, world.lookups)
  }

  private func found(_ path: BytePath, sound: Int) -> FolderContents.Found {
    .init(path: path, facts: World.facts(World.File(sound: sound)))
  }

  @Test("is what is new or changed, and not what is told again or lies outside")
  func news() throws {
    let known = try #require(world.library.songs.values.first { $0.path == one }?.facts)
    let observation = observation {
      $0.found = [
        .init(path: one, facts: known), found(two, sound: 9), found(new, sound: 9),
        found(outside, sound: 9),
      ]
    }
    #expect(Set(observation.found.keys) == [two, new])
    #expect(observation.foundBySound.values.map { $0.sorted() } == [[two, new]])
    #expect(
      [one, two, three, new, outside].map(observation.isNews) == [false, true, false, true, false])
    #expect(
      [one, two, three, new, outside].map(observation.isThere) == [true, true, true, true, false])
    #expect(
      [one, two, three, new, outside].map { observation.digest(at: $0)?.low }
        == [1, 9, 3, 9, nil])
    #expect(!observation.isThere(World.path("A/4")))
  }

  @Test("and what is missing: vanished, or waited for, if it was known and is not found")
  func missing() throws {
    let observation = observation {
      $0.found = [found(two, sound: 9)]
      $0.vanished = [one, two, new]
      $0.absent = [three, new, two]
    }
    #expect(observation.vanished == [one] && observation.missing == [one, three])
    #expect([one, two, three].map(observation.isThere) == [false, true, false])
    #expect([one, two, three].map(observation.isNews) == [true, true, false])
    // What vanished says nothing any more, but its song is remembered; what is waited for does.
    #expect([one, two, three].map { observation.facts(at: $0)?.digest?.low } == [nil, 9, 3])
    #expect([one, two, three].map { observation.digest(at: $0)?.low } == [1, 9, 3])
    let given = observation.giving(up: [three])
    #expect(given.vanished == [one, three] && given.missing == [one, three])
    #expect(
      given.contents.absent == [new, two] && given.contents.vanished == [one, two, new, three])
    #expect(Set(given.found.keys) == [two])
  }

  @Test("renames lead from each new name to all the old ones")
  func renames() {
    let observation = observation {
      $0.renames = [
        .init(from: one, to: new), .init(from: two, to: new), .init(from: new, to: one),
      ]
    }
    #expect(observation.renamed == [new: [one, two], one: [new]])
  }

  @Test(
    "a song is offline where its file is away, and has no file that can be told when it is gone")
  mutating func songs() throws {
    let song = try world.song("1")
    let files = observation { _ in }
    #expect(files.identity(of: song)?.inode == 1 && !files.isOffline(song))
    #expect(files.group(of: song) == world.library.albums[song.album]?.group)
    world.library.away.places = [World.path("A")]
    #expect(observation { _ in }.isOffline(song))
    // What lies in no music folder is no file that may be there.
    world.library.away.folders = [BytePath("/other")]
    #expect(!observation { _ in }.isOffline(song) && !observation { _ in }.isThere(one))
    world.library.away = Away()
    world.library.away.folders = [World.root]
    _ = world.remove("A/1")
    world.merge()
    let gone = try #require(world.library.songs[song.id])
    world.library.away.places = [World.path("A")]
    let now = observation { _ in }
    #expect(gone.isGone && now.identity(of: gone) == nil && !now.isOffline(gone))
    #expect(now.files(of: gone) == [])
  }

  @Test("what is younger, and untouched, may give way")
  mutating func younger() throws {
    world.put("A/4", sound: 4, title: "4", album: "A", track: 4)
    world.merge()
    let (old, young) = try (world.song("1"), world.song("4"))
    func may(_ one: Song, _ other: Song) -> Bool {
      observation { _ in }.isYoungerAndUntouched(one, than: other)
    }
    #expect(may(young, old) && !may(old, young) && !may(young, young))
    #expect(try !may(world.song("2"), old))
    world.library.touch(young.album)
    #expect(!may(young, old) && observation { _ in }.isTouched(young))
  }

  @Test("groups of what is alike are those of now, and of all files of one sound")
  mutating func clusters() throws {
    // Two files of one song, a song of the same sound elsewhere, and one of the next track.
    let put: [(String, String, Int?)] = [
      ("C/1", "A", 1), ("C/2", "A", 2), ("D/1", "D", 1), ("E/1", "A", nil),
    ]
    for (path, album, track) in put {
      world.put(path, sound: 1, title: path, album: album, track: track)
    }
    let contents = world.look()
    let observation = Observation(contents, world.library, world.lookups)
    let groups = JudgedGroups(observation)
    let clusters = Clusters(observation: observation, groups: groups)
    let digest = AudioDigest(high: 1, low: 1)
    let all = clusters.clusters(of: digest)
    #expect(
      all.map { $0.paths.map(\.display) } == [
        ["/music/A/1"], ["/music/C/1"], ["/music/C/2"], ["/music/D/1"], ["/music/E/1"],
      ])
    #expect(clusters.touched().map(\.paths) == all.map(\.paths))
    #expect(clusters.cluster(one)?.paths == [one] && clusters.cluster(one)?.digest == nil)
    #expect(clusters.cluster(World.path("F")) == nil)
  }
}
