import CratesInterface
import Glibc
import ProgramSupport
import TestSupport
import Testing

private let knowsBtrfs =
  (try? readFile("/proc/filesystems")).map { String(decoding: $0, as: UTF8.self) }?
  .contains("btrfs") == true

/// File systems that are mounted over music, and taken away again.
@Suite("What is mounted over music", .serialized, .limited)
struct CoveredTests {
  let home: Home
  let space: MountSpace

  init() throws {
    let folder = try TemporaryFolder()
    space = try MountSpace(folder)
    home = try Home(folder: folder, prefix: space.prefix)
    let tagger = try Tagger()
    for (place, format) in [("Ann/One", SampleFormat.mp3), ("Bob/Two", .flac), ("Bob/Three", .wv)] {
      let path = try folder.makeFolder("Music/\(place)")
      let sounds = try SampleMusic.sounds(format).prefix(4)
      _ = try TaggedAlbum(
        String(place.split(separator: "/")[1]), by: "Artist", format, of: sounds, in: path, tagger)
    }
  }

  private func arrange(_ client: CratesClient) throws -> Order {
    try #require(try client.songs().count == 12)
    try client.move(albums: [try client.album("One").id], .top, to: "Evening")
    let songs = try client.songs().filter { $0.albumTitle == "One" }.map(\.id)
    try client.move(songs: [songs[2], songs[0]], .bottom)
    return try client.order()
  }

  private func presence(_ client: CratesClient) throws -> [Interface.Presence: Int] {
    Dictionary(grouping: try client.songs(gone: true), by: \.presence).mapValues(\.count)
  }

  @Test(
    "What was covered for a while is renamed, deleted and forgotten like everything else",
    arguments: [true, false])
  func afterwards(whileRunning: Bool) throws {
    let session = try Session(home)
    let order = try arrange(session.client)
    func meanwhile(_ body: () throws -> Void) throws {
      try session.meanwhile(running: whileRunning, body)
    }
    try meanwhile { try space.mountNew(on: "\(home.music)/Ann") }
    #expect(try presence(session.client) == [.present: 8, .offline: 4])
    try meanwhile { try space.unmount("\(home.music)/Ann") }
    #expect(try presence(session.client) == [.present: 12])

    let album = "\(home.music)/Ann/Renamed"
    try meanwhile { try move("\(home.music)/Ann/One", to: album) }
    expectSame(try session.client.order(), order)
    #expect(try presence(session.client) == [.present: 12])
    #expect(try home.problems().isEmpty)

    try meanwhile { removeTree("\(album)/1 One.mp3") }
    #expect(try presence(session.client) == [.present: 11, .gone: 1])
    try meanwhile { removeTree("\(home.music)/Ann") }
    #expect(try presence(session.client) == [.present: 8, .gone: 4])
    expectSame(try session.client.order(), order)
    try home.crate("forget", "--yes")
    #expect(try presence(session.client) == [.present: 8])
    try session.stop()
  }

  @Test(
    "Snapshots and volumes of btrfs in the folder come and go like any directory",
    .enabled(if: knowsBtrfs, "this kernel has no btrfs"), arguments: [true, false])
  func volumes(whileRunning: Bool) throws {
    let music = home.music
    let aside = try home.folder.makeFolder("aside")
    try copy("\(music)/.", to: aside)
    try space.mountDrive(home.folder.path("drive.img"), "btrfs", on: music)
    try copy("\(aside)/.", to: space.path(music))
    let session = try Session(home)
    let order = try arrange(session.client)
    func meanwhile(_ body: () throws -> Void) throws {
      try session.meanwhile(running: whileRunning, body)
      expectSame(try session.client.order(), order)
    }
    try meanwhile { try space.btrfs("subvolume", "snapshot", music, "\(music)/snapshot") }
    #expect(try presence(session.client) == [.present: 12])
    // Each file is there a second time now.
    #expect(try home.problems().count == 12)
    try meanwhile { try space.btrfs("subvolume", "delete", "\(music)/snapshot") }
    #expect(try presence(session.client) == [.present: 12])
    #expect(try home.problems().isEmpty)

    try meanwhile {
      try space.btrfs("subvolume", "create", "\(music)/Volume")
      try run("mv", ["\(space.path(music))/Ann", "\(space.path(music))/Volume/Ann"])
    }
    try meanwhile { try move("\(space.path(music))/Volume", to: "\(space.path(music))/Moved") }
    #expect(try presence(session.client) == [.present: 12])
    try meanwhile { try space.btrfs("subvolume", "delete", "\(music)/Moved") }
    #expect(try presence(session.client) == [.present: 8, .gone: 4])
    try home.crate("forget", "--yes")
    #expect(try presence(session.client) == [.present: 8])
    #expect(try home.problems().isEmpty)
    try session.stop()
  }

  @Test(
    "An artist is hidden, and not deleted, where the folder lay on another drive before",
    arguments: [true, false])
  func afterAnotherDrive(whileRunning: Bool) throws {
    let session = try Session(home)
    let order = try arrange(session.client)
    let same = try home.folder.makeFolder("same")
    try copy("\(home.music)/.", to: same)
    try session.meanwhile(running: whileRunning) { try space.mount(same, on: home.music) }
    #expect(try presence(session.client) == [.present: 12])
    try session.meanwhile(running: whileRunning) { try space.unmount(home.music) }
    #expect(try presence(session.client) == [.present: 12])
    try session.meanwhile(running: whileRunning) {
      try space.mountNew(on: "\(home.music)/Ann")
    }
    #expect(try presence(session.client) == [.present: 8, .offline: 4])
    expectSame(try session.client.order(), order)
    try session.stop()
  }
}
