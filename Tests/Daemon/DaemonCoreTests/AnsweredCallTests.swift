import CratesInterface
import LibraryModel
import Platform
import TestSupport
import Testing

@testable import DaemonCore

@Suite("Calls, as they are answered", .limited)
struct AnsweredCallTests {
  private let desk: AnsweringDesk
  private let train: String
  private let steps: String
  private let blue: String

  /// One crate, `Music`: Giant Steps, Blue Train, Kind of Blue.
  init() throws {
    desk = try AnsweringDesk()
    (train, steps, blue) = try desk.findThree()
    try desk.change(
      .moveAlbums(
        albums: [steps, train, blue], place: Interface.Place(.top), crate: nil, gather: .given,
        sequence: nil))
  }

  private var order: [String] {
    desk.published.library.crates.flatMap { $0.albums.map(\.description) }
  }

  @Test("Edits name things by ids or their beginnings, and places by what is beside them")
  func edits() throws {
    func move(_ albums: [String], _ place: Interface.Place?, to crate: String? = nil) -> Call {
      .moveAlbums(albums: albums, place: place, crate: crate, sequence: nil)
    }
    #expect(order == [steps, train, blue])
    let change = try desk.change(
      move([String(blue.prefix(8))], Interface.Place(.before, anchor: train)))
    #expect(change?.changed == true && change?.author == .person && change?.albums == [blue])
    #expect(order == [steps, blue, train])
    try desk.change(move([steps], Interface.Place(.after, anchor: train)))
    #expect(order == [blue, train, steps])
    try desk.change(move([steps], Interface.Place(.up)))
    #expect(order == [blue, steps, train])
    try desk.change(move([blue], Interface.Place(.down)))
    #expect(order == [steps, blue, train])
    try desk.change(move([steps], Interface.Place(.bottom)))
    #expect(order == [blue, train, steps])
    #expect(try desk.change(move([steps], Interface.Place(.bottom)))?.changed == false)
    #expect(
      try desk.refusal(move([], Interface.Place(.top))) == .invalidParameter(parameter: "albums"))
    #expect(try desk.refusal(move([steps], nil)) == .invalidParameter(parameter: "place"))
    #expect(
      try desk.refusal(move([steps], Interface.Place(.top), to: "Rock")) == nil)
    #expect(desk.published.library.crates.map(\.name).sorted() == ["Music", "Rock"])
    #expect(
      try desk.refusal(move(["zzzz2222zzzz"], Interface.Place(.top)))
        == .noSuchAlbum(id: "zzzz2222zzzz"))
  }

  @Test("What would be is told as such, with the number of what is, and changes nothing")
  func trials() throws {
    let before = desk.published.library
    func trial(_ call: Call) throws -> Interface.Change? { try desk.change(call) }
    let albums = try trial(
      .moveAlbums(
        albums: [blue], place: Interface.Place(.top), crate: nil, sequence: nil, dryRun: true))
    #expect(albums?.summary == "Kind of Blue would be on top of Music (1 of 3)")
    #expect(albums?.changed == true && albums?.sequence == before.sequence)
    let crate = try trial(
      .renameCrate(crate: "Music", name: "Jazz", sequence: nil, dryRun: true))
    #expect(crate?.summary == "Music would be called Jazz")
    let nothing = try trial(
      .moveAlbums(
        albums: [steps], place: Interface.Place(.top), crate: nil, sequence: nil, dryRun: true))
    #expect(nothing?.changed == false && nothing?.sequence == before.sequence)
    #expect(nothing?.summary.hasPrefix("nothing to do: ") == true)
    #expect(desk.published.library.sequence == before.sequence && order == [steps, train, blue])
  }

  @Test("A change after which new albums go to another crate says so, unless the settings name one")
  func newAlbums() throws {
    func notes(_ call: Call) throws -> [String]? { try desk.change(call)?.notes }
    let toTop = { (isTrial: Bool) in
      Call.moveCrate(
        crate: "Jazz", place: Interface.Place(.top), sequence: nil, dryRun: isTrial)
    }
    #expect(
      try notes(.moveAlbums(albums: [blue], place: nil, crate: "Jazz", sequence: nil)) == [])
    #expect(try notes(toTop(true)) == ["new albums would then go on top of Jazz"])
    #expect(try notes(toTop(false)) == ["new albums now go on top of Jazz"])
    #expect(try notes(.renameCrate(crate: "Jazz", name: "Blues", sequence: nil)) == [])
    #expect(try notes(.undo(count: 2, sequence: nil)) == ["new albums now go on top of Music"])
    // A crate that is left empty is the first no more.
    #expect(
      try notes(
        .moveAlbums(albums: [steps, train], place: nil, crate: "Jazz", sequence: nil))
        == ["new albums now go on top of Jazz"])
    try desk.change(.undo(sequence: nil))
    desk.librarian.setNewAlbums("Music")
    #expect(try notes(toTop(false)) == [])
  }

  @Test("Songs move and are sorted within their album; albums are sorted, crates renamed")
  func sorting() throws {
    let songs = try desk.songs(train)
    try desk.change(
      .moveSongs(songs: [songs[1]], place: Interface.Place(.top), sequence: nil))
    #expect(try desk.songs(train) == [songs[1], songs[0]])
    try desk.change(
      .moveSongs(
        songs: [songs[1]], place: Interface.Place(.after, anchor: songs[0]), sequence: nil))
    #expect(try desk.songs(train) == songs)
    for (order, ascending) in [
      (Interface.SongOrder.title, false), (.track, true), (.reversed, nil), (.title, true),
    ] {
      try desk.change(
        .sortSongs(songs: songs, order: order, ascending: ascending, sequence: nil))
      let isReversed = order == .reversed || ascending == false
      #expect(try desk.songs(train) == (isReversed ? [songs[1], songs[0]] : songs), "\(order)")
    }
    let orders: [(Interface.AlbumOrder, Bool?, [String])] = [
      (.title, true, [train, steps, blue]), (.released, true, [train, blue, steps]),
      (.reversed, nil, [steps, blue, train]), (.title, false, [blue, steps, train]),
      (.artist, true, [steps, train, blue]),
    ]
    for (sorting, ascending, expected) in orders {
      try desk.change(
        .sortAlbums(
          albums: [train, steps, blue], order: sorting, ascending: ascending, sequence: nil))
      if sorting == .artist {
        #expect(order.last == blue)
      } else {
        #expect(order == expected, "\(sorting)")
      }
    }
    try desk.change(.renameCrate(crate: "Music", name: "Jazz", sequence: nil))
    #expect(desk.published.library.crates.map(\.name) == ["Jazz"])
    #expect(
      try desk.refusal(.moveSongs(songs: [], place: Interface.Place(.top), sequence: nil))
        == .invalidParameter(parameter: "songs"))
  }

  @Test("Changes are taken back and made again, in steps or to a number, and tried")
  func undo() throws {
    let first = order
    for album in [train, blue] {
      try desk.change(
        .moveAlbums(albums: [album], place: Interface.Place(.top), crate: nil, sequence: nil))
    }
    let last = order
    let number = desk.published.library.sequence
    #expect(last == [blue, train, steps])
    try desk.change(.undo(sequence: nil))
    #expect(order == [train, steps, blue])
    try desk.change(.redo(sequence: nil))
    #expect(order == last)
    let trial = try desk.change(.undo(count: 2, sequence: nil, dryRun: true))
    #expect(trial?.changed == true && order == last)
    try desk.change(.undo(count: 2, sequence: nil))
    #expect(order == first)
    try desk.change(.redo(count: 2, sequence: nil))
    #expect(order == last)
    #expect(
      try desk.refusal(.undo(sequence: number))
        == .outdated(sequence: desk.published.library.sequence))
  }

  @Test("An undo goes to a number, and back to one of later; or takes back the one that is meant")
  func undoTo() throws {
    var orders: [Int: [String]] = [:]
    var numbers: [Int] = []
    for album in [train, blue, steps] {
      numbers.append(desk.published.library.sequence)
      orders[desk.published.library.sequence] = order
      try desk.change(
        .moveAlbums(albums: [album], place: Interface.Place(.top), crate: nil, sequence: nil))
    }
    let (last, newest) = (order, desk.published.library.sequence)
    try desk.change(.undo(to: numbers[0], sequence: nil))
    #expect(order == orders[numbers[0]])
    // What was in effect then was taken back since.
    try desk.change(.undo(to: numbers[2], sequence: nil))
    #expect(order == orders[numbers[2]])
    try desk.change(.undo(to: numbers[1], sequence: nil))
    try desk.change(.redo(to: newest, sequence: nil))
    #expect(order == last)
    let now = desk.published.library.sequence
    #expect(try desk.refusal(.undo(to: now, sequence: nil)) == .nothingToUndo())
    // A number that no change has takes nothing back.
    for number in [now + 9, 0] {
      #expect(
        try desk.refusal(.undo(to: number, sequence: nil)) == .invalidParameter(parameter: "to"))
    }
    #expect(try desk.refusal(.redo(to: now, sequence: nil)) == .nothingToRedo())
    #expect(try desk.refusal(.redo(sequence: nil)) == .nothingToRedo())
    #expect(try desk.refusal(.redo(count: 2, sequence: nil)) == .nothingToRedo(steps: 0))
    guard case .nothingToUndo(let steps) = try desk.refusal(.undo(count: 99, sequence: nil)) else {
      Issue.record("there is so much to undo")
      return
    }
    #expect(steps == 4)
    // The one that is meant has to be the next.
    let change = try #require(
      try desk.change(.renameCrate(crate: "Music", name: "Jazz", sequence: nil)))
    #expect(
      try desk.refusal(.undo(change: now, sequence: nil)) == .outdated(sequence: change.sequence))
    #expect(try desk.change(.undo(change: change.sequence, sequence: nil))?.changed == true)
    #expect(desk.published.library.crates.map(\.name) == ["Music"])
  }

  @Test("An undo to a number brings back the order of then, also what was taken back and cut off")
  func undoToWhatWasCutOff() throws {
    func move(_ album: String, to crate: String? = nil) throws {
      try desk.change(
        .moveAlbums(albums: [album], place: Interface.Place(.top), crate: crate, sequence: nil))
    }
    try move(train)
    try move(blue, to: "Jazz")
    let songs = desk.published.library.songs.values.filter { "\($0.album)" == train }
    try desk.change(
      .sortSongs(
        songs: songs.map { "\($0.id)" }, order: .reversed, ascending: nil, sequence: nil))
    let then = desk.published.library
    #expect(then.albums.values.contains { $0.isArranged })
    try desk.change(.undo(count: 2, sequence: nil))
    // From here on it can't be done again.
    try move(steps)
    try desk.change(.renameCrate(crate: "Music", name: "Pop", sequence: nil))
    try desk.change(.undo(to: then.sequence, sequence: nil))
    func shape(_ library: Library) -> [String] {
      library.crates.flatMap { crate in
        ["\(crate.id) \(crate.name)"]
          + crate.albums.compactMap { library.albums[$0] }.flatMap { album in
            ["\(album.id) \(album.isArranged)"] + album.entries.map(\.description)
          }
      }
    }
    #expect(shape(desk.published.library) == shape(then))
    // It is one step of undo.
    try desk.change(.undo(sequence: nil))
    #expect(desk.published.library.crates.map(\.name) == ["Pop"])
    #expect(order == [steps, train, blue])
  }

  @Test("What was forgotten and is there again is called as it was")
  func namesReturn() throws {
    func named(_ name: String) throws -> [Interface.Thing] {
      guard case .meanings(let found, _) = try desk.reply(.resolve(words: [[name]])) else {
        return []
      }
      return try #require(found.first).what
    }
    #expect(try named("Kind of Blue").map(\.album) == [blue])
    #expect(try named("So What").count == 1)
    desk.lose("Kind of Blue", 1)
    #expect(try named("Kind of Blue").map(\.presence) == [.gone])
    try desk.change(
      .forget(songs: nil, albums: [blue], folder: nil, all: false, sequence: nil))
    #expect(try named("Kind of Blue") == [] && named("So What") == [])
    try desk.change(.undo(sequence: nil))
    #expect(try named("Kind of Blue").map(\.album) == [blue])
    #expect(try named("So What").count == 1)
    try desk.change(.renameCrate(crate: "Music", name: "Jazz", sequence: nil))
    #expect(try named("Jazz").map(\.crate) == ["Jazz"])
    #expect(try named("Music") == [])
  }

  @Test("A crate moves to what it is beside, and a text may be of one album")
  func crateAndAlbum() throws {
    for (album, crate) in [(train, "A"), (blue, "B")] {
      try desk.change(
        .moveAlbums(albums: [album], place: Interface.Place(.top), crate: crate, sequence: nil))
    }
    func move(_ crate: String, _ place: Interface.Place) throws -> [String] {
      try desk.change(.moveCrate(crate: crate, place: place, sequence: nil))
      return desk.published.library.crates.map(\.name)
    }
    _ = try move("A", Interface.Place(.top))
    _ = try move("B", Interface.Place(.bottom))
    #expect(try move("A", Interface.Place(.after, anchor: "Music")) == ["Music", "A", "B"])
    #expect(try move("B", Interface.Place(.before, anchor: "Music")) == ["B", "Music", "A"])
    #expect(
      try desk.refusal(
        .moveCrate(crate: "A", place: Interface.Place(.before, anchor: "C"), sequence: nil))
        == .noSuchCrate(name: "C"))
    let songs = try desk.songs(train)
    guard
      case .text(let text, let read) = try desk.reply(
        .readText(crate: nil, album: train, songs: true))
    else { throw WrongText() }
    let lines = text.split(separator: "\n", omittingEmptySubsequences: false)
    let places = try songs.map { song in
      try #require(lines.firstIndex { $0.contains(song) })
    }
    var edited = lines
    edited.swapAt(places[0], places[1])
    let change = try desk.change(
      .applyText(
        text: edited.joined(separator: "\n"), sequence: read, crate: nil, album: train))
    #expect(change?.changed == true)
    #expect(try desk.songs(train) == songs.reversed())
  }

  private struct WrongText: Error {}

  @Test("What is gone is forgotten, by song, album or folder, and what is there is not")
  func forget() throws {
    func forget(
      songs: [String]? = nil, albums: [String]? = nil, folder: String? = nil, all: Bool = false
    ) -> Call {
      .forget(songs: songs, albums: albums, folder: folder, all: all, sequence: nil)
    }
    desk.lose("Blue Train", 1)
    desk.lose("Giant Steps", 1)
    desk.lose("Kind of Blue", 1)
    let songs = try desk.songs(train)
    #expect(
      try desk.refusal(forget(songs: [songs[1]])) == .invalidParameter(parameter: "songs"))
    #expect(try desk.refusal(forget(folder: "x")) == .invalidParameter(parameter: "folder"))
    try desk.change(forget(songs: [songs[0]]))
    #expect(try desk.songs(train) == [songs[1]])
    try desk.change(forget(folder: desk.music.display + "/Giant Steps"))
    #expect(try desk.songs(steps).count == 1)
    try desk.change(forget(albums: [blue]))
    #expect(order.count == 2)
  }

  @Test("The order is read as text, and applied when it was edited")
  func text() throws {
    func text(_ crate: String? = nil, album: String? = nil, songs: Bool? = nil) throws -> String {
      guard
        case .text(let text, let sequence) = try desk.reply(
          .readText(crate: crate, album: album, songs: songs))
      else { return "" }
      #expect(sequence == desk.published.library.sequence)
      return text
    }
    let whole = try text()
    // It is known for as long as somebody may edit it.
    let known = desk.librarian.texts.library(at: desk.published.library.sequence)
    #expect(known?.sequence == desk.published.library.sequence)
    #expect(whole.contains("Giant Steps") && whole.contains("Naima"))
    #expect(try !text(songs: false).contains("Naima"))
    let one = try text(album: train)
    #expect(one.contains("Locomotion") && !one.contains("Naima"))
    #expect(try desk.refusal(.readText(crate: "Rock")) == .noSuchCrate(name: "Rock"))
    try desk.find("Rock", by: "X", [("Y", 1)])
    try desk.change(
      .moveAlbums(
        albums: [order[0]], place: Interface.Place(.top), crate: "Rock", sequence: nil))
    let apart = try #require(desk.published.library.crates.first { $0.name == "Rock" })
    let moved = try #require(apart.albums.first?.description)
    #expect(
      try desk.refusal(.readText(crate: "Music", album: moved)) == .noSuchAlbum(id: moved))

    let albums = Array(try #require(desk.published.library.crate(named: "Music")).albums)
    _ = try text("Music", songs: false)
    let edited = "crate Music\n" + albums.reversed().map { "\talbum \($0)\n" }.joined()
    let read = desk.published.library.sequence
    let change = try desk.change(
      .applyText(text: edited, sequence: read, crate: "Music", songs: false))
    #expect(change?.changed == true)
    #expect(
      Array(try #require(desk.published.library.crate(named: "Music")).albums)
        == albums.reversed())
    let other = Call.applyText(
      text: edited, sequence: read, crate: "Music", songs: false, origin: "two\nlines")
    #expect(try desk.refusal(other) == .invalidParameter(parameter: "origin"))
    guard
      case .editRejected = try desk.refusal(
        .applyText(text: "nonsense", sequence: read, crate: nil))
    else { return #expect(Bool(false), "nonsense is no order") }
  }

  @Test("The history is told from the newest on, bit by bit, with few readings")
  func history() throws {
    func history(_ limit: Int?, before: Int? = nil) throws -> [Int] {
      guard case .changes(let changes) = try desk.reply(.history(limit: limit, before: before))
      else { return [] }
      return changes.map(\.sequence)
    }
    for number in 0..<10 {
      try desk.change(
        .renameCrate(
          crate: number == 0 ? "Music" : "M\(number)", name: "M\(number + 1)", sequence: nil))
    }
    let all = try history(nil)
    #expect(
      all.count >= 13 && all == all.sorted(by: >) && all.first == desk.published.library.sequence)
    #expect(try history(3) == Array(all.prefix(3)))
    #expect(try history(0).isEmpty)
    for (place, before) in all.enumerated() {
      #expect(try history(2, before: before) == Array(all.dropFirst(place + 1).prefix(2)))
    }
    #expect(try history(4, before: all[0] + 1) == Array(all.prefix(4)))
    #expect(try history(4, before: all[0] + 50) == Array(all.prefix(4)))
    #expect(try desk.refusal(.history(limit: -1, before: nil)) != nil)
    // Nothing was before it, so that it is known from then on.
    #expect(desk.source.state.withLock(\.read) == [200])
  }

  @Test("Of an earlier life's history so much is read as is asked for, and some more")
  func pastLife() throws {
    func history(_ limit: Int, before: Int? = nil, _ desk: AnsweringDesk) throws -> [Int] {
      guard case .changes(let changes) = try desk.reply(.history(limit: limit, before: before))
      else { return [] }
      return changes.map(\.sequence)
    }
    var first: AnsweringDesk? = try AnsweringDesk()
    let folder = try #require(first?.folder)
    try first?.find("A", by: "X", [("A", 1)])
    for number in 0..<16 {
      try first?.change(
        .renameCrate(
          crate: number == 0 ? "Music" : "M\(number)", name: "M\(number + 1)", sequence: nil))
    }
    let all = try history(1_000, try #require(first))
    #expect(all.count >= 17)
    first = nil

    var second: AnsweringDesk? = try AnsweringDesk(in: folder)
    func told(_ limit: Int, from place: Int? = nil) throws -> [Int] {
      try history(limit, before: place.map { all[$0] }, try #require(second))
    }
    #expect(try told(2) == Array(all[..<2]) && told(4) == Array(all[..<4]))
    #expect(try told(5) == Array(all[..<5]))
    // Behind what is known, and far behind it.
    #expect(try told(2, from: 9) == Array(all[10...11]))
    #expect(try told(60, from: 9) == Array(all[10...]))
    #expect(second?.source.state.withLock(\.read) == [4, 10, 24])
    second = nil

    let third = try AnsweringDesk(in: folder)
    #expect(try history(1, before: all[0], third) == [all[1]])
    #expect(try history(2, before: all[5], third) == Array(all[6...7]))
    #expect(third.source.state.withLock(\.read) == [1, 2])
    third.source.state.withLock { $0.pastFault = "it is damaged" }
    #expect(
      try third.refusal(.history(limit: 9, before: nil))
        == .changesRefused(reason: "it is damaged"))
  }

  @Test("Nothing is left of who answers at the end, though all have worked")
  func remains() throws {
    var desk: AnsweringDesk? = try AnsweringDesk()
    _ = try desk?.findThree()
    _ = try desk?.reply(.search(query: "train", limit: nil))
    _ = try desk?.reply(.status)
    _ = try desk?.replies(.watchStatus, most: 1)
    let remains = try #require(desk?.remains)
    #expect(remains.count > 12)
    desk = nil
    #expect(remains.left == [])
  }
}
