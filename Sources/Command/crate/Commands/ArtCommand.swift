import Arguments
import CratesInterface
import Terminal
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
    let daemon = try DaemonConnection(common)
    let thing = try Finder(daemon: daemon).thing(what)
    if let crate = thing.crate {
      throw Failure.wrongUse(
        "\(crate) is a crate; name one of its albums, as in: crate art \(Shown.word(crate)) 1")
    }
    let album =
      if let song = thing.song { try daemon.song(song).album } else { thing.key }
    if !common.json, Terminal.output.isTerminal { return try show(album, daemon) }
    let answer = try daemon.parameters(of: .artwork(album: album)) { error in
      guard case .noArtwork = error, thing.presence == .offline else { return nil }
      return "\(thing.label) is offline; its cover is there again when its folder or drive is"
    }
    if common.json {
      Output.line(answer)
      Output.flush()
      return
    }
    guard
      case .artwork(_, let base64) = try DaemonConnection.read(answer, to: .artwork(album: album))
    else {
      return
    }
    guard let bytes = Base64.decoded(base64) else {
      throw Failure(.unreadable("the picture is not base64"))
    }
    Output.bytes(bytes)
    Output.flush()
  }

  /// Shows the pixels that the daemon decoded, so that no terminal has to parse the picture.
  private func show(_ album: String, _ daemon: DaemonConnection) throws {
    let command = "crate art \(what.map(Shown.word).joined(separator: " "))"
    let advice = "write it to a file: \(command) > cover"
    guard let terminal = TerminalPicture() else {
      throw Failure.refused("this terminal shows no pictures; \(advice)")
    }
    let call = Call.thumbnails(albums: [album], side: terminal.side)
    guard case .thumbnail(let cover) = try daemon.reply(to: call) else { return }
    guard let pixels = Pixels(width: cover.width, height: cover.height, bytes: cover.bytes) else {
      // A cover in a format that can't be decoded still exists; the refusal says so if there is
      // none.
      guard case .artwork(let type, _) = try daemon.reply(to: .artwork(album: album)) else {
        return
      }
      throw Failure.refused(
        "a picture of type \(Shown.harmless(type)) can't be shown here; \(advice)")
    }
    Output.bytes(terminal.bytes(pixels))
    Output.flush()
  }
}
