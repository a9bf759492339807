import CratesInterface
import Glibc
import ProgramSupport
import TestSupport
import Testing

/// Drives that are tidied up elsewhere, and come back.
@Suite("What is rearranged while it is away", .serialized, .limited)
struct ReturningTests {
  let home: Home
  let space: MountSpace
  /// Where the drive's files are, mounted or not.
  let drive: String

  init() throws {
    let folder = try TemporaryFolder()
    space = try MountSpace(folder)
    home = try Home(folder: folder, prefix: space.prefix)
    let tagger = try Tagger()
    drive = try folder.makeFolder("drive")
    for (place, format) in [("Ann/One", SampleFormat.mp3), ("Ann/Two", .flac), ("Bob/Three", .wv)] {
      let path = try folder.makeFolder("drive/\(place)")
      let sounds = try SampleMusic.sounds(format).prefix(4)
      _ = try TaggedAlbum(
        String(place.split(separator: "/")[1]), by: "Artist", format, of: sounds, in: path, tagger)
    }
  }

  enum Absence: CaseIterable {
    case drive, driveInside, movedAway
  }

  enum Tidying: CaseIterable {
    case renamedAlbum, renamedArtist, otherArtist, renamedFile
  }

  private func tidyUp(_ tidying: Tidying, in music: String) throws {
    switch tidying {
    case .renamedAlbum: try move("\(music)/Ann/One", to: "\(music)/Ann/Renamed")
    case .renamedArtist: try move("\(music)/Ann", to: "\(music)/Anna")
    case .otherArtist: try move("\(music)/Ann/One", to: "\(music)/Bob/One")
    case .renamedFile: try move("\(music)/Ann/One/1 One.mp3", to: "\(music)/Ann/One/01.mp3")
    }
  }

  private func arrange(_ client: CratesClient) throws -> Order {
    try #require(try client.songs().count == 12)
    try client.move(albums: [try client.album("One").id], .top, to: "Evening")
    let songs = try client.songs().filter { $0.albumTitle == "One" }.map(\.id)
    try client.move(songs: [songs[2], songs[0]], .bottom)
    return try client.order()
  }

  @Test(
    "What was renamed or moved while it was away is at its place when it is back",
    arguments: Absence.allCases, Tidying.allCases)
  func tidiedUp(_ absence: Absence, _ tidying: Tidying) throws {
    var place = home.music
    if absence == .driveInside { place = try home.folder.makeFolder("Music/drive") }
    if absence == .movedAway {
      try #require(rmdir(home.music) == 0)
      try move(drive, to: home.music)
    } else {
      try space.mount(drive, on: place)
    }
    let session = try Session(home)
    let client = session.client
    let order = try arrange(client)
    let away = home.folder.path("away")
    if absence == .movedAway { try move(home.music, to: away) } else { try space.unmount(place) }
    try client.sync()
    #expect(try client.songs().allSatisfy { $0.presence == .offline })
    try tidyUp(tidying, in: absence == .movedAway ? away : drive)
    if absence == .movedAway {
      try move(away, to: home.music)
    } else {
      try space.mount(drive, on: place)
    }
    try expectPresent(client, order)
    try session.stop()
  }

  @Test(
    "What is renamed between the return of its folder and the first look is at its place",
    arguments: [Tidying.renamedAlbum, .renamedArtist, .otherArtist])
  func renamedBeforeLook(_ tidying: Tidying) throws {
    try #require(rmdir(home.music) == 0)
    try move(drive, to: home.music)
    let session = try Session(home)
    let order = try arrange(session.client)
    let away = home.folder.path("away")
    try move(home.music, to: away)
    try session.client.sync()
    try move(away, to: home.music)
    try tidyUp(tidying, in: home.music)
    try expectPresent(session.client, order)
    try session.stop()
  }

  @Test("Of two copies none is to be removed while one is away", arguments: [true, false])
  func copyAway(whileRunning: Bool) throws {
    let place = try home.folder.makeFolder("Music/drive")
    try space.mount(drive, on: place)
    try copy("\(drive)/Ann/One", to: "\(home.music)/One")
    let session = try Session(home)
    for isThere in [false, true] {
      try session.meanwhile(running: whileRunning) {
        if isThere { try space.mount(drive, on: place) } else { try space.unmount(place) }
      }
      let count = isThere ? 4 : 0
      #expect(try home.problems().count { $0.kind == .duplicate } == count)
      // One more tells that the drive is away.
      #expect(try session.client.status().problems == (isThere ? count : count + 1))
      let songs = try session.client.songs()
      #expect(songs.count == 12)
      #expect(songs.count { $0.presence == .offline } == (isThere ? 0 : 8))
    }
    try session.stop()
  }

  private func expectPresent(_ client: CratesClient, _ order: Order) throws {
    try client.sync()
    expectSame(try client.order(), order)
    #expect(try client.songs().count == 12)
    #expect(try client.songs().allSatisfy { $0.presence == .present })
    #expect(try client.status().gone == 0)
  }
}
