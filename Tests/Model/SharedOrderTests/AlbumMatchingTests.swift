import LibraryModel
import SharedOrder
import TestSupport
import Testing

@Suite("Which album is the same on another machine", .limited)
struct AlbumMatchingTests {
  private static let known = SimulatedMachine.album(1)
  private static let unknown = SimulatedMachine.album(7)

  /// An album of another machine with the sounds of albums of `SimulatedMachine`.
  private static func candidate(_ id: AlbumID, _ sounds: [UInt64]) -> AlbumMatching.Candidate {
    let traits = AlbumTraits(
      group: GroupKey(family: "other"),
      sounds: sounds.map { SharedSound(AudioDigest(high: ($0 + 1) << 32, low: 7)) },
      songs: sounds.count, seconds: 0, shown: "")
    return AlbumMatching.Candidate(id: id, traits: traits)
  }

  @Test(
    "Of an album that is in two parts on one machine, the part that kept the id is the album",
    arguments: [
      // The other machine has the whole, of which album 0 is a part here.
      ([candidate(known, [0, 1])], [known: known]),
      // The other machine has the parts, and the new one comes first.
      ([candidate(unknown, [1]), candidate(known, [1, 5])], [known: known]),
      // An id alone says less than the sound.
      ([candidate(known, [0])], [known: SimulatedMachine.album(0)]),
    ])
  func split(others: [AlbumMatching.Candidate], expected: [AlbumID: AlbumID]) throws {
    var machine = SimulatedMachine(1)
    try machine.arrive([0, 1], at: 1)
    var matching = AlbumMatching(machine.table, machine.library)
    #expect(matching.matches(of: others) == expected)
  }
}
