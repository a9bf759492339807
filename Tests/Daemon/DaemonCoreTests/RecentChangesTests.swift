import CratesInterface
import TestSupport
import Testing

@testable import DaemonCore

@Suite("Recent changes", .limited)
struct RecentChangesTests {
  private func change(_ sequence: Int, songs: Int = 0) -> Interface.Change {
    Interface.Change(
      changed: true, sequence: sequence, time: "", author: .folder, summary: "",
      songs: (0..<songs).map { "\(sequence)-\($0)" })
  }

  @Test("are told from any of them on, and not from one that was there before")
  func since() {
    var recent = RecentChanges(after: 7)
    #expect(recent.since(7)?.isEmpty == true && recent.since(6) == nil)
    for sequence in [9, 12, 13] { recent.append(change(sequence)) }
    #expect(recent.since(7)?.map(\.sequence) == [9, 12, 13])
    #expect(recent.since(9)?.map(\.sequence) == [12, 13])
    #expect(recent.since(10)?.map(\.sequence) == [12, 13])
    #expect(recent.since(13)?.isEmpty == true && recent.since(6) == nil)
  }

  @Test("name as much as they list, of whatever kind")
  func names() {
    var change = change(1, songs: 2)
    change.albums = ["a"]
    change.crates = ["b", "c", "d"]
    change.moves = (0..<5).map { _ in Interface.Move(crate: "b", album: "a") }
    #expect(change.nameCount == 2 + 1 + 3 + 5)
  }

  @Test("are kept up to the limits, and of more a half stays")
  func limits() {
    for (songs, most) in [(0, 6), (5, 4), (10, 2), (20, 1)] {
      var recent = RecentChanges(after: 0, most: 6, mostNames: 20)
      for sequence in 1...most { recent.append(change(sequence, songs: songs)) }
      #expect(recent.newest(9).map(\.sequence) == (1...most).reversed(), "\(songs)")
      #expect(recent.since(0)?.count == most)
      recent.append(change(most + 1, songs: songs))
      let kept = most == 1 ? 0 : most / 2
      #expect(recent.newest(9).map(\.sequence) == (0..<kept).map { most + 1 - $0 }, "\(songs)")
      #expect(recent.since(most + 1 - kept)?.count == kept)
      #expect(recent.since(most - kept) == nil)
    }
  }

  @Test("are by thousands unless said otherwise")
  func usualLimits() {
    var recent = RecentChanges(after: 0)
    for sequence in 1...8_192 { recent.append(change(sequence)) }
    #expect(recent.since(0)?.count == 8_192)
    recent.append(change(8_193))
    #expect(recent.newest(.max).count == 4_096)
    recent.append(change(8_194, songs: 32_768))
    #expect(recent.newest(.max).count == 4_097)
    recent.append(change(8_195, songs: 1))
    #expect(recent.newest(.max).map(\.sequence) == [8_195])
  }

  @Test("are given up by halves, however many there are or much they name", arguments: [0, 3, 50])
  func bounds(songs: Int) throws {
    var recent = RecentChanges(after: 0, most: 100, mostNames: 60)
    for sequence in 1...1000 {
      recent.append(change(sequence, songs: songs))
      // The nearest one that can be asked for.
      let oldest = try #require((0...sequence).first { recent.since($0) != nil })
      let kept = try #require(recent.since(oldest))
      #expect(kept.map(\.sequence) == Array((oldest + 1)..<(sequence + 1)))
      #expect(kept.count <= 100 && kept.count * songs <= 60)
      // Changes of the lower half are there, so long as all name little.
      #expect(songs == 50 || kept.count >= min(sequence, songs == 0 ? 50 : 10))
    }
  }
}
