import CratesInterface
import ProgramSupport
import TestSupport
import Testing

/// What the second edition of the interface added, asked of the real daemon.
@Suite("The interface, second edition", .serialized, .limited)
struct SecondEditionTests {
  private let home: Home
  private let daemon: RunningDaemon
  private let client: CratesClient

  init() throws {
    home = try Home()
    try copy(try SampleMusic.albums([.flac, .mp3, .ogg, .opus]), to: "\(home.music)/Here")
    daemon = try RunningDaemon(home)
    client = try CratesClient(home)
    try client.sync()
  }

  private func change(_ call: Call) throws -> Interface.Change {
    guard case .change(let change) = try client.ask(call) else { throw WrongReply() }
    return change
  }

  private func ids(_ formats: [String]) throws -> [String] {
    try formats.map { try client.album("Album \($0)").id }
  }

  private func titles(_ crate: String = "Music") throws -> [String] {
    try client.albums().filter { $0.crate == crate }.map(\.title)
  }

  private func resolve(
    _ words: [[String]], _ wanted: [Interface.Kind]? = nil, beginning: Bool = false
  ) throws -> [Interface.Meaning] {
    let call = Call.resolve(words: words, wanted: wanted, beginning: beginning, count: nil)
    guard case .meanings(let meanings, _) = try client.ask(call) else { throw WrongReply() }
    return meanings
  }

  private func refusal(_ call: Call) -> InterfaceError? {
    do {
      try client.ask(call)
      return nil
    } catch { return error as? InterfaceError }
  }

  @Test("words mean crates, albums and songs, and follow what happens")
  func resolving() throws {
    let music = try resolve([["music"], ["MUSIC", "1"], ["Album flac", "2"], ["album:Album ogg"]])
    #expect(music[0].what.map(\.crate) == ["Music"])
    #expect(music[1].what.map(\.label) == [try client.albums()[0].label])
    #expect(music[2].what.map(\.label) == ["Second flac of Album flac"])
    #expect(music[3].what.map(\.album) == [try client.album("Album ogg").id])
    let near = try resolve([["Musci"], ["Albun flac"], ["quite another"]])
    #expect(near[0].near.map(\.label) == ["Music"])
    #expect(near[1].near.first?.label.hasPrefix("Album flac") == true)
    #expect(near[2] == Interface.Meaning())
    #expect(try resolve([["Album"]], beginning: true)[0].candidates.count == 4)
    #expect(
      refusal(.resolve(words: [["Music", "zero"]])) == .invalidParameter(parameter: "words"))
    // Known at once, as soon as the change is answered.
    try client.move(albums: try ids(["ogg"]), nil, to: "Jazz")
    #expect(try resolve([["Jazz", "1"]])[0].what.map(\.album) == (try ids(["ogg"])))
    let path = try #require(try client.songs().first).path
    #expect(try resolve([[path]])[0].what.count == 1)
    try daemon.stop()
  }

  @Test("a selection stands as it was named where that is asked for")
  func gathering() throws {
    let named = try ids(["ogg", "flac", "opus"])
    let moved = try change(
      .moveAlbums(
        albums: named, place: .top, crate: nil, gather: .given, sequence: nil))
    #expect(try titles().prefix(3) == ["Album ogg", "Album flac", "Album opus"])
    #expect(
      moved.summary == "Album ogg, Album flac and Album opus are on top of Music (1–3 of 4)")
    try daemon.stop()
  }

  @Test("a trial says what would be, and changes nothing")
  func trials() throws {
    let before = try titles()
    let watching = try ChangeStream(home)
    let trial = try change(
      .moveAlbums(
        albums: try ids(["ogg"]), place: .top, crate: "Late", sequence: nil, dryRun: true))
    #expect(trial.changed)
    #expect(trial.summary == "Album ogg would be in the new crate Late")
    #expect(trial.moves.map(\.crate) == ["Late", "Late"])
    #expect(trial.sequence == watching.sequence)
    #expect(try titles() == before)
    #expect(
      refusal(
        .renameCrate(crate: "None", name: "Else", sequence: nil, dryRun: true))
        == .noSuchCrate(name: "None"))
    #expect(refusal(.undo(sequence: nil, dryRun: true)) == .nothingToUndo())
    let real = try change(
      .moveAlbums(albums: try ids(["ogg"]), place: .top, crate: "Late", sequence: nil))
    #expect(real.summary == "Album ogg is in the new crate Late")
    let told = try #require(try watching.next())
    #expect(told == real)
    #expect(try client.changes(after: watching.sequence - 1).last?.summary == real.summary)
    try daemon.stop()
  }

  @Test("undo by steps, to a change, of a change; redo by steps")
  func steps() throws {
    let start = try titles()
    var sequences: [Int] = []
    for format in ["opus", "ogg", "mp3"] {
      let bottom = try change(
        .moveAlbums(albums: try ids([format]), place: .bottom, crate: "Jazz", sequence: nil))
      sequences.append(bottom.sequence)
    }
    #expect(refusal(.undo(count: 4, sequence: nil)) == .nothingToUndo(steps: 3))
    #expect(refusal(.undo(change: sequences[0], sequence: nil)) != nil)
    _ = try change(.undo(change: sequences[2], sequence: nil))
    _ = try change(.redo(sequence: nil))
    let undone = try change(.undo(count: 3, sequence: nil))
    #expect(undone.summary.hasPrefix("Taken back, 3 changes: "))
    #expect(try titles() == start)
    #expect(refusal(.redo(count: 4, sequence: nil)) == .nothingToRedo(steps: 3))
    _ = try change(.redo(count: 3, sequence: nil))
    #expect(try titles("Jazz").count == 3)
    _ = try change(.undo(to: sequences[0], sequence: nil))
    #expect(try titles("Jazz") == ["Album opus"])
    try daemon.stop()
  }

  @Test("texts of one album, of albums alone, and of a part")
  func texts() throws {
    let album = try client.album("Album flac")
    func text(_ call: Call) throws -> (String, Int) {
      guard case .text(let text, let sequence) = try client.ask(call) else { throw WrongReply() }
      return (text, sequence)
    }
    let (albums, _) = try text(.readText(crate: nil, songs: false))
    #expect(albums.split(separator: "\n").count == 5)
    let (one, sequence) = try text(.readText(crate: nil, album: album.id))
    var lines = one.split(separator: "\n").map(String.init)
    #expect(lines.count == 2 + album.songs)
    lines.swapAt(2, 3)
    let turned = try change(
      .applyText(
        text: lines.joined(separator: "\n"), sequence: sequence, crate: nil, album: album.id))
    #expect(turned.changed && turned.notes.isEmpty)
    let last = try #require(try client.albums().last)
    let part = "crate Late\n\talbum \(last.id) x\n"
    let partial = try change(
      .applyText(
        text: part, sequence: turned.sequence, crate: nil, songs: false, partial: true,
        origin: "Late.m3u"))
    #expect(partial.origin == "Late.m3u" && partial.notes.isEmpty)
    #expect(try titles("Late") == [last.title])
    #expect(try client.changes(after: turned.sequence).map(\.origin) == ["Late.m3u"])
    try daemon.stop()
  }

  @Test("listings by ids, with totals and what is known besides")
  func listings() throws {
    let chosen = try ids(["opus", "flac"])
    let call = Call.listAlbums(
      crate: nil, albums: chosen + ["nosuchnosuch"], gone: false, first: 1, count: 1)
    guard case .albums(let albums, let total, _) = try client.ask(call) else { throw WrongReply() }
    #expect(total == 2 && albums.count == 1)
    let order = try client.albums().map(\.id).filter(chosen.contains)
    #expect(albums.map(\.id) == Array(order.prefix(1)))
    #expect(
      albums[0].position == (try client.albums().firstIndex { $0.id == order[0] }).map { $0 + 1 })
    #expect(!albums[0].moved && albums[0].came > 0 && !albums[0].because.isEmpty)
    let song = try #require(try client.songs().first)
    let songs = Call.listSongs(
      crate: nil, album: nil, songs: [song.id], gone: false, first: nil, count: nil)
    guard case .songs(let found, let count, _) = try client.ask(songs) else { throw WrongReply() }
    #expect(found == [song] && count == 1)
    // A first scan may have put it there already.
    let isOnTop = try client.albums().first?.title == "Album ogg"
    try client.move(albums: try ids(["ogg"]), isOnTop ? .bottom : .top)
    #expect(try client.album("Album ogg").moved)
    try daemon.stop()
  }

  @Test("a search says how many there are, in one crate, without what is excluded")
  func searching() throws {
    func found(_ query: String, _ crate: String? = nil, _ limit: Int? = nil) throws -> [Int?] {
      guard
        case .found(let albums, _, let totalAlbums, let totalSongs, _) = try client.ask(
          .search(query: query, crate: crate, limit: limit))
      else { throw WrongReply() }
      return [albums.count, totalAlbums, totalSongs]
    }
    let songs = try client.songs().count
    #expect(try found("album", nil, 1) == [1, 4, 0])
    #expect(try found("album -title:nothing", nil, 1) == [1, 4, songs])
    #expect(try found("album -album:flac")[1] == 3)
    try client.move(albums: try ids(["ogg"]), nil, to: "Jazz")
    #expect(try found("album", "Jazz")[1] == 1)
    #expect(refusal(.search(query: "mood:blue", limit: nil)) != nil)
    #expect(refusal(.search(query: "x", crate: "None", limit: nil)) == .noSuchCrate(name: "None"))
    try daemon.stop()
  }

  @Test("the status is told when it differs, and where new albums go")
  func status() throws {
    let status = try client.status()
    #expect(status.newAlbums == "Music")
    #expect(status.settingsPath.hasSuffix("config.toml"))
    let watcher = try RawClient(socket: home.socket)
    let message: JSON = ["method": "org.crated.Crates.WatchStatus", "more": true]
    watcher.send(message.bytes + [0])
    let first = try #require(try watcher.reply())
    #expect(first["parameters"]?["problems"]?.array?.isEmpty == true)
    try client.move(albums: [try client.albums()[0].id], .bottom)
    let next = try #require(try watcher.reply())
    #expect(next["parameters"]?["problems"] == .null || next["parameters"]?["problems"] == nil)
    let sequence = next["parameters"]?["status"]?["sequence"]?.integer
    #expect(sequence == (try client.status().sequence))
    try daemon.stop()
  }
}

extension Interface.Album {
  fileprivate var label: String { artist.isEmpty ? title : "\(title) by \(artist)" }
}
