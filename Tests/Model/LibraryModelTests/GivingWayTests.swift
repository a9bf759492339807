import TestSupport
import Testing

@testable import LibraryModel

/// Specification 1.4, last paragraph: a younger song gives way to one whose file vanishes.
@Suite("A younger song gives way", .limited)
struct GivingWayTests {
  /// An arranged album of MP3s, beside which FLACs were made later.
  private func converted(tracks: Int = 3) throws -> World {
    var world = World()
    world.putAlbum("A", tracks: tracks, sound: 10, in: nil)
    world.putAlbum("B", tracks: 1, sound: 90, in: nil)
    world.merge()
    try world.edit(.moveSongs([world.song("A \(tracks)").id], .top))
    for track in 1...tracks {
      world.put(
        "A/\(track) A \(track).new.flac", sound: 50 + track, title: "A \(track)", album: "A",
        artist: "Artist", albumArtist: "Artist", track: track, milliseconds: 61_500)
    }
    world.merge()
    return world
  }

  /// Three tracks, the last on top.
  private func arranged() throws -> World {
    var world = World()
    world.putAlbum("A", tracks: 3, sound: 10, in: nil)
    world.merge()
    try world.edit(.moveSongs([world.song("A 3").id], .top))
    return world
  }

  private func removeOld(_ world: inout World, tracks: ClosedRange<Int>) {
    for track in tracks { _ = world.remove("A/\(track) A \(track).flac") }
  }

  @Test("files of a new format, made first, take the places of those that go later")
  func replaced() throws {
    var world = try converted()
    let before = try #require(world.album("A"))
    let old = world.library.songs(of: before).filter { !$0.path.display.contains("new") }.map(\.id)
    #expect(before.entries.count == 6)
    #expect(old.count == 3)
    removeOld(&world, tracks: 1...3)
    let outcome = world.merge()
    let after = try #require(world.album("A"))
    #expect(after.entries == old)
    #expect(after.isArranged)
    #expect(world.songs(of: "A") == ["A 3", "A 1", "A 2"])
    #expect(
      outcome.decision.changes.contains {
        if case .songFollowed(old[0], let path, _, by: .tags) = $0 {
          return path == World.path("A/3 A 3.new.flac")
        }
        return false
      })
    world.check()
    // Nothing more the second time.
    #expect(world.merge().decision.changes.isEmpty)
  }

  @Test("what is made anew in another one's name stays what it was, though that one is gone")
  func sameName() throws {
    var world = try arranged()
    let order = try #require(world.album("A")).entries
    _ = world.remove("A/1 A 1.flac")
    world.move("A/3 A 3.flac", to: "A/1 A 1.flac")
    world.merge()
    // By a converter that loses the tags.
    world.put("A/tmp_1 A 1.flac", sound: 50)
    world.merge()
    world.move("A/tmp_1 A 1.flac", to: "A/1 A 1.flac")
    world.merge()
    #expect(try #require(world.album("A")).entries == order)
    #expect(world.library.songs[order[0]]?.path == World.path("A/1 A 1.flac"))
    #expect(order.map { world.library.songs[$0]?.isGone } == [false, true, false])
    world.check()
    #expect(world.merge().decision.changes.isEmpty)
  }

  @Test("what nobody touched, in the name of a song that is gone, gives its file to that one")
  func strangersName() throws {
    var world = try arranged()
    let order = try #require(world.album("A")).entries
    _ = world.remove("A/1 A 1.flac")
    world.merge()
    world.put(
      "A/1 A 1.flac", sound: 70, title: "Another", album: "A", artist: "Artist",
      albumArtist: "Artist", track: 9)
    world.merge()
    #expect(try #require(world.album("A")).entries.count == 4)
    // Made anew by a converter that loses the tags.
    world.put("A/1 A 1.flac", sound: 71)
    world.merge()
    #expect(world.library.songs[order[1]]?.isGone == false)
    #expect(world.library.songs[order[1]]?.path == World.path("A/1 A 1.flac"))
    world.check()
  }

  @Test("one at a time comes to the same as all at once")
  func oneByOne() throws {
    var (once, each) = try (converted(), converted())
    removeOld(&once, tracks: 1...3)
    once.merge()
    for track in [2, 3, 1] {
      removeOld(&each, tracks: track...track)
      each.merge()
    }
    #expect(once.shape == each.shape)
  }

  @Test("a file that was put over another one of its sound, both seen at once, never was a song")
  func putOver() throws {
    var world = World()
    for track in 1...2 {
      world.put("A/\(track).mp3", sound: track, title: "\(track)", album: "A", track: track)
    }
    world.merge()
    world.put("A/3.mp3", sound: 3)
    world.put("A/3.temp.mp3", sound: 3, title: "3", album: "A", track: 3)
    world.merge()
    world.move("A/3.temp.mp3", to: "A/3.mp3")
    world.merge()
    let id = try world.song("3").id
    #expect(try #require(world.album("A")).entries.count == 3)
    // Nobody takes what is copied but the song whose file goes then.
    let folder = world.files
    for (path, var file) in folder {
      file.inode = world.nextInode
      world.nextInode += 1
      world.files[World.path("B").appending(path.name)] = file
    }
    world.merge()
    for path in folder.keys { world.files[path] = nil }
    world.merge()
    #expect(try world.song("3").id == id)
    #expect(world.albums() == ["A"])
    world.check()
  }

  @Test("a file that was put over one of another album keeps its place in its own")
  func putOverAnother() throws {
    var world = World()
    world.put("A/1.mp3", sound: 1, title: "1", album: "A", track: 1)
    world.put("A/2.mp3", sound: 2, title: "2", album: "A", track: 2)
    world.put("B/1.mp3", sound: 1, title: "1", album: "B", track: 1)
    world.merge()
    let (id, kept) = try (world.id("A"), world.song("2").id)
    let first = try #require(world.library.albums[id]?.entries.first)
    world.move("A/1.mp3", to: "B/1.mp3")
    world.merge()
    #expect(world.library.albums[id]?.entries == [first, kept])
    #expect(world.library.songs[first]?.isGone == true)
    world.check()
  }

  @Test("younger songs of an album whose songs the person moved keep their own places")
  func moved() throws {
    var world = try converted()
    let album = try #require(world.album("A"))
    let young = try #require(
      world.library.songs(of: album).first { $0.path == World.path("A/2 A 2.new.flac") })
    try world.edit(.moveSongs([young.id], .bottom))
    removeOld(&world, tracks: 1...3)
    world.merge()
    let after = try #require(world.album("A"))
    #expect(after.entries.contains(young.id))
    #expect(after.entries.count == 6)
    #expect(world.songs(of: "A") == ["A 1", "A 3", "A 2"])
    world.check()
  }

  @Test("an older song never gives way, and two that match are a tie")
  func ambiguous() throws {
    var world = try converted()
    // The younger ones go: the older ones stay what they are.
    var other = world
    for track in 1...3 { _ = other.remove("A/\(track) A \(track).new.flac") }
    other.merge()
    #expect(other.album("A")?.entries.count == 6)
    #expect(other.songs(of: "A") == ["A 3", "A 1", "A 2"])
    world.put(
      "A/1 A 1.third.flac", sound: 71, title: "A 1", album: "A", artist: "Artist",
      albumArtist: "Artist", track: 1)
    world.merge()
    removeOld(&world, tracks: 1...1)
    let outcome = world.merge()
    #expect(
      outcome.decision.changes.contains {
        if case .songGone = $0 { true } else { false }
      })
    world.check()
  }

  @Test("what is tagged alike but lasts longer is another recording; MusicBrainz ids say otherwise")
  func evidence() throws {
    for recording in ["", "r"] {
      var world = World()
      world.put(
        "A/1.mp3", sound: 1, title: "T", album: "A", albumArtist: "X", track: 1,
        release: "l", recording: recording)
      world.put("A/2.mp3", sound: 2, title: "U", album: "A", albumArtist: "X", track: 2)
      world.merge()
      let old = try world.song("T").id
      world.put(
        "A/1.flac", sound: 3, title: "T", album: "A", albumArtist: "X", track: 1,
        release: "l", recording: recording, milliseconds: 99_000)
      world.merge()
      _ = world.remove("A/1.mp3")
      world.merge()
      #expect(try (world.song("T").id == old) == (recording == "r"))
      world.check()
    }
  }

  @Test("another edition, in another folder, is another album and stays")
  func otherEdition() throws {
    var world = World()
    world.putAlbum("A", tracks: 2, sound: 10, in: "old")
    world.merge()
    world.putAlbum("A", tracks: 2, sound: 50, in: "young")
    world.merge()
    #expect(world.albums() == ["A", "A"])
    let young = world.listed()[0]
    _ = world.remove("old")
    world.merge()
    #expect(world.listed().map(\.id) == [young.id])
    #expect(world.listed()[0].entries == young.entries)
    world.check()
  }

  @Test("what is encoded anew beside a song and renamed over it leaves nothing behind")
  func encodedAnew() throws {
    var world = World()
    world.putAlbum("A", tracks: 2, sound: 10, in: "A")
    world.merge()
    let ids = try #require(world.album("A")).entries
    let old = World.path("A/1 A 1.flac")
    var anew = try #require(world.files[old])
    anew.sound = 99
    anew.inode = 500
    world.files[World.path("A/tmp.flac")] = anew
    world.merge()
    #expect(world.library.songs.count == 3)
    world.move("A/tmp.flac", to: "A/1 A 1.flac")
    world.merge()
    #expect(world.album("A")?.entries == ids)
    #expect(world.library.songs.count == 2)
    world.check()
  }

  @Test("what stood beside a song, and was retagged, gives way when that one's file goes")
  func retaggedBeside() throws {
    var world = World()
    world.putAlbum("A", tracks: 3, sound: 10, in: "A")
    world.merge()
    let id = try world.song("A 1").id
    world.put(
      "A/new.flac", sound: 11, title: "A 1", album: "A", artist: "Artist", albumArtist: "Artist",
      track: 60)
    world.merge()
    #expect(world.library.songs.count == 4)
    world.retag("A/new.flac") { $0.album = "B" }
    world.merge()
    _ = world.remove("A/1 A 1.flac")
    world.merge()
    #expect(world.library.songs.count == 3)
    #expect(try world.song("A 1").id == id)
    #expect(world.songs(of: "B") == ["A 1"])
    world.check()
  }

  @Test("a younger track of silence gives way where the older one's file goes")
  func silence() throws {
    var world = World()
    world.put("A/1.mp3", sound: 7, title: "Silence", album: "A", albumArtist: "X", track: 1)
    world.merge()
    world.put("A/2.mp3", sound: 7, title: "Silence", album: "A", albumArtist: "X", track: 2)
    world.merge()
    let entries = try #require(world.album("A")).entries
    #expect(entries.count == 2)
    let (old, young) = (entries[0], entries[1])
    _ = world.remove("A/1.mp3")
    world.merge()
    // What a tagger leaves that copies a file, changes its number, and takes the first one away.
    #expect(world.library.songs[young] == nil)
    #expect(world.album("A")?.entries == [old])
    world.check()
  }
}
