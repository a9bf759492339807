import TestSupport
import Testing

@testable import LibraryModel

@Suite("Songs by hashes", .limited)
struct SongHashesTests {
  @Test("hold what was put in and not taken out, as a plain list of pairs does", arguments: 0..<20)
  func agreement(seed: UInt64) {
    var generator = SeededGenerator(seed: seed)
    var hashes = SongHashes(reserving: Int.random(in: 0...50, using: &generator))
    var plain: [(hash: UInt64, song: SongID)] = []
    // Few values, so that many pairs share a hash, a home, or both.
    let kinds = UInt64.random(in: 1...200, using: &generator)
    for _ in 0..<2_000 {
      let hash = UInt64.random(in: 0..<kinds, using: &generator) &* 0x9E37_79B9_7F4A_7C15
      let song = SongID(number: UInt64.random(in: 0..<40, using: &generator))
      if Int.random(in: 0..<5, using: &generator) < 3 || plain.isEmpty {
        hashes.insert(song, at: hash)
        plain.append((hash, song))
      } else {
        let (hash, song) = plain.remove(at: Int.random(in: 0..<plain.count, using: &generator))
        hashes.remove(song, at: hash)
      }
      if Int.random(in: 0..<20, using: &generator) == 0 { hashes.fit() }
      #expect(hashes.count == plain.count)
      #expect(hashes[hash] == Set(plain.filter { $0.hash == hash }.map(\.song)).sorted())
    }
    var anew = SongHashes()
    for (hash, song) in plain.shuffled(using: &generator) { anew.insert(song, at: hash) }
    #expect(anew == hashes)
    for (hash, song) in plain { hashes.remove(song, at: hash) }
    #expect(hashes.count == 0 && plain.allSatisfy { hashes[$0.hash].isEmpty })
  }
}
