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

  @Test("have room to grow, a quarter and a little more, and give up what they do not need")
  func room() {
    var hashes = SongHashes()
    hashes.fit()
    #expect(hashes.slotCount == 0)
    var slots: [Int] = []
    for number in 1...25 {
      hashes.insert(SongID(number: UInt64(number)), at: UInt64(number) << 58)
      slots.append(hashes.slotCount)
    }
    let expected = [(6, 8), (8, 18), (10, 30), (1, 45)].flatMap { count, slots in
      [Int](repeating: slots, count: count)
    }
    #expect(slots == expected)
    hashes.fit()
    #expect(hashes.slotCount == 39)
    hashes.fit()
    #expect(hashes.slotCount == 39 && hashes.count == 25)
    for number in 2...25 {
      hashes.remove(SongID(number: UInt64(number)), at: UInt64(number) << 58)
    }
    hashes.fit()
    #expect(hashes.slotCount == 9 && hashes[1 << 58] == [SongID(number: 1)])
    hashes.remove(SongID(number: 1), at: 1 << 58)
    hashes.fit()
    #expect(hashes.slotCount == 9 && hashes.count == 0)
    #expect(SongHashes(reserving: 10).slotCount == 20)
    #expect(SongHashes(reserving: 1).slotCount == 9)
    #expect(SongHashes().longestWay == 0)
  }

  @Test("are the same where they hold the same pairs, in whatever order these came")
  func equality() {
    func hashes(_ pairs: (UInt64, UInt64)...) -> SongHashes {
      var hashes = SongHashes()
      for (song, hash) in pairs { hashes.insert(SongID(number: song), at: hash << 32) }
      return hashes
    }
    #expect(hashes((1, 5), (2, 6)) == hashes((2, 6), (1, 5)))
    #expect(hashes((1, 5), (2, 5)) == hashes((2, 5), (1, 5)))
    #expect(hashes((1, 5)) != hashes((1, 6)) && hashes((1, 5)) != hashes((2, 5)))
    #expect(hashes((1, 5)) != hashes((1, 5), (1, 5)) && hashes() == hashes())
  }

  @Test("keys of recordings need both ids, and a stem is none of a file")
  func keys() {
    #expect(SongKey.recording("a", "") == nil && SongKey.recording("", "b") == nil)
    #expect(SongKey.recording("", "") == nil && SongKey.recording("a", "b") != nil)
    #expect(SongKey.recording("a", "b") != SongKey.recording("b", "a"))
    let path = BytePath("/m/a")
    #expect(!SongKey.stem(path).isOfFiles && SongKey.path(path).isOfFiles)
    #expect(SongKey.sound(AudioDigest(high: 1, low: 2)).isOfFiles)
    #expect(
      SongKey.title(family: "f", disc: 1, track: nil, title: "A  B")
        == SongKey.title(family: "f", disc: 1, track: nil, title: "a b"))
    func identity(_ fileSystem: UInt64, _ inode: UInt64, _ birth: Int64) -> UInt64 {
      let identity = FileIdentity(fileSystem: fileSystem, inode: inode, birth: birth)
      return SongKey.identity(identity).songHash
    }
    #expect(Set([identity(1, 2, 3), identity(2, 1, 3), identity(1, 2, 4)]).count == 3)
    #expect(SongKey.stem(path).songHash == SongKey.path(path).songHash)
    #expect(SongKey.sound(AudioDigest(high: 1, low: 2)).songHash == 1)
  }

  @Test("of a drive that gives files no identity are found in a few steps, and taken out again")
  func nowhereElse() throws {
    var world = World()
    for number in 1...500 {
      world.put(
        "usb/\(number).mp3", sound: number &* 0x1E37_79B9_7F4A_7C15 & Int.max,
        title: "Title \(number)")
      world.files[World.path("usb/\(number).mp3")]?.inode = 0
    }
    world.merge(firstScan: true)
    #expect(Set(world.library.songs.values.compactMap { $0.facts?.stamp.identity }).count == 1)
    let fresh = Lookups(world.library, roots: [World.root])
    // Titles lie elsewhere in each run; 500 that had one home would be as far from it.
    #expect(fresh.hashes == world.lookups.hashes && (1..<250).contains(fresh.hashes.longestWay))
    _ = world.remove("usb/7.mp3")
    world.merge()
    #expect(Lookups(world.library, roots: [World.root]).hashes == world.lookups.hashes)
  }

  @Test("lie near to their homes, however many there are")
  func nearness() {
    var generator = SeededGenerator(seed: 1)
    var hashes = SongHashes()
    for number in 0..<100_000 {
      hashes.insert(SongID(number: UInt64(number)), at: generator.next())
    }
    #expect((1..<200).contains(hashes.longestWay))
  }
}
