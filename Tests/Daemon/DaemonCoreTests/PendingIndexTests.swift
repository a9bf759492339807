import LibraryIndex
import LibraryModel
import TestSupport
import Testing

@testable import DaemonCore

@Suite("What the index has yet to be told", .limited)
struct PendingIndexTests {
  private static let second: Int64 = 1_000_000_000

  private func library(_ sequence: Int) -> Library {
    var library = Library()
    library.advance(to: sequence)
    return library
  }

  private func file(_ name: String) -> IndexedFile {
    let stamp = FileStamp(
      identity: FileIdentity(fileSystem: 1, inode: 2, birth: 3), size: 4, modified: 5, changed: 6)
    return IndexedFile(
      path: BytePath(name), song: SongID(number: 1),
      facts: FileFacts(
        stamp: stamp, tags: SongTags(), audio: AudioProperties(), digest: nil, format: "mp3"))
  }

  /// Files of which it is told, one of them that it is not there.
  private func files(_ count: Int) -> [(BytePath, IndexedFile?)] {
    (0..<count).map { (BytePath("/\($0)"), $0 == 0 ? nil : file("/\($0)")) }
  }

  @Test("there is nothing to do until there is, and then not at once again")
  func nothing() {
    var pending = PendingIndex()
    #expect(pending.due == .max && pending.take(due: .max, now: 5) == nil)
    pending.note(files(2))
    let taken = pending.take(due: pending.due, now: 5)
    #expect(taken?.files.compactMap(\.value).map(\.path) == [BytePath("/1")])
    #expect(taken?.files.count == 2)
    #expect(taken?.library == nil)
    #expect(pending.files.isEmpty && pending.take(due: pending.due, now: 5) == nil)
  }

  @Test("what an earlier daemon left is told, unless something newer has been said of the file")
  func older() throws {
    var pending = PendingIndex()
    pending.note(files(2))
    let left = ["/0", "/1", "/2", "/2"].enumerated().map { place, name in
      var file = file(name)
      file.song = SongID(number: UInt64(10 + place))
      return file
    }
    pending.note(older: PendingIndex.byPath(left))
    #expect(pending.files.count == 3)
    let gone = try #require(pending.files[BytePath("/0")])
    #expect(gone?.path == nil, "it is gone since")
    let songs = ["/1", "/2"].map { pending.files[BytePath($0)]??.song.number }
    #expect(songs == [1, 13], "the newest of each")
  }

  @Test("an order is written a second after the first change, with what came meanwhile")
  func order() {
    var pending = PendingIndex()
    let (one, other) = (AlbumID(number: 1), AlbumID(number: 2))
    pending.note(library(1), [one], now: 100)
    #expect(pending.due == 100 + Self.second)
    pending.note(library(2), [other], now: 200)
    let due = pending.due
    #expect(due == 100 + Self.second)
    #expect(pending.take(due: due, now: due - 1) == nil)
    // Files go at once, and the order when it is due.
    pending.note(files(1))
    let early = pending.take(due: due, now: due - 1)
    #expect(early?.files.count == 1 && early?.library == nil && early?.albums == [])
    let taken = pending.take(due: due, now: due)
    #expect(taken?.library?.sequence == 2 && taken?.albums == [one, other])
    #expect(taken?.files.isEmpty == true)
    #expect(pending.due == .max && pending.library == nil && pending.albums == [])
    // Who waits for another time is told.
    pending.note(library(3), [], now: 0)
    #expect(pending.take(due: .max, now: 1) != nil)
    #expect(pending.library?.sequence == 3)
  }

  @Test("what is followed as a whole is older than what was noted, and waits as long")
  func followed() {
    var pending = PendingIndex()
    pending.follow(library(1), now: 7)
    #expect(pending.due == 7 + Self.second && pending.library?.sequence == 1)
    pending.note(library(3), [], now: 8)
    pending.follow(library(2), lag: 0, now: 9)
    #expect(pending.due == 9 && pending.library?.sequence == 3)
  }

  @Test("after a failure everything waits a minute, whatever comes, but not the end")
  func failure() {
    var pending = PendingIndex()
    pending.note(library(1), [], now: 10)
    pending.fail(library(9), now: 20)
    let due = 20 + 60 * Self.second
    #expect(pending.due == due && pending.library?.sequence == 1)
    pending.note(library(2), [], now: 30)
    pending.follow(library(2), now: 40)
    #expect(pending.due == due)
    #expect(pending.take(due: due, now: due - 1) == nil)
    // Who asks for all to be written is answered with what there is.
    pending.asked = 1
    let asked = pending.take(due: due, now: due - 1)
    #expect(asked != nil && asked?.library == nil && pending.library?.sequence == 2)
    pending.answered = 1
    #expect(pending.take(due: due, now: due)?.library?.sequence == 2)
    pending.fail(library(9), now: 0)
    #expect(pending.library?.sequence == 9)
    pending.isStopping = true
    #expect(pending.take(due: pending.due, now: 1)?.library?.sequence == 9)
  }

  @Test("a scan holds all back for two seconds after each of its pieces")
  func held() {
    var pending = PendingIndex()
    pending.note(files(2))
    pending.note(library(1), [], now: 0)
    pending.hold(true, now: 5)
    pending.hold(true, now: 50)
    let due = 50 + 2 * Self.second
    #expect(pending.due == due)
    #expect(pending.take(due: due, now: due - 1) == nil)
    // Who waits for an earlier time is told of the later one, and gets nothing.
    let nothing = pending.take(due: 1, now: due - 1)
    #expect(nothing != nil && nothing?.files.isEmpty == true && nothing?.library == nil)
    #expect(pending.files.count == 2 && pending.library != nil)
    let taken = pending.take(due: due, now: due)
    #expect(taken?.files.count == 2 && taken?.library != nil && pending.due == .max)
  }

  @Test("who asks, the end, the last piece and too many files end what a scan holds back")
  func released() {
    for reason in 0..<4 {
      var pending = PendingIndex()
      pending.note(files(reason == 3 ? PendingIndex.mostHeld - 1 : 2))
      pending.note(library(1), [], now: 0)
      pending.hold(true, now: 0)
      let due = pending.due
      #expect(pending.take(due: due, now: 1) == nil)
      switch reason {
      case 0: pending.asked = 1
      case 1: pending.isStopping = true
      case 2: pending.hold(false, now: 1)
      default: pending.note([(BytePath("/one more"), nil)])
      }
      let taken = pending.take(due: due, now: 1)
      #expect(taken?.files.count == (reason == 3 ? PendingIndex.mostHeld : 2), "\(reason)")
      // The order has its own time, unless somebody wants it.
      #expect((taken?.library != nil) == (reason < 2), "\(reason)")
      #expect(pending.files.isEmpty && pending.heldUntil == .min)
    }
  }
}
