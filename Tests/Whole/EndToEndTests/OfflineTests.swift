import CratesInterface
import Glibc
import ProgramSupport
import TestSupport
import Testing

/// No way of losing a drive loses a song, and none of getting it back changes anything.
@Suite("Drives that come and go", .serialized, .limited)
struct OfflineTests {
  let home: Home
  let space: MountSpace
  let tagger: Tagger
  /// The music's file system as seen by the test, wherever it is mounted.
  let drive: String

  init() throws {
    let folder = try TemporaryFolder()
    space = try MountSpace(folder)
    home = try Home(folder: folder, prefix: space.prefix)
    tagger = try Tagger()
    let path = try folder.makeFolder("drive")
    try space.mountNew(on: path)
    drive = space.path(path)
    for (index, format) in [SampleFormat.mp3, .flac, .opus, .wv].enumerated() {
      let album = "\(drive)/Album \(index)"
      try #require(mkdir(album, 0o755) == 0)
      let sounds = try SampleMusic.sounds(format).prefix(5)
      _ = try TaggedAlbum("Album \(index)", by: "Artist", format, of: sounds, in: album, tagger)
    }
  }

  enum Loss: CaseIterable {
    case unmounted, unmountedLazily, mountedOver, otherDrive
  }

  private func lose(_ place: String, _ loss: Loss) throws {
    switch loss {
    case .unmounted: try space.unmount(place)
    case .unmountedLazily: try space.unmount(place, lazily: true)
    case .mountedOver: try space.mountNew(on: place)
    case .otherDrive:
      try space.unmount(place)
      try space.mountNew(on: place)
      try copy("\(drive)/Album 0/1 Album 0.mp3", to: space.path("\(place)/other.mp3"))
    }
  }

  private func restore(_ place: String, _ loss: Loss) throws {
    if loss == .mountedOver || loss == .otherDrive { try space.unmount(place) }
    if loss != .mountedOver { try space.mount(home.folder.path("drive"), on: place) }
  }

  /// An order of the person's.
  private func arrange(_ client: CratesClient) throws -> Order {
    try #require(try client.songs().count == 20)
    for index in [2, 0, 3, 1] {
      try client.move(albums: [try client.album("Album \(index)").id], .top)
    }
    let second = try client.album("Album 2").id
    try client.move(albums: [second], .top, to: "Evening")
    let songs = try client.songs().filter { $0.album == second }.map(\.id)
    try client.move(songs: [songs[3]], .top)
    return try client.order()
  }

  @Test(
    "A music folder that is lost is offline and says why, and back it is as it was, unwritten",
    arguments: Loss.allCases, [true, false])
  func root(_ loss: Loss, whileRunning: Bool) throws {
    try space.mount(home.folder.path("drive"), on: home.music)
    let session = try Session(home)
    let order = try arrange(session.client)
    let sequence = try session.client.status().sequence
    let store = try home.storeContents()
    for isLost in [true, false, true, false] {
      try session.meanwhile(running: whileRunning) {
        if isLost { try lose(home.music, loss) } else { try restore(home.music, loss) }
      }
      let client = session.client
      expectSame(try client.order(), order, "\(loss), lost: \(isLost)")
      let now = try client.status()
      #expect(now.sequence == sequence)
      #expect(now.gone == 0)
      #expect(now.folders.map(\.state) == [isLost ? .offline : .watching])
      #expect((now.folders.first?.reason ?? "").isEmpty == !isLost)
      let presence: Interface.Presence = isLost ? .offline : .present
      #expect(try client.songs().allSatisfy { $0.presence == presence })
      if whileRunning { #expect(try home.storeContents() == store) }
    }

    // Back online, real differences count.
    try session.meanwhile(running: whileRunning) {
      try lose(home.music, loss)
      removeTree("\(drive)/Album 3/2 Album 3.wv")
      try restore(home.music, loss)
    }
    #expect(try session.client.status().gone == 1)
    expectSame(try session.client.order(), order)
    try session.stop()
  }

  @Test(
    "A drive inside a music folder that is lost is offline, and the rest is not",
    arguments: [Loss.unmounted, .unmountedLazily, .mountedOver], [true, false])
  func inner(_ loss: Loss, whileRunning: Bool) throws {
    let place = try home.folder.makeFolder("Music/drive")
    try space.mount(home.folder.path("drive"), on: place)
    try copy("\(drive)/Album 3", to: "\(home.music)/Here")
    removeTree("\(drive)/Album 3")
    let session = try Session(home)
    let order = try arrange(session.client)
    let sequence = try session.client.status().sequence
    for isLost in [true, false] {
      try session.meanwhile(running: whileRunning) {
        if isLost { try lose(place, loss) } else { try restore(place, loss) }
      }
      let client = session.client
      expectSame(try client.order(), order, "\(loss), lost: \(isLost)")
      let now = try client.status()
      #expect(now.sequence == sequence)
      #expect(now.folders.map(\.state) == [.watching])
      let songs = try client.songs()
      #expect(songs.count { $0.presence == .present } == (isLost ? 5 : 20))
      #expect(songs.count { $0.presence == .offline } == (isLost ? 15 : 0))
      // The folder stays so, whatever happens beside it and however closely one looks.
      guard isLost else { continue }
      try client.ask(.rescan(path: nil))
      expectSame(try client.order(), order)
      #expect(try client.status().sequence == sequence)
    }
    try session.stop()
  }

  @Test("Another drive in its place is not merged until it is said to be the folder")
  func otherDrive() throws {
    try space.mount(home.folder.path("drive"), on: home.music)
    let session = try Session(home)
    let client = session.client
    let order = try arrange(client)
    let sequence = try client.status().sequence
    let otherPath = try home.folder.makeFolder("other")
    try space.mountNew(on: otherPath)
    let other = space.path(otherPath)
    // Nine songs of twenty are too few to be the known folder.
    for index in [0, 1] { try copy("\(drive)/Album \(index)", to: "\(other)/Album \(index)") }
    removeTree("\(other)/Album 1/5 Album 1.flac")
    _ = try TaggedAlbum(
      "New", by: "Nobody", .ogg, of: try SampleMusic.sounds(.ogg).prefix(2), in: other,
      tagger)
    try space.unmount(home.music)
    try space.mount(otherPath, on: home.music)
    try client.sync()
    let refused = try client.status()
    #expect(refused.sequence == sequence)
    #expect(refused.folders.map(\.state) == [.offline])
    #expect(refused.folders.first?.reason?.contains("rescan") == true)
    expectSame(try client.order(), order)

    try client.ask(.rescan(path: home.music))
    let accepted = try client.status()
    #expect(accepted.folders.map(\.state) == [.watching])
    #expect(accepted.gone == 11)
    #expect(accepted.songs == 11)
    let new = try client.album("New")
    #expect(new.crate == "Evening" || new.crate == "Music")
    let kept = try client.order().albums.filter { $0.id != new.id }
    expectSame(Order(albums: kept), order)

    // The first drive again: it holds nine of the eleven songs that are there now.
    try space.unmount(home.music)
    try space.mount(home.folder.path("drive"), on: home.music)
    try client.sync()
    #expect(try client.status().folders.map(\.state) == [.watching])
    #expect(try client.status().gone == 2)
    expectSame(Order(albums: try client.order().albums.filter { $0.id != new.id }), order)
    try session.stop()
  }

  @Test("A drive that holds half of the known songs is the folder", arguments: [true, false])
  func copied(whileRunning: Bool) throws {
    try space.mount(home.folder.path("drive"), on: home.music)
    let session = try Session(home)
    let order = try arrange(session.client)
    let other = try home.folder.makeFolder("other")
    try space.mountNew(on: other)
    for index in [1, 2] {
      try copy("\(drive)/Album \(index)", to: space.path("\(other)/Album \(index)"))
    }
    try session.meanwhile(running: whileRunning) {
      try space.unmount(home.music)
      try space.mount(other, on: home.music)
    }
    let status = try session.client.status()
    #expect(status.folders.map(\.state) == [.watching])
    #expect(status.gone == 10)
    expectSame(try session.client.order(), order)
    try session.stop()
  }

  @Test("An empty mount point at the very first start is no loss either")
  func firstStart() throws {
    // Nothing was known: it is a music folder without music, until the drive is there.
    let session = try Session(home)
    try session.restart { try space.mount(home.folder.path("drive"), on: home.music) }
    _ = try arrange(session.client)
    #expect(try session.client.status().folders.map(\.state) == [.watching])
    try session.stop()
  }
}
