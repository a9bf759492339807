import TestSupport
import Testing

@testable import LibraryModel

@Suite("Titles made from names", .limited) struct PlainTextTests {
  @Test("have no control characters, as those from tags")
  func controls() {
    var world = World()
    world.put("Al\u{1B}]0;x\u{7}b\tum\u{9B}2J/01 So\u{1B}[31mng\r\n.mp3", sound: 1)
    world.merge()
    let songs = world.songs(of: "Al]0;xb um2J")
    #expect(songs == ["So[31mng  "])
  }

  @Test("say that they are unknown where nothing is left")
  func nothing() {
    #expect(shownTitle("", path: BytePath("Music/\u{1}\u{2}.mp3")) == "Unknown")
    #expect(shownName([0x1B]) == "Unknown")
    #expect(shownName([0x41, 0xFF]) == "A\u{FFFD}")
    #expect(withoutControls("a\tb\u{85}c") == "a bc")
    #expect(withoutControls("plain – text 🐍") == "plain – text 🐍")
  }
}
