import Glibc
import TestSupport
import Testing

@testable import LibraryModel

@Suite("What looking up costs", .limited)
struct MatchingCostTests {
  @Test("20,000 songs against a library of 100,000 take two seconds at most")
  func speed() throws {
    var foreign = try ForeignMusic(songs: 100_000, SeededGenerator(usually: 8_004))
    let library = foreign.music.library
    #expect(library.songs.count >= 100_000)
    for (paths, tags) in [
      (ForeignMusic.Style.Paths.windows, ForeignMusic.Style.Tags.none), (.encoded, .all),
    ] {
      let list = foreign.list(
        ForeignMusic.Style(tags: tags, paths: paths, ending: "mp3"), albums: 4_000
      ).prefix(20_000).map(\.wanted)
      #expect(list.count == 20_000)
      let start = seconds()
      let matching = ListMatching(SongLookup(library))
      let found = matching.matches(of: list)
      let spent = seconds() - start
      #expect(found.count { $0.song != nil } > 15_000)
      // Seconds of the processor: others may use it, too.
      #expect(spent < 2 * Double(Patience.factor), "\(paths) took \(spent) s")
    }
  }

  private func seconds() -> Double {
    var time = timespec()
    clock_gettime(CLOCK_THREAD_CPUTIME_ID, &time)
    return Double(time.tv_sec) + Double(time.tv_nsec) / 1e9
  }

  @Test("Names that all songs have cost no more than others")
  func alike() throws {
    var music = try MatchingLibrary()
    let rows = (1...20_000).map { number in
      MatchingLibrary.Row(
        "/home/ada/Music/\(number)/Album/01 Intro.flac", "Intro", by: "Ada", on: "Album",
        seconds: 60)
    }
    try music.add(rows)
    let wanted = (1...20_000).map {
      Wanted("/x/\($0 + 30_000)/Album/01 Intro.mp3", "Intro", by: "Ada", on: "Album", seconds: 60)
    }
    let start = seconds()
    let matching = ListMatching(SongLookup(music.library))
    let found = matching.matches(of: wanted)
    #expect(found.allSatisfy { $0.song == nil })
    let spent = seconds() - start
    #expect(spent < 4 * Double(Patience.factor), "took \(spent) s")
  }
}
