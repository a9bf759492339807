import CratesInterface
import Glibc
import Platform
import ProgramSupport
import TestSupport
import Testing

/// What is shown at a start before the songs are read.
@Suite("An outline at the start", .serialized, .limited)
struct OutlineTests {
  private let home: Home
  private let before: Answers
  private var outline: String { home.folder.path("cache/crated/outline") }

  /// What can be told without songs.
  private struct Answers: Equatable {
    var crates: [Interface.Crate]
    var albums: [Interface.Album]
    var counts: [Int]

    init(_ client: CratesClient) throws {
      guard case .crates(let crates, _) = try client.ask(.listCrates) else { throw WrongReply() }
      self.crates = crates
      albums = try client.albums(gone: true).map { album in
        // No snapshot keeps with which change an album came.
        var album = album
        album.came = 0
        return album
      }
      let status = try client.status()
      counts = [status.sequence, status.crates, status.albums, status.songs, status.gone]
      counts += status.folders.map(\.songs)
    }
  }

  /// A library in two crates, with a gone song and a gone album, that was left whole.
  init() throws {
    home = try Home()
    try SmallLibrary.write(albums: 4, to: home.music)
    let daemon = try RunningDaemon(home)
    let client = try CratesClient(home)
    try client.sync()
    let albums = try client.albums()
    try client.move(albums: [albums[2].id], .top)
    try client.move(albums: [albums[1].id], .top, to: "Late")
    let songs = try client.songs()
    let leaving = songs.filter { $0.album == albums[3].id } + [songs[0]]
    for song in leaving { unlink(song.path) }
    try client.sync()
    before = try Answers(client)
    try #require(before.counts[4] == leaving.count)
    try daemon.stop()
  }

  /// Keeps SQLite from the index until it is closed (sqlite.org/lockingv3.html).
  private func lockedIndex() throws -> OpenFile {
    let file = OpenFile(owning: open(home.index, O_RDWR | O_CLOEXEC))
    var lock = flock()
    lock.l_type = Int16(F_WRLCK)
    (lock.l_start, lock.l_len) = (0x4000_0000, 512)
    try #require(fcntl(file.descriptor, F_SETLK, &lock) == 0)
    return file
  }

  @Test("Crates and albums are listed while the songs are being read")
  func listedFirst() throws {
    let order: Order
    do {
      let index = try lockedIndex()
      let daemon = try RunningDaemon(home, until: "STATUS=Reading the songs")
      let client = try CratesClient(home)
      #expect(try Answers(client) == before)
      #expect(!daemon.news().contains("READY=1"), "the songs are there")
      // Who asks for more waits for it, and so does who changes something.
      _ = consume index
      order = try client.order()
      try client.move(albums: [before.albums[0].id], .bottom)
      try client.move(albums: [before.albums[0].id], .top)
      try client.sync()
      #expect(try Answers(client).albums == before.albums)
      try daemon.kill()
    }
    // The outline was none of what the person did since.
    let daemon = try RunningDaemon(home)
    #expect(try CratesClient(home).order() == order)
    #expect(try CratesClient(home).status().sequence > before.counts[0])
    try daemon.stop()
  }

  @Test("No question keeps others from their answers while the songs are being read")
  func questions() throws {
    let calls: [Call] = [
      .sync, .rescan(path: nil), .rescan(path: home.music), .watch(since: nil), .problems,
      .history(limit: nil, before: nil), .search(query: "Album", limit: nil),
      .readText(crate: nil), .artwork(album: before.albums[0].id),
      .listSongs(crate: nil, album: nil, gone: true, first: nil, count: nil),
      .undo(sequence: nil),
    ]
    for call in calls {
      // Each with one of its own, because SQLite waits for five seconds only.
      let index = try lockedIndex()
      let daemon = try RunningDaemon(home, until: "STATUS=Reading the songs")
      let asking = try RawClient(home)
      let method: JSON = .string(call.method.fullName)
      var message: JSON = ["method": method, "parameters": call.parameters]
      // A call as `crate` makes it where there may be something to tell meanwhile.
      if [.sync, .rescan, .watch].contains(call.method) {
        message = ["method": method, "parameters": call.parameters, "more": true]
      }
      asking.send(message.bytes + [0])
      if call.method == .sync {
        let reply = try #require(try asking.reply())
        #expect(reply["continues"] == true, "\(reply)")
      }
      #expect(try Answers(try CratesClient(home)) == before, "\(call)")
      _ = consume index
      try CratesClient(home).sync()
      try daemon.stop()
    }
  }

  @Test("It is not used where it is damaged, nor for a store that is not as it was left")
  func notUsed() throws {
    let reading: Substring = "STATUS=Reading the songs"
    let whole = try readFile(outline)
    let names = try names(in: home.store).filter { $0.hasPrefix("crates.") }
    try #require(names.count == 1)
    let snapshot = "\(home.store)/\(names[0])"
    let text = try readFile(snapshot)
    /// Killed, it leaves all as it was but the outline.
    func isUsed(_ outline: [UInt8], _ text: [UInt8]) throws -> Bool {
      try writeFile(outline, to: self.outline)
      try writeFile(text, to: snapshot)
      let daemon = try RunningDaemon(home)
      #expect(try Answers(CratesClient(home)).albums == before.albums)
      try daemon.kill()
      #expect(access(self.outline, F_OK) != 0, "it would tell of the past")
      return daemon.passedNews.contains(reading)
    }
    #expect(try isUsed(whole, text))
    #expect(try !isUsed(whole.dropLast() + [whole[whole.count - 1] ^ 1], text), "damaged")
    #expect(try isUsed(whole, text))
    let lines = String(decoding: text, as: UTF8.self).split(separator: "\n").dropLast()
    let edited = (lines + ["end edited\n"]).joined(separator: "\n")
    #expect(try !isUsed(whole, Array(edited.utf8)), "edited")
  }
}
