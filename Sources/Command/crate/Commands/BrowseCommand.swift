import Arguments
import Browsing
import CLinuxShims
import CratesInterface
import Glibc
import Platform
import Terminal

struct BrowseCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "browse",
    abstract: "Look and move in your terminal.",
    discussion: """
      Crates, albums and songs in lists that you arrange by keys or by the mouse. `?` shows the \
      keys, `q` quits.
      """)

  @Option(help: ArgumentHelp("The daemon's socket.", visibility: .hidden))
  var socket: String?
  @Option(
    help: ArgumentHelp(
      "How covers are shown: none, blocks, sixel or kitty; found out by itself.", valueName: "how"))
  var covers: String?
  @Flag(help: "One column and no boxes, for screen readers.") var plain = false
  @Flag(name: .customLong("no-mouse"), help: "Leave the mouse to the terminal.")
  var withoutMouse = false
  @Argument(help: "The crate to open.") var crate: String?

  static let coverWays = ["none", "blocks", "sixel", "kitty"]

  func validate() throws {
    if let covers, way(covers) == nil {
      throw ValidationError("--covers takes \(Shown.either(Self.coverWays))")
    }
  }

  private func way(_ name: String) -> CoverWay? {
    switch name {
    case "none": CoverWay.none
    case "blocks": .blocks
    case "sixel": .sixel
    case "kitty": .kitty
    default: nil
    }
  }

  func run() throws {
    guard Terminal.input.isTerminal, Terminal.output.isTerminal else {
      throw Failure.wrongUse("crate browse needs a terminal; `crate list` prints lists anywhere")
    }
    let isPlain = plain || Environment["CRATED_PLAIN"] != nil
    if Environment["TERM"] == "dumb", !isPlain {
      throw Failure.wrongUse(
        "TERM is dumb, so that nothing can be drawn here; `crate list` prints lists anywhere, and"
          + " `crate browse --plain` needs no more than a cursor that moves")
    }
    let options = options(isPlain: isPlain)
    let path = try DaemonConnection.path(ofSocket: socket)
    let link: DaemonLink
    let device: TerminalDevice
    do throws(SystemCallError) {
      link = try DaemonLink(path: path)
      device = try TerminalDevice(hasMouse: !withoutMouse && !isPlain)
    } catch {
      throw Failure.refused("the terminal can't be used: \(error)")
    }
    let memory = StateFile("browse")
    let size = device.size
    let look = Look(
      isASCII: !Self.hasUTF8(), isPlain: isPlain, covers: options.firstCovers,
      cell: size.cell ?? .usual)
    let browser = Browser(
      columns: size.columns, rows: size.rows, look: look, crate: crate,
      memory: memory.read(most: Browser.memoryMost))
    link.start(opening: browser.firstCrate, rows: size.rows)
    let loop = BrowserLoop(browser, on: device, link, memory, options)
    let left = loop.run()
    if left > 0 {
      Output.complain("crate: \(Shown.count(left, "change")) may not have been made")
    }
    if let signal = loop.endingSignal { crated_end_by(signal) }
    if let words = loop.partingWords {
      Output.line(Shown.harmless(words))
      Output.flush()
    }
    if left > 0 {
      exit(Failure.Status.tryAgain.rawValue)
    }
    exit(EXIT_SUCCESS)
  }
}

extension BrowseCommand {
  /// Derives options from the environment of the terminal.
  func options(
    isPlain: Bool, _ variable: (String) -> String? = { Environment[$0] }
  ) -> BrowserOptions {
    let term = variable("TERM") ?? "dumb"
    let isColourless = variable("NO_COLOR") != nil || isPlain
    let depth =
      isColourless ? .none : Self.depth(term: term, colorTerm: variable("COLORTERM"))
    let covers = isPlain ? CoverWay.none : covers.flatMap(way)
    let isSimple = ["dumb", "linux"].contains(term) || term.hasPrefix("vt")
    return BrowserOptions(
      depth: depth, covers: covers,
      asksForPictures: !isSimple && !isPlain && covers != CoverWay.none,
      isInMultiplexer: PictureSupport.isMultiplexer(variable))
  }

  /// Returns the number of colours by the terminal's name.
  static func depth(term: String, colorTerm: String?) -> ColorDepth {
    if term == "dumb" || term.hasPrefix("vt") { return .none }
    let mixing = ["kitty", "direct", "foot", "alacritty", "wezterm", "ghostty"]
    if ["truecolor", "24bit"].contains(colorTerm) || mixing.contains(where: term.contains) {
      return .mixed
    }
    // Terminals named xterm, including xterm itself, have had 256 colours for twenty years but
    // seldom report it. tmux maps them to what its own terminal supports.
    let isLarge = term.contains("256") || term.hasPrefix("xterm") || term.hasPrefix("tmux")
    return isLarge ? .palette : .sixteen
  }

  /// Whether the locale's encoding is UTF-8.
  static func hasUTF8(_ variable: (String) -> String? = { Environment[$0] }) -> Bool {
    let locale = variable("LC_ALL") ?? variable("LC_CTYPE") ?? variable("LANG") ?? ""
    let name = locale.lowercased()
    return name.contains("utf-8") || name.contains("utf8")
  }
}
