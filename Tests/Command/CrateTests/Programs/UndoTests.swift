import CratesInterface
import ProgramSupport
import TestSupport
import Testing

@Suite("Taking back and doing again", .serialized, .limited)
struct UndoTests {
  @Test("undo and redo go step by step through kills, restarts and merges")
  func undoAndRedo() throws {
    let home = try Home()
    try copy(try SampleMusic.albums([.flac, .mp3, .ogg]), to: "\(home.music)/Here")
    var daemon = try RunningDaemon(home)
    try daemon.sync()
    try home.crate("undo", status: 1)
    var shapes = [try home.listings()]
    for words in [
      ["move", "Music", "3", "top"], ["move", "Music", "2-3", "to", "Jazz"],
      ["move", "Jazz", "1", "3", "top"], ["rename", "Jazz", "Late night"],
    ] {
      try home.crate(words)
      shapes.append(try home.listings())
    }
    try daemon.kill()
    daemon = try RunningDaemon(home)
    for shape in shapes.dropLast().reversed() {
      try home.crate("undo")
      #expect(try home.listings() == shape)
    }
    try home.crate("undo", status: 1)
    try daemon.stop()
    daemon = try RunningDaemon(home)
    for shape in shapes.dropFirst() {
      try home.crate("redo")
      #expect(try home.listings() == shape)
    }
    try home.crate("redo", status: 1)

    // A merge doesn't end redo, and no undo touches it.
    try home.crate("undo")
    try copy(try SampleMusic.albums([.opus]), to: "\(home.music)/New")
    try daemon.sync()
    try home.crate("redo")
    #expect(try home.albums("Music").first == "Album opus")
    let history = try home.json("history", "--limit", "50")
    #expect(history.first?["summary"]?.string?.hasPrefix("Done again: ") == true)
    #expect(history.count { $0["author"]?.string == "folder" } >= 2)
    try daemon.stop()
  }
}
