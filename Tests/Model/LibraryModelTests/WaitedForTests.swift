import TestSupport
import Testing

@testable import LibraryModel

@Suite("Files that are waited for, from merge to merge", .limited)
struct WaitedForTests {
  /// An album of one song, which the library knows.
  private func world() throws -> (World, song: SongID) {
    var world = World()
    world.put(
      "Blue/1 Blue.flac", sound: 1, title: "Blue", album: "Blue", artist: "X", albumArtist: "X",
      track: 1, release: "r", recording: "q")
    world.put("Red/1.flac", sound: 9, title: "Red", album: "Red", albumArtist: "Y", track: 1)
    world.merge(firstScan: true)
    return (world, try world.song("Blue").id)
  }

  private static let blue = World.path("Blue/1 Blue.flac")

  /// Tells a piece of a scan.
  @discardableResult
  private func tell(
    _ world: inout World, _ found: [String] = [], absent: [BytePath] = [],
    returned: [BytePath] = [], vanished: [BytePath] = []
  ) throws -> Merge.Outcome {
    var contents = FolderContents(root: World.root, seen: world.now)
    for path in found {
      let file = try #require(world.files[World.path(path)])
      contents.found.append(.init(path: World.path(path), facts: World.facts(file)))
    }
    (contents.absent, contents.returned, contents.vanished) = (absent, returned, vanished)
    return world.merge(contents)
  }

  /// One more song, of which nothing else has to do with it.
  private func tellAnother(_ world: inout World, absent: [BytePath] = []) throws {
    let number = world.files.count
    world.put("Green/\(number).flac", sound: 100 + number, title: "Green \(number)", album: "Green")
    try tell(&world, ["Green/\(number).flac"], absent: absent)
  }

  @Test(
    "A song that was missing in one piece is found in a later one",
    arguments: ["sound", "file", "recording", "tags", "extension"])
  func later(by evidence: String) throws {
    var (world, song) = try world()
    try tellAnother(&world, absent: [Self.blue])
    try tellAnother(&world)
    let old = try #require(world.files[Self.blue])
    world.files[Self.blue] = nil
    var path = "New/other.flac"
    switch evidence {
    case "sound": world.put(path, sound: 1, title: "Other", album: "Other")
    case "file":
      world.put(path, sound: 2, title: "Other", album: "Other")
      world.files[World.path(path)]?.inode = old.inode
    case "recording":
      world.put(path, sound: 2, title: "Other", album: "B", release: "r", recording: "q")
    case "tags":
      world.put(path, sound: 2, title: "Blue", album: "Blue", albumArtist: "X", track: 1)
    default:
      path = "Blue/1 Blue.mp3"
      world.put(path, sound: 2, title: "Blue")
    }
    try tell(&world, [path])
    #expect(world.library.songs[song]?.path == World.path(path))
    #expect(world.library.songs[song]?.isGone == false)
    #expect(world.memory.absentCount(in: World.root) == 0)
    // That the old file vanished is no news any more.
    let outcome = try tell(&world, vanished: [Self.blue])
    #expect(outcome.decision.changes.isEmpty)
  }

  @Test("A file that has returned is its song's, whatever sounds like it elsewhere")
  func returned() throws {
    var (world, song) = try world()
    try tellAnother(&world, absent: [Self.blue])
    world.put("New/1.flac", sound: 1, title: "Blue", album: "Best of")
    try tell(&world, ["New/1.flac"], returned: [Self.blue])
    #expect(world.library.songs[song]?.path == Self.blue)
    #expect(world.memory.absentCount(in: World.root) == 0)
    #expect(world.albums().contains("Best of"))
  }

  @Test("A file that is found at its place again, or has vanished, is not waited for")
  func over() throws {
    var (world, song) = try world()
    try tellAnother(&world, absent: [Self.blue])
    try tellAnother(&world)
    #expect(world.memory.absentCount(in: World.root) == 1)
    world.files[Self.blue]?.tags.title = "Bluer"
    try tell(&world, ["Blue/1 Blue.flac"])
    #expect(world.memory.absentCount(in: World.root) == 0)
    #expect(world.library.songs[song]?.title == "Bluer")
    try tell(&world, absent: [Self.blue])
    #expect(world.memory.absentCount(in: World.root) == 1)
    try tell(&world, vanished: [Self.blue])
    #expect(world.memory.absentCount(in: World.root) == 0)
    #expect(world.library.songs[song]?.isGone == true)
  }

  @Test("A song whose sound another song's file has now is still waited for")
  func takenOver() throws {
    var (world, old) = try world()
    world.put("New/1.flac", sound: 5, title: "Young", album: "Young", albumArtist: "Z", track: 1)
    try tell(&world, ["New/1.flac"])
    let young = try world.song("Young").id
    // The younger file was put over the older one, whose song is made anew by that.
    world.files[Self.blue]?.sound = 5
    try tell(&world, ["Blue/1 Blue.flac"], absent: [World.path("New/1.flac")])
    #expect(world.library.songs[old]?.path == Self.blue)
    #expect(world.library.songs[old]?.digest?.low == 5)
    #expect(world.library.songs[young]?.isGone == false)
    try tell(&world, returned: [World.path("New/1.flac")])
    #expect(world.library.songs[young]?.path == World.path("New/1.flac"))
  }

  /// The same silence is track 1 and track 2. A copy of track 1 is the song of track 2 as long as
  /// that has a second file.
  @Test("A file that becomes another song's, while a song waits for its second one, has one song")
  func sharedSilence() throws {
    var world = World()
    func put(_ path: String, track: Int) {
      world.put(path, sound: 5, title: "Silence", album: "A", albumArtist: "X", track: track)
    }
    for track in 1...2 { put("Old/\(track).flac", track: track) }
    world.merge()
    let ids = Set(world.library.songs.values.map(\.id))
    _ = world.remove("Old")
    put("Copy/9.flac", track: 1)
    put("New/1.flac", track: 2)
    put("New/2.flac", track: 1)
    world.merge()
    #expect(Set(world.library.songs.values.map(\.id)) == ids)
    let second = World.path("New/1.flac")
    let song = try #require(world.lookups.song(at: second, in: world.library))
    #expect(song.path == World.path("Copy/9.flac"))
    try tell(&world, absent: [second])
    #expect(world.library.songs[song.id]?.path == second)
    world.check()
    world.files[second] = nil
    world.known[second] = nil
    try tell(&world, vanished: [second])
    #expect(world.library.songs[song.id]?.isGone == true)
    world.check()
  }

  @Test("A merge that is tried again comes to the same")
  func again() throws {
    var (world, _) = try world()
    world.put("New/1.flac", sound: 1, title: "Blue", album: "Best of")
    let file = try #require(world.files[World.path("New/1.flac")])
    var contents = FolderContents(root: World.root, seen: world.now)
    contents.found = [.init(path: World.path("New/1.flac"), facts: World.facts(file))]
    contents.absent = [Self.blue]
    let outcomes = (0..<2).map { _ in
      Merge.merge(
        contents, into: world.library, lookups: world.lookups, newAlbums: nil,
        memory: world.memory)
    }
    #expect(outcomes[0].decision.changes == outcomes[1].decision.changes)
    #expect(!outcomes[0].decision.changes.isEmpty)
    // Once it is merged, all of it is known.
    world.merge(contents)
    #expect(world.merge(contents).decision.changes.isEmpty)
  }

  @Test("What goes offline is not waited for: it is found elsewhere in its own album alone")
  func offline() throws {
    var (world, song) = try world()
    try tellAnother(&world, absent: [Self.blue])
    world.setAway(["Blue"])
    world.put("New/1.flac", sound: 1, title: "Blue", album: "Best of")
    try tell(&world, ["New/1.flac"])
    #expect(world.library.songs[song]?.path == Self.blue)
    #expect(world.library.presence(of: try #require(world.library.songs[song])) == .offline)
    // Back, it is there, unless its watcher says that it is absent again.
    world.setAway([])
    try tell(&world, returned: [Self.blue])
    #expect(world.library.presence(of: try #require(world.library.songs[song])) == .present)
  }

  @Test("Each music folder waits for its own files, until its watcher ends")
  func folders() throws {
    let (a, b) = (BytePath("/a"), BytePath("/b"))
    var memory = Merge.Memory(leaving: [b: [AlbumID(number: 1)]])
    var contents = FolderContents(root: a, seen: 1)
    contents.absent = [BytePath("/a/1.mp3"), BytePath("/a/1.ogg")]
    memory.follow(contents)
    #expect([a, b].map(memory.absentCount) == [2, 0])
    contents.root = b
    contents.absent = [BytePath("/b/1.mp3")]
    memory.follow(contents)
    #expect([a, b].map(memory.absentCount) == [2, 1])
    memory.forgetAbsent(in: b)
    #expect([a, b].map(memory.absentCount) == [2, 0])
    memory.forgetAbsent(besides: [b])
    #expect([a, b].map(memory.absentCount) == [0, 0])
    #expect(memory.leaving(in: b) == [AlbumID(number: 1)] && memory.leaving(in: a).isEmpty)
  }

  @Test("Absent files are found by their names, and by those but for the extension")
  func stems() {
    var random = SeededGenerator(usually: 20_261_130)
    var (files, plain) = (AbsentFiles(), Set<BytePath>())
    let all = (0..<40).flatMap { number in
      ["a", "b", "tar.gz", ""].map { BytePath("/m/\(number)\($0.isEmpty ? "" : ".")\($0)") }
    }
    for _ in 0..<2_000 {
      let path = all[Int.random(in: 0..<all.count, using: &random)]
      if Bool.random(using: &random) {
        files.insert(path)
        plain.insert(path)
      } else {
        files.remove(path)
        plain.remove(path)
      }
    }
    #expect(files.count == plain.count && files.isEmpty == plain.isEmpty)
    for path in all {
      #expect(files.contains(path) == plain.contains(path))
      let stem = path.withoutExtension
      #expect(Set(files.files(withStem: stem)) == plain.filter { $0.withoutExtension == stem })
    }
  }
}
