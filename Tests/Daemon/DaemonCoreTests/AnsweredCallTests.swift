import CratesInterface
import LibraryModel
import Platform
import TestSupport
import Testing

@testable import DaemonCore

@Suite("Calls, as they are answered", .limited)
struct AnsweredCallTests {
  private let fixture: AnsweringFixture
  private let train: String
  private let steps: String
  private let blue: String

  /// One crate, `Music`: Giant Steps, Blue Train, Kind of Blue.
  init() throws {
    fixture = try AnsweringFixture()
    (train, steps, blue) = try fixture.findThree()
    try fixture.change(
      .moveAlbums(
        albums: [steps, train, blue], place: Interface.Place(.top), crate: nil, gather: .given,
        sequence: nil))
  }

  private var order: [String] {
    fixture.published.library.crates.flatMap { $0.albums.map(\.description) }
  }

  @Test("Edits name things by ids or their beginnings, and places by what is beside them")
  func edits() throws {
    func move(_ albums: [String], _ place: Interface.Place?, to crate: String? = nil) -> Call {
      .moveAlbums(albums: albums, place: place, crate: crate, sequence: nil)
    }
    #expect(order == [steps, train, blue])
    let change = try fixture.change(
      move([String(blue.prefix(8))], Interface.Place(.before, anchor: train)))
    #expect(change?.changed == true && change?.author == .person && change?.albums == [blue])
    #expect(order == [steps, blue, train])
    try fixture.change(move([steps], Interface.Place(.after, anchor: train)))
    #expect(order == [blue, train, steps])
    try fixture.change(move([steps], Interface.Place(.up)))
    #expect(order == [blue, steps, train])
    try fixture.change(move([blue], Interface.Place(.down)))
    #expect(order == [steps, blue, train])
    try fixture.change(move([steps], Interface.Place(.bottom)))
    #expect(order == [blue, train, steps])
    #expect(try fixture.change(move([steps], Interface.Place(.bottom)))?.changed == false)
    #expect(
      try fixture.refusal(move([], Interface.Place(.top))) == .invalidParameter(parameter: "albums")
    )
    #expect(try fixture.refusal(move([steps], nil)) == .invalidParameter(parameter: "place"))
    #expect(
      try fixture.refusal(move([steps], Interface.Place(.top), to: "Rock")) == nil)
    #expect(fixture.published.library.crates.map(\.name).sorted() == ["Music", "Rock"])
    #expect(
      try fixture.refusal(move(["zzzz2222zzzz"], Interface.Place(.top)))
        == .noSuchAlbum(id: "zzzz2222zzzz"))
  }

  @Test("What would be is told as such, with the number of what is, and changes nothing")
  func trials() throws {
    let before = fixture.published.library
    func trial(_ call: Call) throws -> Interface.Change? { try fixture.change(call) }
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
    #expect(fixture.published.library.sequence == before.sequence && order == [steps, train, blue])
  }

  @Test("A change after which new albums go to another crate says so, unless the settings name one")
  func newAlbums() throws {
    func notes(_ call: Call) throws -> [String]? { try fixture.change(call)?.notes }
    let toTop = { (isDryRun: Bool) in
      Call.moveCrate(
        crate: "Jazz", place: Interface.Place(.top), sequence: nil, dryRun: isDryRun)
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
    try fixture.change(.undo(sequence: nil))
    fixture.librarian.setNewAlbums("Music")
    #expect(try notes(toTop(false)) == [])
  }

  @Test("Songs move and are sorted within their album; albums are sorted, crates renamed")
  func sorting() throws {
    let songs = try fixture.songs(train)
    try fixture.change(
      .moveSongs(songs: [songs[1]], place: Interface.Place(.top), sequence: nil))
    #expect(try fixture.songs(train) == [songs[1], songs[0]])
    try fixture.change(
      .moveSongs(
        songs: [songs[1]], place: Interface.Place(.after, anchor: songs[0]), sequence: nil))
    #expect(try fixture.songs(train) == songs)
    for (order, ascending) in [
      (Interface.SongOrder.title, false), (.track, true), (.reversed, nil), (.title, true),
    ] {
      try fixture.change(
        .sortSongs(songs: songs, order: order, ascending: ascending, sequence: nil))
      let isReversed = order == .reversed || ascending == false
      #expect(try fixture.songs(train) == (isReversed ? [songs[1], songs[0]] : songs), "\(order)")
    }
    let orders: [(Interface.AlbumOrder, Bool?, [String])] = [
      (.title, true, [train, steps, blue]), (.released, true, [train, blue, steps]),
      (.reversed, nil, [steps, blue, train]), (.title, false, [blue, steps, train]),
      (.artist, true, [steps, train, blue]),
    ]
    for (sorting, ascending, expected) in orders {
      try fixture.change(
        .sortAlbums(
          albums: [train, steps, blue], order: sorting, ascending: ascending, sequence: nil))
      if sorting == .artist {
        #expect(order.last == blue)
      } else {
        #expect(order == expected, "\(sorting)")
      }
    }
    try fixture.change(.renameCrate(crate: "Music", name: "Jazz", sequence: nil))
    #expect(fixture.published.library.crates.map(\.name) == ["Jazz"])
    #expect(
      try fixture.refusal(.moveSongs(songs: [], place: Interface.Place(.top), sequence: nil))
        == .invalidParameter(parameter: "songs"))
  }

  @Test("Changes are taken back and made again, in steps or to a number, and tried")
  func undo() throws {
    let first = order
    for album in [train, blue] {
      try fixture.change(
        .moveAlbums(albums: [album], place: Interface.Place(.top), crate: nil, sequence: nil))
    }
    let last = order
    let number = fixture.published.library.sequence
    #expect(last == [blue, train, steps])
    try fixture.change(.undo(sequence: nil))
    #expect(order == [train, steps, blue])
    try fixture.change(.redo(sequence: nil))
    #expect(order == last)
    let trial = try fixture.change(.undo(count: 2, sequence: nil, dryRun: true))
    #expect(trial?.changed == true && order == last)
    try fixture.change(.undo(count: 2, sequence: nil))
    #expect(order == first)
    try fixture.change(.redo(count: 2, sequence: nil))
    #expect(order == last)
    #expect(
      try fixture.refusal(.undo(sequence: number))
        == .outdated(sequence: fixture.published.library.sequence))
  }

  @Test("An undo goes to a number, and back to one of later; or takes back the one that is meant")
  func undoTo() throws {
    var orders: [Int: [String]] = [:]
    var numbers: [Int] = []
    for album in [train, blue, steps] {
      numbers.append(fixture.published.library.sequence)
      orders[fixture.published.library.sequence] = order
      try fixture.change(
        .moveAlbums(albums: [album], place: Interface.Place(.top), crate: nil, sequence: nil))
    }
    let (last, newest) = (order, fixture.published.library.sequence)
    try fixture.change(.undo(to: numbers[0], sequence: nil))
    #expect(order == orders[numbers[0]])
    // What was in effect then was taken back since.
    try fixture.change(.undo(to: numbers[2], sequence: nil))
    #expect(order == orders[numbers[2]])
    try fixture.change(.undo(to: numbers[1], sequence: nil))
    try fixture.change(.redo(to: newest, sequence: nil))
    #expect(order == last)
    let now = fixture.published.library.sequence
    #expect(try fixture.refusal(.undo(to: now, sequence: nil)) == .nothingToUndo())
    // A number that no change has takes nothing back.
    for number in [now + 9, 0] {
      #expect(
        try fixture.refusal(.undo(to: number, sequence: nil)) == .invalidParameter(parameter: "to"))
    }
    #expect(try fixture.refusal(.redo(to: now, sequence: nil)) == .nothingToRedo())
    #expect(try fixture.refusal(.redo(sequence: nil)) == .nothingToRedo())
    #expect(try fixture.refusal(.redo(count: 2, sequence: nil)) == .nothingToRedo(steps: 0))
    guard case .nothingToUndo(let steps) = try fixture.refusal(.undo(count: 99, sequence: nil))
    else {
      Issue.record("there is so much to undo")
      return
    }
    #expect(steps == 4)
    // The one that is meant has to be the next.
    let change = try #require(
      try fixture.change(.renameCrate(crate: "Music", name: "Jazz", sequence: nil)))
    #expect(
      try fixture.refusal(.undo(change: now, sequence: nil)) == .outdated(sequence: change.sequence)
    )
    #expect(try fixture.change(.undo(change: change.sequence, sequence: nil))?.changed == true)
    #expect(fixture.published.library.crates.map(\.name) == ["Music"])
  }

  @Test("An undo to a number brings back the order of then, also what was taken back and cut off")
  func undoToWhatWasCutOff() throws {
    func move(_ album: String, to crate: String? = nil) throws {
      try fixture.change(
        .moveAlbums(albums: [album], place: Interface.Place(.top), crate: crate, sequence: nil))
    }
    try move(train)
    try move(blue, to: "Jazz")
    let songs = fixture.published.library.songs.values.filter { "\($0.album)" == train }
    try fixture.change(
      .sortSongs(
        songs: songs.map { "\($0.id)" }, order: .reversed, ascending: nil, sequence: nil))
    let then = fixture.published.library
    #expect(then.albums.values.contains { $0.isArranged })
    try fixture.change(.undo(count: 2, sequence: nil))
    // From here on it can't be done again.
    try move(steps)
    try fixture.change(.renameCrate(crate: "Music", name: "Pop", sequence: nil))
    try fixture.change(.undo(to: then.sequence, sequence: nil))
    func shape(_ library: Library) -> [String] {
      library.crates.flatMap { crate in
        ["\(crate.id) \(crate.name)"]
          + crate.albums.compactMap { library.albums[$0] }.flatMap { album in
            ["\(album.id) \(album.isArranged)"] + album.entries.map(\.description)
          }
      }
    }
    #expect(shape(fixture.published.library) == shape(then))
    // It is one step of undo.
    try fixture.change(.undo(sequence: nil))
    #expect(fixture.published.library.crates.map(\.name) == ["Pop"])
    #expect(order == [steps, train, blue])
  }

  @Test("Whatever was undone and done again, an undo to a number brings back the order of then")
  func undoToAnyNumber() throws {
    var random = SeededGenerator(usually: 20_261_130)
    var shown: String {
      fixture.published.library.crates.map { crate in
        "\(crate.name): \(crate.albums.map { "\($0)" })"
      }.joined(separator: ", ")
    }
    func perhaps(_ call: Call) { _ = try? fixture.change(call) }
    for _ in 0..<Effort.runs(20, nightly: 400) {
      var orders = [fixture.published.library.sequence: shown]
      for _ in 0..<14 {
        let album = [train, blue, steps].randomElement(using: &random) ?? blue
        let crate = ["Music", "Jazz", nil, nil].randomElement(using: &random) ?? nil
        let place: Interface.Place = Bool.random(using: &random) ? .init(.top) : .init(.bottom)
        switch Int.random(in: 0..<9, using: &random) {
        case 0...3:
          perhaps(.moveAlbums(albums: [album], place: place, crate: crate, sequence: nil))
        case 4: perhaps(.undo(count: 2, sequence: nil))
        case 5, 6: perhaps(.undo(sequence: nil))
        case 7: perhaps(.redo(sequence: nil))
        default:
          let number = try #require(orders.keys.sorted().randomElement(using: &random))
          perhaps(.undo(to: number, sequence: nil))
          #expect(shown == orders[number], "\(random)")
        }
        orders[fixture.published.library.sequence] = shown
      }
    }
  }

  @Test("What was forgotten and is there again is called as it was")
  func namesReturn() throws {
    func named(_ name: String) throws -> [Interface.Thing] {
      guard case .meanings(let found, _) = try fixture.reply(.resolve(words: [[name]])) else {
        return []
      }
      return try #require(found.first).what
    }
    #expect(try named("Kind of Blue").map(\.album) == [blue])
    #expect(try named("So What").count == 1)
    fixture.lose("Kind of Blue", 1)
    #expect(try named("Kind of Blue").map(\.presence) == [.gone])
    try fixture.change(
      .forget(songs: nil, albums: [blue], folder: nil, all: false, sequence: nil))
    #expect(try named("Kind of Blue") == [] && named("So What") == [])
    try fixture.change(.undo(sequence: nil))
    #expect(try named("Kind of Blue").map(\.album) == [blue])
    #expect(try named("So What").count == 1)
    try fixture.change(.renameCrate(crate: "Music", name: "Jazz", sequence: nil))
    #expect(try named("Jazz").map(\.crate) == ["Jazz"])
    #expect(try named("Music") == [])
  }

  @Test("A crate moves to what it is beside, and a text may be of one album")
  func crateAndAlbum() throws {
    for (album, crate) in [(train, "A"), (blue, "B")] {
      try fixture.change(
        .moveAlbums(albums: [album], place: Interface.Place(.top), crate: crate, sequence: nil))
    }
    func move(_ crate: String, _ place: Interface.Place) throws -> [String] {
      try fixture.change(.moveCrate(crate: crate, place: place, sequence: nil))
      return fixture.published.library.crates.map(\.name)
    }
    _ = try move("A", Interface.Place(.top))
    _ = try move("B", Interface.Place(.bottom))
    #expect(try move("A", Interface.Place(.after, anchor: "Music")) == ["Music", "A", "B"])
    #expect(try move("B", Interface.Place(.before, anchor: "Music")) == ["B", "Music", "A"])
    #expect(
      try fixture.refusal(
        .moveCrate(crate: "A", place: Interface.Place(.before, anchor: "C"), sequence: nil))
        == .noSuchCrate(name: "C"))
    let songs = try fixture.songs(train)
    guard
      case .text(let text, let read) = try fixture.reply(
        .readText(crate: nil, album: train, songs: true))
    else { throw WrongText() }
    let lines = text.split(separator: "\n", omittingEmptySubsequences: false)
    let places = try songs.map { song in
      try #require(lines.firstIndex { $0.contains(song) })
    }
    var edited = lines
    edited.swapAt(places[0], places[1])
    let change = try fixture.change(
      .applyText(
        text: edited.joined(separator: "\n"), sequence: read, crate: nil, album: train))
    #expect(change?.changed == true)
    #expect(try fixture.songs(train) == songs.reversed())
  }

  private struct WrongText: Error {}

  @Test("What is gone is forgotten, by song, album or folder, and what is there is not")
  func forget() throws {
    func forget(
      songs: [String]? = nil, albums: [String]? = nil, folder: String? = nil, all: Bool = false
    ) -> Call {
      .forget(songs: songs, albums: albums, folder: folder, all: all, sequence: nil)
    }
    fixture.lose("Blue Train", 1)
    fixture.lose("Giant Steps", 1)
    fixture.lose("Kind of Blue", 1)
    let songs = try fixture.songs(train)
    #expect(
      try fixture.refusal(forget(songs: [songs[1]])) == .invalidParameter(parameter: "songs"))
    #expect(try fixture.refusal(forget(folder: "x")) == .invalidParameter(parameter: "folder"))
    try fixture.change(forget(songs: [songs[0]]))
    #expect(try fixture.songs(train) == [songs[1]])
    try fixture.change(forget(folder: fixture.music.display + "/Giant Steps"))
    #expect(try fixture.songs(steps).count == 1)
    try fixture.change(forget(albums: [blue]))
    #expect(order.count == 2)
  }

  @Test("The order is read as text, and applied when it was edited")
  func text() throws {
    func text(_ crate: String? = nil, album: String? = nil, songs: Bool? = nil) throws -> String {
      guard
        case .text(let text, let sequence) = try fixture.reply(
          .readText(crate: crate, album: album, songs: songs))
      else { return "" }
      #expect(sequence == fixture.published.library.sequence)
      return text
    }
    let whole = try text()
    // It is known for as long as somebody may edit it.
    let known = fixture.librarian.texts.library(at: fixture.published.library.sequence)
    #expect(known?.sequence == fixture.published.library.sequence)
    #expect(whole.contains("Giant Steps") && whole.contains("Naima"))
    #expect(try !text(songs: false).contains("Naima"))
    let one = try text(album: train)
    #expect(one.contains("Locomotion") && !one.contains("Naima"))
    #expect(try fixture.refusal(.readText(crate: "Rock")) == .noSuchCrate(name: "Rock"))
    try fixture.find("Rock", by: "X", [("Y", 1)])
    try fixture.change(
      .moveAlbums(
        albums: [order[0]], place: Interface.Place(.top), crate: "Rock", sequence: nil))
    let apart = try #require(fixture.published.library.crates.first { $0.name == "Rock" })
    let moved = try #require(apart.albums.first?.description)
    #expect(
      try fixture.refusal(.readText(crate: "Music", album: moved)) == .noSuchAlbum(id: moved))

    let albums = Array(try #require(fixture.published.library.crate(named: "Music")).albums)
    _ = try text("Music", songs: false)
    let edited = "crate Music\n" + albums.reversed().map { "\talbum \($0)\n" }.joined()
    let read = fixture.published.library.sequence
    let change = try fixture.change(
      .applyText(text: edited, sequence: read, crate: "Music", songs: false))
    #expect(change?.changed == true)
    #expect(
      Array(try #require(fixture.published.library.crate(named: "Music")).albums)
        == albums.reversed())
    let other = Call.applyText(
      text: edited, sequence: read, crate: "Music", songs: false, origin: "two\nlines")
    #expect(try fixture.refusal(other) == .invalidParameter(parameter: "origin"))
    guard
      case .editRejected = try fixture.refusal(
        .applyText(text: "nonsense", sequence: read, crate: nil))
    else { return #expect(Bool(false), "nonsense is no order") }
  }

  @Test("The history is told from the newest on, bit by bit, with few readings")
  func history() throws {
    func history(_ limit: Int?, before: Int? = nil) throws -> [Int] {
      guard case .changes(let changes) = try fixture.reply(.history(limit: limit, before: before))
      else { return [] }
      return changes.map(\.sequence)
    }
    for number in 0..<10 {
      try fixture.change(
        .renameCrate(
          crate: number == 0 ? "Music" : "M\(number)", name: "M\(number + 1)", sequence: nil))
    }
    let all = try history(nil)
    #expect(
      all.count >= 13 && all == all.sorted(by: >) && all.first == fixture.published.library.sequence
    )
    #expect(try history(3) == Array(all.prefix(3)))
    #expect(try history(0).isEmpty)
    for (place, before) in all.enumerated() {
      #expect(try history(2, before: before) == Array(all.dropFirst(place + 1).prefix(2)))
    }
    #expect(try history(4, before: all[0] + 1) == Array(all.prefix(4)))
    #expect(try history(4, before: all[0] + 50) == Array(all.prefix(4)))
    #expect(try fixture.refusal(.history(limit: -1, before: nil)) != nil)
    // Nothing was before it, so that it is known from then on.
    #expect(fixture.source.state.withLock(\.read) == [200])
  }

  @Test("Of an earlier life's history so much is read as is asked for, and some more")
  func pastLife() throws {
    func history(_ limit: Int, before: Int? = nil, _ fixture: AnsweringFixture) throws -> [Int] {
      guard case .changes(let changes) = try fixture.reply(.history(limit: limit, before: before))
      else { return [] }
      return changes.map(\.sequence)
    }
    var first: AnsweringFixture? = try AnsweringFixture()
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

    var second: AnsweringFixture? = try AnsweringFixture(in: folder)
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

    let third = try AnsweringFixture(in: folder)
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
    var fixture: AnsweringFixture? = try AnsweringFixture()
    _ = try fixture?.findThree()
    _ = try fixture?.reply(.search(query: "train", limit: nil))
    _ = try fixture?.reply(.status)
    _ = try fixture?.replies(.watchStatus, most: 1)
    let remains = try #require(fixture?.remains)
    #expect(remains.count > 12)
    fixture = nil
    #expect(remains.left == [])
  }
}
