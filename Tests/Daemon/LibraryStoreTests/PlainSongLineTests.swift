import LibraryModel
import TestSupport
import Testing

@testable import LibraryStore

@Suite("Plain song lines", .limited)
struct PlainSongLineTests {
  private static let plain =
    "\t\tsong faaaaaaaaaaa added=2026-11-21T05:11:02.123Z digest=00112233445566778899aabbccddeeff"

  private func plainLine(_ line: [UInt8]) -> PlainSongLine? {
    line.withUnsafeBufferPointer { PlainSongLine($0) }
  }

  /// The song of a library that has the line, where the words of a line may come in any order: with
  /// the digest before the time no line is plain.
  private func readWordByWord(_ line: [UInt8]) -> Song? {
    let turned = line[..<19] + line[50..<90] + line[19..<50] + line[90...]
    #expect(plainLine(Array(turned)) == nil)
    let above = "crated 1 sequence 1\ncrate C\n\talbum caaaaaaaaaaa group=y\n"
    let contents = try? SnapshotReader.read(
      Array(above.utf8) + turned + Array("\nend edited\n".utf8))
    return contents?.library.songs.values.first
  }

  private func isSame(_ line: PlainSongLine, _ song: Song?) -> Bool {
    song.map {
      line.id == $0.id && line.added == $0.added && line.digest == $0.digest
        && line.path == $0.path && line.isTouched == $0.isTouched && line.seen == $0.seen
        && !$0.isGone && $0.traits == nil
    } ?? false
  }

  @Test(
    "A plain line says the same at once and word by word",
    arguments: [" /m/a b.flac", " touched=1 /m/ä=b", " /", " //touched=1 /", " touched=1 / "])
  func same(rest: String) throws {
    let bytes = Array((Self.plain + rest).utf8)
    let line = try #require(plainLine(bytes))
    #expect(isSame(line, readWordByWord(bytes)))
  }

  @Test("A line with any byte otherwise is left to the reader of words, or says the same")
  func otherBytes() throws {
    var leftCount = 0
    var readCount = 0
    let bytes = Array((Self.plain + " touched=1 /m/a b.flac").utf8)
    for place in bytes.indices {
      for byte in UInt8.min...UInt8.max where byte != 0x0A && byte != 0x0D {
        var other = bytes
        other[place] = byte
        if let line = plainLine(other) {
          readCount += 1
          #expect(isSame(line, readWordByWord(other)), "byte \(place) is \(byte)")
        } else {
          leftCount += 1
        }
      }
      #expect(plainLine(Array(bytes[..<place])).map { !$0.path.isEmpty } != false)
    }
    #expect(leftCount > 10_000 && readCount > 1_000)
  }

  @Test("When a song was seen is a plain word, too")
  func seen() throws {
    let seen = Self.plain.replacing(" digest", with: " seen=2026-11-22T05:11:02.123Z digest")
    let line = try #require(plainLine(Array((seen + " /m").utf8)))
    #expect(line.seen - line.added == 86_400_000)
  }

  @Test("A line with another word than those is not plain")
  func otherLines() {
    let otherWords = [
      " group=y /m", " /m/%41", " title=x /m", " touched=2 /m", " touched=1 touched=1 /m", " m", "",
      "  /m",
    ]
    for rest in otherWords { #expect(plainLine(Array((Self.plain + rest).utf8)) == nil, "\(rest)") }
    let line = Self.plain + " /m"
    for other in ["gone", "slot", "offline"] {
      #expect(plainLine(Array(line.replacing("song", with: other).utf8)) == nil)
    }
    #expect(plainLine(Array(line.dropFirst().utf8)) == nil)
    #expect(plainLine(Array(("\t" + line).utf8)) == nil)
  }
}
