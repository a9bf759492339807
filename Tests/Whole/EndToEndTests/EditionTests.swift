import CratesInterface
import Glibc
import ProgramSupport
import TestSupport
import Testing

/// Two recordings of one album with the same tags, told apart by their sound.
@Suite("Editions of an album", .serialized, .limited)
struct EditionTests {
  let home: Home
  let tagger: Tagger
  let editions: [TaggedAlbum]
  /// The folders of the editions.
  let folders: [String]

  init() throws {
    home = try Home()
    tagger = try Tagger()
    let home = home
    folders = try ["1990", "2010"].map { try home.folder.makeFolder("Music/Album (\($0))") }
    let sounds = try SampleMusic.sounds(.flac)
    var editions: [TaggedAlbum] = []
    for (index, folder) in folders.enumerated() {
      editions.append(
        try TaggedAlbum(
          "Album", by: "Artist", .flac, of: sounds[index * 4..<index * 4 + 4], in: folder, tagger))
    }
    self.editions = editions
    _ = try TaggedAlbum(
      "Other", by: "Artist", .mp3, of: try SampleMusic.sounds(.mp3).prefix(4),
      in: try home.folder.makeFolder("Music/Other"), tagger)
  }

  /// The second edition on top, the first one at the bottom, each in an order of its own.
  private func start() throws -> (session: Session, order: Order, paths: [String: String]) {
    let session = try Session(home)
    let songs = try session.client.songs()
    let albums = folders.map { folder in songs.first { $0.path.hasPrefix(folder) }?.album ?? "" }
    try #require(Set(songs.map(\.album)).count == 3)
    try session.client.move(albums: [albums[1]], .top)
    try session.client.move(albums: [albums[0]], .bottom)
    for (index, album) in albums.enumerated() {
      let own = songs.filter { $0.album == album }.map(\.id)
      try session.client.move(songs: [own[3 - index]], .top)
    }
    return (session, try session.client.order(), paths(songs))
  }

  private func paths(_ songs: [Interface.Song]) -> [String: String] {
    Dictionary(uniqueKeysWithValues: songs.map { ($0.id, $0.path) })
  }

  enum Purpose: CaseIterable {
    case firstRenamed, secondRenamed, namesSwapped, bothRenamed, intoDiscs, intoOneFolder
  }

  private func perform(_ purpose: Purpose) throws {
    switch purpose {
    case .firstRenamed: try move(folders[0], to: "\(home.music)/Zero")
    case .secondRenamed: try move(folders[1], to: "\(home.music)/A first")
    case .namesSwapped:
      try move(folders[0], to: "\(home.music)/aside")
      try move(folders[1], to: folders[0])
      try move("\(home.music)/aside", to: folders[1])
    case .bothRenamed:
      try move(folders[0], to: "\(home.music)/Y")
      try move(folders[1], to: "\(home.music)/X")
    case .intoDiscs:
      for folder in folders {
        try move(folder, to: home.folder.path("aside"))
        try #require(mkdir(folder, 0o755) == 0)
        try move(home.folder.path("aside"), to: "\(folder)/CD1")
      }
    case .intoOneFolder:
      try home.folder.makeFolder("Music/Both")
      try move(folders[0], to: "\(home.music)/Both/one")
      try move(folders[1], to: "\(home.music)/Both/another")
    }
  }

  @Test(
    "Whatever becomes of their folders, they stay the albums they are",
    arguments: Purpose.allCases, RecognisingTests.Meanwhile.allCases)
  func folders(_ purpose: Purpose, _ meanwhile: RecognisingTests.Meanwhile) throws {
    let (session, order, _) = try start()
    if meanwhile == .stoppedWithoutIndex {
      try session.restart(withoutIndex: true)
      try session.restart { try perform(purpose) }
    } else {
      try session.meanwhile(running: meanwhile == .running) { try perform(purpose) }
    }
    expectSame(try session.client.order(), order, "\(purpose)")
    #expect(try session.client.songs().allSatisfy { $0.presence == .present })
    try session.restart(withoutIndex: true)
    expectSame(try session.client.order(), order, "\(purpose), later")
    try session.stop()
  }

  @Test(
    "Deleted, and restored in another order and another place, they are the albums they were",
    arguments: [true, false])
  func restored(whileRunning: Bool) throws {
    let (session, order, before) = try start()
    let aside = try home.folder.makeFolder("aside")
    let steps: [() throws -> Void] = [
      { try move(folders[0], to: "\(aside)/0") }, { try move(folders[1], to: "\(aside)/1") },
      { try move("\(aside)/1", to: "\(home.music)/Here") },
      { try move("\(aside)/0", to: folders[1]) },
      { try move("\(home.music)/Here", to: folders[0]) },
      // File by file back to where they were.
      { try exchange() },
    ]
    for (number, step) in steps.enumerated() {
      // While they run, a look may find half of the files exchanged, and the two albums go on as
      // each other: the rules allow that for what showed in between (1.4, b).
      try session.meanwhile(running: whileRunning && number < 5, step)
      expectSame(try session.client.order(), order, "step \(number + 1)")
    }
    #expect(paths(try session.client.songs()) == before)
    try session.stop()
  }

  /// The files of the two folders, one by one.
  private func exchange() throws {
    for index in 0..<4 {
      let aside = home.folder.path("aside.flac")
      try move(editions[0].paths[index], to: aside)
      try move(editions[1].paths[index], to: editions[0].paths[index])
      try move(aside, to: editions[1].paths[index])
    }
  }

  @Test("Both retitled, at once or one song of each after the other", arguments: [true, false])
  func retitled(atOnce: Bool) throws {
    let (session, order, _) = try start()
    for title in ["Album!", "Album"] {
      for index in 0..<4 {
        for edition in editions {
          var tags = edition.tags(of: index)
          tags["album"] = title
          try tagger.write(tags, to: edition.paths[index])
        }
        if !atOnce { try session.client.sync() }
      }
      try session.client.sync()
      expectSame(try session.client.order(), order, title)
    }
    try session.stop()
  }
}
