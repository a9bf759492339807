import TestSupport
import Testing

@testable import LibraryModel

@Suite("The year of a date", .limited) struct YearTests {
  /// Of a file that was last changed at the given time, in nanoseconds since 1970.
  private func year(_ date: String, original: String = "", changed: Int64) -> Int? {
    var tags = SongTags()
    (tags.date, tags.originalDate) = (date, original)
    let stamp = FileStamp(
      identity: FileIdentity(fileSystem: 1, inode: 2, birth: 3), size: 4, modified: 5,
      changed: changed)
    let facts = FileFacts(
      stamp: stamp, tags: tags, audio: AudioProperties(), digest: nil, format: "flac")
    #expect(facts.details.year == facts.year)
    return facts.year
  }

  /// The middle of the year 2040.
  private static let in2040: Int64 = 2_224_800_000 * 1_000_000_000

  @Test(
    "is that of a leading date, else the first four digits that may be one",
    arguments: [
      ("1999", 1999), ("1999-08-17", 1999), ("1999-00-00", 1999), ("1999-08-17T12:00:00Z", 1999),
      ("1999/08", 1999), ("1999.", 1999), ("1999年", 1999), ("1999-2004", 1999), ("1999?", 1999),
      ("20141108", 2014), ("20140000", 2014), ("20141108T1200", 2014), ("1000", 1000),
      ("[1999]", 1999), ("c1999", 1999), ("©1999", 1999), ("℗ 1999 Somebody", 1999),
      ("08.11.2014", 2014), ("11/08/2014", 2014), ("8 November 2014", 2014), ("-1999", 1999),
      ("12345 1999", 1999), ("0000/1999", 1999), ("0999, 1999", 1999), ("[20141108] 1999", 1999),
      ("3999, 1999", 1999), ("0000", nil), ("0000-00-00", nil), ("00000101", nil), ("0999", nil),
      ("195", nil), ("19590", nil), ("20149908", nil), ("20141199", nil), ("201411081200", nil),
      ("", nil), ("08/11/14", nil), ("'99", nil), ("May", nil), ("9999", nil), ("99999999999", nil),
      ("１９９９", nil),
    ] as [(String, Int?)])
  func dates(date: String, expected: Int?) {
    #expect(year(date, changed: Self.in2040) == expected)
  }

  @Test("is none that comes after the next one, by the time of the file's last change")
  func future() {
    #expect(year("2040", changed: Self.in2040) == 2040)
    #expect(year("2041-01-01", changed: Self.in2040) == 2041)
    #expect(year("2042-01-01", changed: Self.in2040) == nil)
    #expect(year("2042, 1999", changed: Self.in2040) == 1999)
    #expect(year("2042", original: "2041", changed: Self.in2040) == 2041)
    // A clock that stands still at its beginning knows no year.
    for changed in [0, .min, -1] as [Int64] {
      #expect(year("2026", changed: changed) == 2026)
      #expect(year("9999", changed: changed) == nil)
    }
  }

  @Test("is that of the other date where the original one has none")
  func original() {
    #expect(year("1997", original: "1959", changed: Self.in2040) == 1959)
    #expect(year("1997", original: "0000", changed: Self.in2040) == 1997)
    #expect(year("", original: "[1959]", changed: Self.in2040) == 1959)
  }
}
