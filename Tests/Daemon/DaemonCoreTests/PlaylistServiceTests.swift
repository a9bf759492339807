import CratesInterface
import Glibc
import LibraryModel
import LogSupport
import Logging
import Platform
import Playlists
import TestSupport
import Testing

@testable import DaemonCore

@Suite("The playlists' thread", .limited)
struct PlaylistServiceTests {
  @Test("what is told before the end is written at the end, and nothing after it")
  func stopping() throws {
    let life = try PlaylistLife()
    life.keep(in: "Lists")
    for number in 1...50 { try life.add(UInt64(number)) }
    life.service.stop()
    for number in 1...50 {
      let text = try #require(life.text("Lists/Crate \(number).m3u8"))
      #expect(text.hasSuffix("/m/\(number).flac\n"))
    }
    try life.change(.crateRenamed("Crate 1", to: "Later"))
    life.service.stop()
    #expect(life.text("Lists/Later.m3u8") == nil)
  }

  @Test("it follows by itself: changes, new tags, and what others did meanwhile")
  func following() throws {
    let life = try PlaylistLife()
    try life.add(1)
    try life.add(2)
    life.keep(in: "Lists")
    life.service.wait(forRounds: 1)
    #expect(life.text("Lists/Crate 1.m3u8")?.contains(",1\n") == true)
    life.read("Title", of: SongID(number: 1))
    life.service.wait(forRounds: 2)
    #expect(life.text("Lists/Crate 1.m3u8")?.contains(",Title\n") == true)
    unlink(life.folder.path("Lists/Crate 1.m3u8"))
    try life.change(.crateRenamed("Crate 2", to: "Jazz"))
    life.service.wait(forRounds: 3)
    #expect(life.text("Lists/Crate 1.m3u8")?.contains(",Title\n") == true)
    #expect(life.text("Lists/Jazz.m3u8") != nil)
    #expect(life.text("Lists/Crate 2.m3u8") == nil)
    life.service.stop()
  }

  @Test("what was read just before the settings were read again is written")
  func readBeforeReload() throws {
    let life = try PlaylistLife()
    try life.add(1)
    life.keep(in: "Lists")
    life.service.wait(forRounds: 1)
    life.read("Title", of: SongID(number: 1))
    life.keep(in: "Lists")
    life.service.stop()
    #expect(life.text("Lists/Crate 1.m3u8")?.contains(",Title\n") == true)
  }

  @Test("what was read while no playlists were wanted for a moment is written")
  func readWhileOff() throws {
    let life = try PlaylistLife()
    try life.add(1)
    life.keep(in: "Lists")
    life.service.wait(forRounds: 1)
    // At once, so that it all comes to one writing.
    life.keep(in: nil)
    life.read("Title", of: SongID(number: 1))
    life.keep(in: "Lists")
    life.service.stop()
    #expect(life.text("Lists/Crate 1.m3u8")?.contains(",Title\n") == true)
  }

  @Test("problems are there for as long as they last, since they began")
  func problems() throws {
    let life = try PlaylistLife()
    let file = try life.folder.write("#EXTM3U\n", to: "Lists/Crate 1.m3u8")
    try life.add(1)
    life.keep(in: "Lists")
    life.service.wait(forRounds: 1)
    try #require(life.problems == [file])
    let since = life.service.problems.all[0].since
    try life.add(2)
    life.service.wait(forRounds: 2)
    #expect(life.problems == [file])
    #expect(life.service.problems.all.map(\.since) == [since])
    #expect(life.service.problems.all.map(\.problem.kind) == [.playlist])
    unlink(file)
    try life.add(3)
    life.service.wait(forRounds: 3)
    #expect(life.problems == [])
    #expect(life.text("Lists/Crate 1.m3u8")?.contains("#CRATED:") == true)
    life.service.stop()
  }

  @Test("what a player did is told to who decides, once, and stays until that one can")
  func edited() throws {
    let said = SaidLines()
    let life = try PlaylistLife(said.logger)
    for number in 1...3 { try life.add(UInt64(number)) }
    for number in 2...3 {
      try life.change(
        .albumMoved(
          AlbumID(number: UInt64(number)), crate: "Crate 1", after: nil,
          wasCrate: "Crate \(number)", wasAfter: nil))
    }
    let offered = Monitor<[EditedList]>([])
    life.service.submitEdits { request in
      guard case .list(let list, _) = request.action else { return }
      let isFirst = offered.withLock { offered in
        offered.append(list)
        return offered.count == 1
      }
      // The first time, the disk is full.
      let refusal = InterfaceError.changesRefused(reason: "full")
      let change = Interface.Change(
        changed: false, sequence: 1, time: "", author: .person, summary: "")
      request.answer(isFirst ? .failure(refusal) : .success(change))()
    }
    life.service.keep(
      PlaylistSettings(
        directory: BytePath(life.folder.path("Lists")), state: BytePath(life.folder.path("state")),
        takesEdits: true))
    life.service.wait(forRounds: 1)
    let text = try #require(life.text("Lists/Crate 1.m3u8"))
    #expect(text.contains("/m/3.flac"))
    // In place, and nothing in the library says so.
    try life.folder.write(
      "/m/1.flac\n/m/2.flac\nhttp://radio\n/m/3.flac\n", to: "Lists/Crate 1.m3u8")
    let lists = offered.wait { $0.count == 2 ? $0 : nil }
    said.wait(for: "Crate 1.m3u8 is not taken yet: nothing was changed: full")
    #expect(lists[0] == lists[1] && lists[0].name == "Crate 1.m3u8")
    let songs = (1...3).map { EditedList.Line.song(SongID(number: UInt64($0))) }
    #expect(lists[0].lines == songs[..<2] + [.unknown("http://radio")] + songs[2...])
    #expect(lists[0].bases == [[3, 2, 1].map { SongID(number: UInt64($0)) }])
    // One that has nothing but the crate's songs stays as the player wrote it.
    try life.folder.write("/m/3.flac\n/m/2.flac\n/m/1.flac\n", to: "Lists/Crate 1.m3u8")
    offered.wait { $0.count == 3 ? () : nil }
    try life.add(4)
    life.service.stop()
    #expect(life.text("Lists/Crate 4.m3u8") != nil)
    #expect(life.text("Lists/Crate 1.m3u8") == "/m/3.flac\n/m/2.flac\n/m/1.flac\n")
  }

  @Test(
    "what can't be taken of a player's list is told",
    arguments: ["[playlist]", "http://radio"])
  func declined(line: String) throws {
    let life = try PlaylistLife()
    try life.add(1)
    life.service.submitEdits { request in
      request.answer(.failure(.editRejected(line: 1, reason: "radio is no song")))()
    }
    life.service.keep(
      PlaylistSettings(
        directory: BytePath(life.folder.path("Lists")), state: BytePath(life.folder.path("state")),
        takesEdits: true))
    life.service.wait(forRounds: 1)
    try life.folder.write("\(line)\n/m/1.flac\n", to: "Lists/Crate 1.m3u8")
    // The list is looked at until it has settled and was declined, however many rounds that takes.
    var rounds = 1
    while life.problems.isEmpty {
      rounds += 1
      life.service.wait(forRounds: rounds)
    }
    let messages = life.service.problems.all.map(\.problem.message)
    #expect(messages.count == 1)
    let reason = line == "[playlist]" ? "a list of another kind" : "radio is no song"
    #expect(messages.first?.contains(reason) == true)
    life.service.stop()
  }

  @Test("without a directory nothing is kept; a new one gets all, and the old one stays as it is")
  func reloading() throws {
    let life = try PlaylistLife()
    life.keep(in: nil)
    try life.add(1)
    life.service.stop()
    life.keep(in: "Lists")
    life.service.wait(forRounds: 1)
    #expect(life.text("Lists/Crate 1.m3u8") != nil)
    life.keep(in: "Others")
    life.service.wait(forRounds: 2)
    #expect(life.text("Others/Crate 1.m3u8")?.contains("/m/1.flac") == true)
    try life.change(.crateRenamed("Crate 1", to: "Jazz"))
    life.service.wait(forRounds: 3)
    #expect(life.text("Others/Jazz.m3u8") != nil)
    #expect(life.text("Others/Crate 1.m3u8") == nil)
    #expect(life.text("Lists/Crate 1.m3u8") != nil)
    life.keep(in: nil)
    life.service.wait(forRounds: 4)
    try life.add(2)
    life.service.stop()
    #expect(life.text("Others/Crate 2.m3u8") == nil)
    #expect(life.text("Others/Jazz.m3u8") != nil)
  }
}
