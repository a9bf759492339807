import CratesInterface
import LibraryModel
import TagReading
import TestSupport
import Testing

@testable import DaemonCore

@Suite("Turns of covers as pixels", .limited)
struct ThumbnailTurnTests {
  private func slot(_ deadline: Int64, _ found: ThumbnailOutcome? = nil) -> Thumbnails.Slot {
    Thumbnails.Slot(
      ticket: 1, album: "a", digest: nil, isBeside: false, deadline: deadline, found: found)
  }

  @Test("a client that takes its time with what is found has nobody wake up for it")
  func paused() {
    #expect(Thumbnails.Slot.nextLate([]) == .max)
    #expect(Thumbnails.Slot.nextLate([slot(9), slot(7)]) == 7)
    // Long over, if it were still waited for.
    #expect(Thumbnails.Slot.nextLate([slot(1, .noCover(nil)), slot(8)]) == 8)
    #expect(Thumbnails.Slot.nextLate([slot(1, .noCover(nil))]) == .max)
  }

  @Test("a picture in a song is told with its own digest, one beside songs with that of the lists")
  func digests() throws {
    let listed = try #require(CoverDigest(number: 1))
    let read = try #require(CoverDigest(number: 2))
    let made = try #require(Thumbnail(width: 1, height: 2, rgb: [1, 2, 3, 4, 5, 6]))
    let problem = FileProblem(.timedOutReader, "late")
    let cases: [(ThumbnailOutcome?, inSong: CoverDigest?, beside: CoverDigest?)] = [
      (.made(made, read), read, listed), (.noCover(read), read, listed),
      (.noCover(nil), nil, listed),
      (.unknown(problem), listed, listed), (nil, listed, listed),
    ]
    for (found, inSong, beside) in cases {
      for (isBeside, expected) in [(false, inSong), (true, beside)] {
        let told = Thumbnails.Slot(
          ticket: 1, album: "a", digest: listed, isBeside: isBeside, deadline: 1, found: found
        ).thumbnail
        #expect(told.album == "a" && told.digest == expected?.description)
        if case .made? = found {
          #expect(told.width == 1 && told.height == 2 && told.rgb == [1, 2, 3, 4, 5, 6])
        } else {
          #expect(told.width == 0 && told.height == 0 && told.rgb.isEmpty)
        }
      }
    }
  }
}
