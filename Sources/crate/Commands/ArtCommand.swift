import Arguments
import CratesInterface
import VarlinkClient

struct ArtCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "art",
    abstract: "Print the cover of an album.",
    discussion: """
      To a file or a program: `crate art Jazz 3 > cover.jpg`, `crate art 5kqv | imv -`. A terminal \
      that can show pictures shows it.
      """)

  @OptionGroup var common: CommonOptions
  @Argument(help: "An album.") var what: [String]

  func run() throws {
    let daemon = try Daemon(common)
    let thing = try Finder(daemon: daemon).thing(what)
    if let crate = thing.crate {
      throw Failure.wrongUse(
        "\(crate) is a crate; name one of its albums, as in: crate art \(Shown.word(crate)) 1")
    }
    let album =
      if let song = thing.song { try daemon.song(song).album } else { thing.key }
    let answer = try daemon.parameters(of: .artwork(album: album))
    if common.json {
      Output.line(answer)
      Output.flush()
      return
    }
    guard case .artwork(let type, let base64) = try Daemon.read(answer, to: .artwork(album: album))
    else { return }
    // Not passed on unread, not even to a terminal that would find out by itself.
    guard let bytes = Base64.decoded(base64) else {
      throw Failure(.unreadable("the picture is not base64"))
    }
    if Terminal.output.isTerminal {
      guard let shown = TerminalPicture.sequence(base64, type: type) else {
        throw Failure.refused(
          "this terminal shows no \(type); write it to a file: crate art \(album) > cover")
      }
      Output.line(shown)
    } else {
      Output.bytes(bytes)
    }
    Output.flush()
  }
}
