import CratesInterface
import TestSupport
import Testing

@testable import crate

@Suite("What list shows of several albums and of discs", .limited)
struct ListedTests {
  @Test("albums of a range or a query are listed as albums, and a place alone is the album's songs")
  func ranges() throws {
    let fixture = try CommandFixture()
    #expect(
      try fixture.run("list", "Jazz", "2-3").output == """
        2\tBoth\tSomeone\t1959\t3\t3:05\tbath2222aaaa\t\tJazz
        3\ttop\tSomeone\t1959\t3\t3:05\ttapp2222aaaa\t\tJazz

        """)
    #expect(try fixture.run("list", "Jazz", "3,1").lines.map { $0.prefix(1) } == ["3", "1"])
    #expect(try fixture.run("list", "Jazz", "3,1", "-n", "1").lines.count == 1)
    #expect(
      try fixture.run("list", "find:hits", "--json").lines
        == FakeLibrary().albums.filter { $0.title == "Greatest Hits" }.map(\.json.text))
    #expect(
      try fixture.run("list", "Jazz", "2").lines[0] == "1\tSong 1\tSomeone\t\t\t1:02\tsbath2222as2")
    // Of several albums each song says which it is of.
    #expect(
      try fixture.run("list", "1979", "Jazz Club").lines[3]
        == "1\tSong 1\tSomeone\t\t\t1:02\tsjazz2222as2\tJazz Club\tBoth")
    #expect(
      try fixture.run("find", "kind").lines[1].hasSuffix("\tskind2222as2\tKind of Blue\tJazz"))
  }

  @Test("discs of an album are shown above their songs, unless these are mixed")
  func discs() throws {
    var library = FakeLibrary()
    for (place, disc) in [1, 1, 2].enumerated() { library.songs[place].disc = disc }
    for (place, disc) in [1, 2, 1].enumerated() { library.songs[3 + place].disc = disc }
    let fixture = try CommandFixture(library)
    let lines = try fixture.shown("list", "Jazz", "1").split(separator: "\n")
    #expect(
      lines.map { $0.prefix(6) } == ["   Son", "Disc 1", "1  Son", "2  Son", "Disc 2", "3  Son"])
    #expect(try !fixture.shown("list", "Jazz", "2").contains("Disc"))
  }
}
