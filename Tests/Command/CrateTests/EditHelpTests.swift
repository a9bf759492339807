import CratesInterface
import TestSupport
import Testing

/// The real `crate edit`, whose editor prints what it is given.
@Suite("What is said in a text to edit", .limited)
struct EditHelpTests {
  private static let end = """
    # A line that is deleted comes back: what is there is decided by the music folder.
    # Ids must stay as they are; what follows them is for reading only.
    # To leave everything as it is, quit without saving, or empty the file.
    # Leave the next line as it is.

    """
  private static let crates = """
    # Move lines to move what they stand for; albums may go to another crate. Another
    # name in the line of a crate renames it, and a new line "crate NAME" above
    # albums makes a new one.

    """

  private func edited(_ words: String...) throws -> (text: String, fixture: CommandFixture) {
    let (fixture, folder) = (try CommandFixture(), try TemporaryFolder())
    let outcome = try CommandFixture.run(
      ["edit"] + words + ["--socket", fixture.socket],
      environment: ["EDITOR=cat", "XDG_STATE_HOME=\(folder.path)"])
    #expect(outcome.status == 0)
    return (outcome.output, fixture)
  }

  @Test("It says what each line stands for, with albums or songs, and what may be done")
  func help() throws {
    let nothing = "nothing to do: the text was not changed\n"
    let all = "# Each line is a crate, or an album in the crate above it"
    let text = "crate A\n\talbum \n"
    for (words, first, origin) in [
      ([], "\(all).\n", "# sequence 7\n"), (["Jazz"], "\(all).\n", "# sequence 7, crate Jazz\n"),
      (["--songs"], "\(all), or a song in the album\n# above it.\n", "# sequence 7, with songs\n"),
    ] {
      let outcome = try words.isEmpty ? edited() : edited(words[0])
      #expect(
        outcome.text == first + Self.crates + Self.end + origin + text + nothing, "\(words)")
      #expect(outcome.fixture.changes.count == 1)
    }
    let album = try edited("album:1979")
    let songs = """
      # Each line that begins with “song” is a song of the album. Move lines to move
      # songs.

      """
    let origin = "# sequence 7, with songs, album nine2222aaaa\n"
    #expect(
      album.text.hasPrefix(songs + Self.end + origin + "crate A\n\talbum nine2222aaaa\n\t\tsong"))
    #expect(album.text.hasSuffix("\n" + nothing))
  }

  @Test("A program is told of a text that nobody changed as of any other")
  func json() throws {
    let outcome = try edited("--json", "Jazz")
    #expect(outcome.fixture.changes.count == 2)
    var applied: [Call] = []
    if case .applyText(let text, _, _, _, _, _, _, _)? = outcome.fixture.changes.last {
      applied = [.applyText(text: text, sequence: 7, crate: "Jazz", songs: false)]
      #expect(outcome.text.hasPrefix(text))
    }
    #expect(applied == [outcome.fixture.changes[1]])
    #expect(outcome.text.hasSuffix("}\n"))
  }
}
