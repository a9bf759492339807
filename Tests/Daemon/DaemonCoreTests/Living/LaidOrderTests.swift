import CratesInterface
import Glibc
import LibraryModel
import LibraryStore
import Platform
import ProgramSupport
import TestSupport
import Testing

@testable import DaemonCore

@Suite("A former order that is laid over that of now", .serialized, .limited)
struct LaidOrderTests {
  private let home: Home
  private let care: StoreCare
  /// As the daemon left it before the albums were moved.
  private let former: FormerLibrary
  private let before: Order
  private let later: Order

  /// Three albums; the last was put to the top after the former order.
  init() throws {
    home = try Home()
    try SmallLibrary.write(albums: 3, to: home.music)
    care = StoreCare(store: BytePath(home.store))
    var living = try LivingDaemon(home)
    var client = try CratesClient(home)
    try client.sync()
    before = try client.order()
    try living.stop()
    let snapshot = try #require(try names(in: home.store).first { $0.hasPrefix("crates.") })
    former = try care.former(snapshot)
    living = try LivingDaemon(home)
    client = try CratesClient(home)
    try client.move(albums: [before.albums[2].id], .top)
    later = try client.order()
    try living.stop()
  }

  private func now() throws -> Order {
    let living = try LivingDaemon(home)
    let order = try CratesClient(home).order()
    try living.stop()
    return order
  }

  private func laying(index: String?) throws -> Laying {
    try care.laidOver(former, newAlbums: nil, index: index.map { BytePath($0) })
  }

  private func laid(index: String? = nil) throws -> LaidOrder {
    guard case .over(let laid) = try laying(index: index ?? home.index) else { throw WrongReply() }
    return laid
  }

  @Test("is shown first, is one change with its origin then, and can be undone")
  func committed() throws {
    #expect(former.library.songs.count == 9)
    #expect(former.origin == "order of \(former.date)")
    let text = former.text(isKnown: { _ in true }, home: { former.library.songs[$0]?.album })
    #expect(before.albums.allSatisfy { text.contains($0.id) })
    do {
      // Nobody has the store meanwhile.
      let shown = try laid()
      #expect(care.isInUse)
      #expect(shown.preview == "Album 0 would be at the bottom of Music (3 of 3)")
      #expect(throws: DaemonFailure.self) { _ = try laying(index: nil) }
    }
    // Without an index an album is told by what the store knows it by.
    let place = "would be at the bottom of Music (3 of 3)"
    let nowhere = home.folder.path("no/index.sqlite")
    #expect(try laid(index: nowhere).preview == "album 0 \(place)")
    #expect(!care.isInUse)
    #expect(try now() == later)
    let sentence = try laid().commit()
    #expect(sentence == "Restored the \(former.origin)", "\(sentence)")
    #expect(try now() == before)
    #expect(try laid().preview == nil)
    let living = try LivingDaemon(home)
    let client = try CratesClient(home)
    guard case .changes(let changes) = try client.ask(.history(limit: 1, before: nil)) else {
      throw WrongReply()
    }
    #expect(changes.map(\.summary) == [sentence] && changes.map(\.origin) == [former.origin])
    let age = Clock.system.wall() / 1_000_000
    #expect(changes[0].time <= Timestamp.text(age))
    #expect(changes[0].time > Timestamp.text(age - Int64(Patience.seconds) * 1000))
    try client.ask(.undo(sequence: nil))
    #expect(try client.order() == later)
    try living.stop()
  }

  @Test("is dated by the clock, though what was done before has later dates")
  func jumped() throws {
    let files = try DiskFiles(directory: BytePath(home.store))
    let start = Clock(monotonic: Clock.system.monotonic, wall: { 86_400_000_000_000 })
    let care = StoreCare(store: BytePath(home.store), clock: start)
    guard case .over(let laid) = try care.laidOver(former, newAlbums: nil, index: nil) else {
      throw WrongReply()
    }
    _ = try laid.commit()
    #expect(try PastLibrary(files).newestTime() == 86_400_000)
  }

  @Test("is laid over a store as a kill left it, by the songs' names, and leaves it whole")
  func killed() throws {
    let files = try DiskFiles(directory: BytePath(home.store))
    do {
      let opened = try Recovery.open(files)
      let change = Change.crateAdded("More", after: nil)
      _ = try opened.store.commit(
        [Transaction(by: .person, time: 1, sentence: "More", changes: [change])],
        to: opened.library)
    }
    #expect(Recovery.seal(ofClosed: files) == nil)
    do {
      let laid = try laid()
      #expect(laid.preview?.hasPrefix("Album 0 would be at the bottom of Music (3 of 3)") == true)
      _ = try laid.commit()
    }
    #expect(Recovery.seal(ofClosed: files) != nil)
    #expect(try now() == before)
  }

  @Test("has nothing to be laid over in a store that is not whole")
  func damaged() throws {
    let snapshot = try #require(try names(in: home.store).first { $0.hasPrefix("crates.") })
    let whole = try readFile("\(home.store)/\(snapshot)")
    for bytes in [[], Array(whole.prefix(whole.count / 2))] {
      try writeFile(bytes, to: "\(home.store)/\(snapshot)")
      guard case .nothing(let reason) = try laying(index: nil) else {
        Issue.record("it is laid over \(bytes.count) bytes")
        return
      }
      #expect(reason.contains(snapshot), "\(reason)")
    }
    // It can be put in its place.
    let said = try care.put(former)
    #expect(
      said.first?.hasSuffix(": 9 songs in 1 crate; what was there before is in backups") == true)
    #expect(try now() == before)
    let other = try #require(try names(in: home.store).first { $0.hasPrefix("crates.") })
    try writeFile(Array("crated 9\n".utf8), to: "\(home.store)/\(other)")
    let bodies = [{ _ = try laid() }, { _ = try care.put(former) }]
    for body in bodies {
      let newer = try #require(throws: DaemonFailure.self) { try body() }
      #expect(newer.status == DaemonFailure.configuration)
    }
  }

  @Test("is not read where there is no store, or none can be made")
  func nowhere() throws {
    let file = StoreCare(store: BytePath(try home.folder.write("x", to: "file")))
    for body in [
      { _ = try file.backups() }, { _ = try file.laidOver(former, newAlbums: nil, index: nil) },
      { _ = try file.put(former) },
    ] {
      let failure = try #require(throws: DaemonFailure.self) { try body() }
      #expect(failure.status == DaemonFailure.unusableStore)
    }
    #expect(!file.isInUse)
  }
}
