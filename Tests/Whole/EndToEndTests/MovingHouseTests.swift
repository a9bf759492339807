import CratesInterface
import Glibc
import ProgramSupport
import TestSupport
import Testing

/// Music folders that come into the configuration and leave it.
@Suite("Moving house", .serialized, .limited)
struct MovingHouseTests {
  let home: Home
  let tagger: Tagger
  let folders: [String]

  init() throws {
    home = try Home()
    tagger = try Tagger()
    folders = [home.music, try home.folder.makeFolder("Second"), home.folder.path("New house")]
    for (number, folder) in folders.prefix(2).enumerated() {
      for format in [SampleFormat.mp3, .flac, .aac] {
        let title = "\(format) \(number)"
        let path = "\(folder)/\(title)"
        try #require(mkdir(path, 0o755) == 0)
        let sounds = try SampleMusic.sounds(format).dropFirst(number * 4).prefix(4)
        _ = try TaggedAlbum(title, by: "Artist", format, of: sounds, in: path, tagger)
      }
    }
    try configure([0, 1])
  }

  private func configure(_ numbers: [Int]) throws {
    let quoted = numbers.map { "\"\(folders[$0])\"" }
    try home.configure("music_folders = [\(quoted.joined(separator: ", "))]\n")
  }

  /// Albums of both folders between each other, their songs in an order of the person's.
  @discardableResult
  private func arrange(_ client: CratesClient) throws -> Order {
    try #require(try client.songs().count == 24)
    for title in ["flac 1", "mp3 0", "aac 1", "flac 0"] {
      try client.move(albums: [try client.album(title).id], .top)
    }
    try client.move(albums: [try client.album("mp3 1").id], .top, to: "Evening")
    for album in try client.albums() where album.title != "aac 0" {
      let songs = try client.songs().filter { $0.album == album.id }.map(\.id)
      try client.move(songs: [songs[1], songs[3]], .top)
    }
    return try client.order()
  }

  private func reconfigure(
    _ session: Session, _ numbers: [Int], whileRunning: Bool
  ) throws {
    if whileRunning {
      try configure(numbers)
      try session.daemon.reload()
      try session.client.sync()
    } else {
      try session.restart { try configure(numbers) }
    }
  }

  @Test(
    "A folder that leaves the configuration is offline, and comes back as it was",
    arguments: [true, false])
  func leaving(whileRunning: Bool) throws {
    let session = try Session(home)
    let order = try arrange(session.client)
    let sequence = try session.client.status().sequence
    for numbers in [[0], [0, 1], [1], [1, 0]] {
      try reconfigure(session, numbers, whileRunning: whileRunning)
      expectSame(try session.client.order(), order, "folders \(numbers)")
      let status = try session.client.status()
      #expect(status.sequence == sequence)
      #expect(status.gone == 0)
      #expect(status.folders.map(\.path) == numbers.map { folders[$0] })
      for song in try session.client.songs() {
        let isThere = numbers.contains { song.path.hasPrefix(folders[$0] + "/") }
        #expect(song.presence == (isThere ? .present : .offline), "\(song.path)")
      }
    }
    try session.stop()
  }

  @Test(
    "A folder that is renamed with its setting leaves no other files, and no problems",
    arguments: [true, false])
  func renamedWithSetting(whileRunning: Bool) throws {
    let session = try Session(home)
    let order = try arrange(session.client)
    for (from, to) in [(0, 2), (2, 0), (0, 2)] {
      if whileRunning {
        try move(folders[from], to: folders[to])
        try reconfigure(session, [1, to], whileRunning: true)
      } else {
        try session.restart {
          try move(folders[from], to: folders[to])
          try configure([1, to])
        }
      }
      expectSame(try session.client.order(), order)
      #expect(try home.problems().isEmpty)
      #expect(try session.client.songs().allSatisfy { $0.presence == .present })
    }
    // What is deleted now is gone, and can be forgotten.
    try session.meanwhile(running: whileRunning) { removeTree("\(folders[2])/flac 0") }
    #expect(try session.client.status().gone == 4)
    expectSame(try session.client.order(), order)
    try session.restart()
    #expect(try session.client.status().gone == 4)
    try home.crate("forget", "--yes")
    #expect(try session.client.songs(gone: true).count == 20)
    #expect(try home.problems().isEmpty)
    try session.stop()
  }

  @Test(
    "A folder that left the settings is told of, and forgotten when it is named",
    arguments: [true, false])
  func left(whileRunning: Bool) throws {
    let session = try Session(home)
    try arrange(session.client)
    try session.client.move(albums: [try session.client.album("aac 0").id], .top, to: "Night")
    let order = try session.client.order()
    try reconfigure(session, [1], whileRunning: whileRunning)
    let problems = try home.problems()
    #expect(problems.map(\.path) == [folders[0]])
    #expect(problems.first?.message.contains("12 songs") == true)
    #expect(problems.first?.message.contains("crate forget") == true)
    #expect(try session.client.status().problems == 1)
    expectSame(try session.client.order(), order)
    // Without a name it stays, and so does what is there.
    try home.crate("forget", "--yes")
    try home.crate("forget", "--yes", folders[1], status: 1)
    #expect(try session.client.songs(gone: true).count == 24)
    try home.crate("forget", "--yes", "album:mp3 0")
    #expect(try home.problems().first?.message.contains("8 songs") == true)
    try home.crate("forget", "--yes", "Evening", status: 1)
    try home.crate("forget", "--yes", "Night")
    #expect(try home.problems().first?.message.contains("4 songs") == true)
    #expect(try session.client.songs(gone: true).count == 16)
    try home.crate("forget", "--yes", folders[0])
    #expect(try session.client.songs(gone: true).count == 12)
    #expect(try home.problems().isEmpty)
    // What was forgotten is new when its folder is back.
    try reconfigure(session, [0, 1], whileRunning: whileRunning)
    #expect(try session.client.songs().count == 24)
    #expect(try session.client.songs().allSatisfy { $0.presence == .present })
    try session.stop()
  }

  enum Move: CaseIterable {
    case folderRenamed, intoOther, fileByFile
  }

  @Test(
    "Songs whose folder left the configuration are recognised wherever they appear again",
    arguments: Move.allCases, [true, false])
  func moved(_ way: Move, whileRunning: Bool) throws {
    let session = try Session(home)
    let order = try arrange(session.client)
    let first = try session.client.status().sequence
    switch way {
    case .folderRenamed:
      // First the configuration, then the files; both while crated is stopped.
      if whileRunning { try reconfigure(session, [1], whileRunning: true) }
      try move(folders[0], to: folders[2])
      try reconfigure(session, [1, 2], whileRunning: whileRunning)
    case .intoOther:
      try reconfigure(session, [1], whileRunning: whileRunning)
      try session.meanwhile(running: whileRunning) {
        try move(folders[0], to: "\(folders[1])/from the old house")
      }
    case .fileByFile:
      try reconfigure(session, [1], whileRunning: whileRunning)
      try session.meanwhile(running: whileRunning) {
        let found = try run("find", [folders[0], "-type", "f"]).output
        for (number, path) in found.split(separator: "\n").map(String.init).enumerated() {
          let suffix = path.split(separator: ".").last ?? ""
          try copy(path, to: "\(folders[1])/song \(number).\(suffix)")
        }
      }
    }
    expectSame(try session.client.order(), order, "\(way)")
    #expect(try session.client.status().gone == 0)
    #expect(try session.client.songs().allSatisfy { $0.presence == .present })
    let notes = try session.client.changes(after: first).flatMap(\.notes)
    #expect(notes.count == 12)
    // In the same album it is another file with the sound of the one that is away.
    let words = ["recognised by the same sound", "recognised by a duplicate"]
    #expect(notes.allSatisfy { note in words.contains(where: note.contains) }, "\(notes)")
    try session.stop()
  }
}
