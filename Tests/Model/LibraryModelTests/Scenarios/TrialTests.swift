import TestSupport
import Testing

@testable import LibraryModel

/// Tools' operations by chance, looked at in every way.
@Suite("Trials", .limited)
struct TrialTests {
  private static let first = SeededGenerator(usually: 1).seed
  /// Seeds of operations that the plain model, being slow, is asked for.
  private static let few: [UInt64] = (0..<UInt64(Effort.runs(10, nightly: 200))).map { first &+ $0 }
  private static let many: [UInt64] = (0..<UInt64(Effort.runs(50, nightly: 1000))).map {
    first &+ $0
  }

  // MARK: More looks may only know more

  @Test("one operation comes to the same listing however it is looked at, by the plain model")
  func oneByPlainModel() throws { try compare(Self.few, PlainKeeper()) }

  @Test("one operation comes to the same listing however it is looked at")
  func one() throws { try compare(Self.many, RealKeeper()) }

  /// Compares all but for one in hundreds, where it decides which of two joined albums goes on.
  private func compare(_ seeds: [UInt64], _ keeper: some Keeper) throws {
    var others: [String] = []
    for seed in seeds {
      let whole = try Trial.live(keeper, seed: seed, operations: 1, .once).listingAnyhow
      for looking in Looking.allCases where looking != .once {
        let other = try Trial.live(keeper, seed: seed, operations: 1, looking).listingAnyhow
        if other != whole {
          others.append("CRATED_TEST_SEED=\(seed), \(looking): \(other), at once \(whole)")
        }
      }
    }
    #expect(others.count * 100 <= seeds.count, "\(others.prefix(3))")
  }

  /// With several operations, evidence may show in between that is no more at the end, and what
  /// comes on top goes by first sight: few differ.
  @Test("some operations keep the same touched songs and, mostly, the same listing")
  func some() throws {
    var (trials, others) = (0, 0)
    for seed in Self.many {
      let whole = try Trial.live(RealKeeper(), seed: seed, operations: 3, .once)
      for looking in Looking.allCases where looking != .once {
        let cut = try Trial.live(RealKeeper(), seed: seed, operations: 3, looking)
        trials += 1
        if cut.listingAnyhow != whole.listingAnyhow { others += 1 }
        let files = Set(cut.keeper.view.listed.songs.map(\.sound))
        if files != Set(whole.keeper.view.listed.songs.map(\.sound)) {
          Issue.record("CRATED_TEST_SEED=\(seed), \(looking): \(cut.listing), \(whole.listing)")
          return
        }
      }
    }
    #expect(others * 12 < trials, "\(others) of \(trials)")
  }

  // MARK: Against the plain model

  @Test("every look comes to what the plain model says", arguments: Looking.allCases)
  func both(_ looking: Looking) throws {
    var others: [String] = []
    defer { #expect(others.isEmpty, "\(others.joined(separator: "\n"))") }
    for operations in [1, 2, 3, 6] {
      for seed in Self.few {
        do {
          _ = try Trial.live(
            BothKeeper(), seed: seed, operations: operations, looking, acts: operations > 2)
        } catch {
          let words = (error as? Disagreement)?.words ?? "\(error)"
          others.append("CRATED_TEST_SEED=\(seed), \(operations) operations: \(words)")
        }
      }
    }
  }

  // MARK: Nothing touched is lost

  @Test("nothing touched is lost or moved, whatever happens between the person's acts")
  func acts() throws {
    for operations in [3, 6] {
      for seed in Self.many { try check(RealKeeper(), seed, operations) }
    }
  }

  @Test("so says the plain model")
  func actsByPlainModel() throws {
    for seed in Self.few { try check(PlainKeeper(), seed, 6) }
  }

  private func check(_ keeper: some Keeper, _ seed: UInt64, _ operations: Int) throws {
    do {
      _ = try Trial.live(
        keeper, seed: seed, operations: operations, .random, acts: true, check: nothingLost)
    } catch {
      let words = (error as? Disagreement)?.words ?? "\(error)"
      Issue.record("CRATED_TEST_SEED=\(seed), \(operations) operations: \(words)")
    }
  }
}

/// What a merge may never do to what the person touched.
func nothingLost(
  _ before: KeptView, _ after: KeptView, _ files: [String: PlainFile]
) throws {
  for crate in before.crates {
    guard let now = after.crates.first(where: { $0.name == crate.name }) else { continue }
    let (old, new) = (crate.albums.map(\.id), now.albums.map(\.id))
    if old.filter(new.contains) != new.filter(old.contains) {
      throw Disagreement("albums of \(crate.name) are in another order")
    }
  }
  let albums = Dictionary(uniqueKeysWithValues: after.albums.map { ($0.id, $0) })
  for album in before.albums where album.isTouched {
    guard let now = albums[album.id] else {
      throw Disagreement("the album \(album.title) is touched, and was dropped")
    }
    let (old, new) = (album.songs.map(\.id), now.songs.map(\.id))
    if album.isArranged, old.filter(new.contains) != new.filter(old.contains) {
      throw Disagreement("songs of \(album.title) are in another order")
    }
  }
  let songs = Dictionary(uniqueKeysWithValues: after.songs.map { ($0.id, $0) })
  let holders = Dictionary(
    after.songs.filter { !$0.isGone }.map { ($0.path, $0) }, uniquingKeysWith: { first, _ in first }
  )
  for song in before.songs where song.isTouched {
    guard let now = songs[song.id] else {
      throw Disagreement("the song of \(song.path) is touched, and was dropped")
    }
    // The song's file is there: it is its own, or a duplicate of the song.
    guard files[song.path]?.sound == song.sound, now.path != song.path, now.isGone else { continue }
    guard let holder = holders[song.path] else { continue }
    if !holder.isTouched {
      throw Disagreement("the file \(song.path) of a touched song is an untouched one's")
    }
  }
  // A younger song is never in the way of a touched one.
  for song in after.songs where song.isGone && song.isTouched {
    let home = after.albums.first { $0.songs.contains { $0.id == song.id } }
    for other in home?.songs ?? [] where !other.isGone && !other.isTouched {
      if other.seen > song.seen, other.sound == song.sound {
        throw Disagreement("\(other.path) is younger, and in the way of \(song.path)")
      }
    }
  }
}
