import CratesInterface
import LibraryModel
import TagReading
import TestSupport
import Testing

@testable import DaemonCore

@Suite("Turns of covers as pixels", .limited)
struct ThumbnailTurnTests {
  private func slot(_ place: Int) -> ThumbnailQueue.Slot {
    ThumbnailQueue.Slot(
      place: place, album: "\(place)", digest: nil, isBeside: false, found: nil)
  }

  /// Begins as many as may be.
  private func begin(_ queue: inout ThumbnailQueue) -> [Int] {
    var begun: [Int] = []
    while let (place, album) = queue.next() {
      #expect(album == "\(place)")
      queue.begin(slot(place))
      begun.append(place)
    }
    return begun
  }

  private func told(_ queue: inout ThumbnailQueue) -> [Int] {
    var told: [Int] = []
    while let slot = queue.popFound() { told.append(slot.place) }
    return told
  }

  @Test("eight are looked for at a time, and told in the order in which they were asked for")
  func order() {
    var queue = ThumbnailQueue((0..<11).map { "\($0)" })
    #expect(!queue.isOver && queue.mayBegin && !queue.isFound)
    let first = begin(&queue)
    #expect(first == Array(0..<8))
    #expect(!queue.mayBegin && !queue.isOver)
    for place in [3, 1] { queue.take(.noCover(nil), of: place) }
    let none = told(&queue)
    #expect(!queue.isFound && none == [])
    queue.take(.noCover(nil), of: 0)
    #expect(queue.isFound && !queue.mayBegin)
    let found = told(&queue)
    #expect(found == [0, 1] && queue.mayBegin)
    let next = begin(&queue)
    #expect(next == [8, 9])
    for place in [2, 4, 5, 6, 7, 8, 9] { queue.take(.noCover(nil), of: place) }
    let rest = told(&queue)
    #expect(rest == Array(2..<10))
    // One is left, which was never begun.
    #expect(queue.mayBegin && !queue.isOver)
    let last = begin(&queue)
    #expect(last == [10])
    #expect(!queue.mayBegin && !queue.isOver)
    // What was told is not waited for.
    queue.take(.noCover(nil), of: 9)
    #expect(!queue.isFound)
    queue.take(.noCover(nil), of: 10)
    let end = told(&queue)
    #expect(end == [10] && queue.isOver)
    #expect(ThumbnailQueue([]).isOver)
  }

  @Test("what is found, or not, is told in the form that was asked for")
  func forms() throws {
    let digest = try #require(CoverDigest(number: 1))
    let bytes: [UInt8] = [0xFF, 0xD8, 0xFF, 0xFF, 0xD9]
    let made = try #require(Thumbnail(width: 1, height: 2, form: .jpeg, bytes: bytes))
    for (outcome, expected) in [(.made(made, digest), bytes), (.noCover(nil), [])]
      as [(ThumbnailOutcome, [UInt8])]
    {
      var slot = slot(0)
      slot.found = outcome
      let told = slot.thumbnail(as: .jpeg)
      #expect(told.form == .jpeg && told.bytes == expected)
      #expect(told.json["rgb"] == nil && told.json["jpeg"]?.string != nil)
    }
    let told = slot(0).thumbnail(as: .pixels).json
    #expect(told["rgb"]?.string == "" && told["jpeg"] == nil)
  }

  @Test("a picture in a song is told with its own digest, one beside songs with that of the lists")
  func digests() throws {
    let listed = try #require(CoverDigest(number: 1))
    let read = try #require(CoverDigest(number: 2))
    let made = try #require(Thumbnail(width: 1, height: 2, bytes: [1, 2, 3, 4, 5, 6]))
    let problem = FileProblem(.timedOutReader, "late")
    let cases: [(ThumbnailOutcome?, inSong: CoverDigest?, beside: CoverDigest?)] = [
      (.made(made, read), read, listed), (.noCover(read), read, listed),
      (.noCover(nil), nil, listed),
      (.unknown(problem), listed, listed), (nil, listed, listed),
    ]
    for (found, inSong, beside) in cases {
      for (isBeside, expected) in [(false, inSong), (true, beside)] {
        let told = ThumbnailQueue.Slot(
          place: 0, album: "a", digest: listed, isBeside: isBeside, found: found
        ).thumbnail(as: .pixels)
        #expect(told.album == "a" && told.digest == expected?.description)
        if case .made? = found {
          #expect(told.width == 1 && told.height == 2 && told.bytes == [1, 2, 3, 4, 5, 6])
        } else {
          #expect(told.width == 0 && told.height == 0 && told.bytes.isEmpty)
        }
      }
    }
  }
}
