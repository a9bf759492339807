import ModelSupport
import TestSupport
import Testing

@testable import LibraryModel

@Suite("Which song is asked first", .limited)
struct SeniorityTests {
  private var small: SmallLibrary

  init() throws { small = try SmallLibrary() }

  /// All songs, by their numbers, from whatever order.
  private func order() -> [UInt64] {
    var generator = SeededGenerator(usually: 9_204)
    let songs = small.library.songs.values.shuffled(using: &generator)
    let contents = FolderContents(root: BytePath("/m"), seen: 9)
    let lookups = Lookups(small.library, roots: [BytePath("/m")])
    let observation = Observation(contents, small.library, lookups)
    let recognition = Recognition(observation, JudgedGroups(observation))
    let sorted = recognition.bySeniority(songs)
    for (place, left) in sorted.enumerated() {
      for (other, right) in sorted.enumerated() {
        #expect((recognition.seniority(left) < recognition.seniority(right)) == (place < other))
        if place < other {
          #expect(recognition.bySeniority([right, left]).map(\.id) == [left.id, right.id])
        }
      }
    }
    return sorted.map(\.id.number)
  }

  @Test("the touched one, then the older, then as they stand")
  mutating func table() throws {
    #expect(order() == [10, 11, 12, 20, 21, 30])
    try small.apply(
      .songMoved(SongID(number: 12), in: AlbumID(number: 1), after: nil, wasAfter: nil),
      .albumMoved(
        AlbumID(number: 2), crate: "Music", after: nil, wasCrate: "Music", wasAfter: nil))
    #expect(order() == [20, 21, 12, 10, 11, 30])
    try small.apply(
      .songAdded(
        SongID(number: 31), album: AlbumID(number: 3), after: nil, path: BytePath("/m/3/31"),
        digest: nil, added: 9, seen: 0))
    #expect(order() == [31, 20, 21, 12, 10, 11, 30])
    small.library.touch(AlbumID(number: 3))
    #expect(order() == [31, 30, 20, 21, 12, 10, 11])
    try small.apply(.crateMoved("Jazz", after: nil, wasAfter: nil))
    small.library.touch(AlbumID(number: 2))
    #expect(order() == [31, 30, 20, 21, 12, 10, 11])
    // Songs whose album is not known are last, by their ids.
    for number in [UInt64(99), 98] {
      _ = small.library.insert(
        Song(
          id: SongID(number: number), album: AlbumID(number: 8), group: GroupKey(family: "x"),
          path: BytePath("/m/\(number)"), digest: nil, added: 1))
    }
    #expect(order() == [31, 30, 20, 21, 12, 10, 11, 98, 99])
  }

  @Test("albums stand by their crates and in these, and one that is in none behind them")
  func standing() {
    let places = [1, 2, 3, 9].map { Standing(of: AlbumID(number: $0), in: small.library) }
    for (place, left) in places.enumerated() {
      for (other, right) in places.enumerated() { #expect((left < right) == (place < other)) }
    }
  }
}
