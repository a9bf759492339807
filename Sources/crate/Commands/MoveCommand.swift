import Arguments
import CratesInterface

struct MoveCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "move",
    abstract: "Move albums, songs or a crate.",
    usage: """
      crate move WHAT… up|down|top|bottom|before WHAT|after WHAT
      crate move WHAT… to CRATE [top|bottom|before WHAT|after WHAT]
      """,
    discussion: """
      `crate move Jazz top` moves the crate, `crate move Jazz to Favourites` its albums; a crate \
      that does not exist yet comes into being. The last keyword is the verb's: \
      `crate move album:top up`.
      """)

  @OptionGroup var common: CommonOptions
  @OptionGroup var change: ChangeOptions
  @Argument(help: "What to move, and where to.") var words: [String]

  func run() throws {
    let words = try MoveWords(words)
    let daemon = try Daemon(common)
    let things = try Resolver(daemon).things(words.what)
    let call = try call(for: things, words, daemon)
    try Changes.show(try daemon.parameters(of: call), json: common.json)
  }

  private func call(
    for things: [Thing], _ words: MoveWords, _ daemon: Daemon
  ) throws(Failure) -> Call {
    let kinds = Set(things.map(\.kind))
    if kinds == [.crate], words.crate == nil {
      guard things.count == 1, let place = try place(words, of: .crate, daemon) else {
        throw .wrongUse("crates are moved one at a time")
      }
      return .moveCrate(crate: things[0].key, place: place, sequence: change.sequence)
    }
    if kinds == [.song] {
      guard words.crate == nil, let place = try place(words, of: .song, daemon) else {
        throw .wrongUse("songs stay in their album; which one that is, their tags say")
      }
      return .moveSongs(
        songs: things.map(\.key), place: place, sequence: change.sequence)
    }
    guard !kinds.contains(.song) else {
      throw .wrongUse("songs and albums cannot be moved in one go")
    }
    guard words.crate != nil || !kinds.contains(.crate) else {
      throw .wrongUse("crates and albums cannot be moved in one go, but `to` another crate")
    }
    return .moveAlbums(
      albums: try Resolver(daemon).albums(of: things), place: try place(words, of: .album, daemon),
      crate: words.crate, sequence: change.sequence)
  }

  private func place(
    _ words: MoveWords, of kind: Thing.Kind, _ daemon: Daemon
  ) throws(Failure) -> Interface.Place? {
    guard let place = words.place else { return nil }
    guard place.needsAnchor else { return Interface.Place(place) }
    // Positions are inside crates and albums, so those may be named on the way.
    let anchor = try Resolver(daemon, wanted: [kind]).thing(words.anchor)
    guard anchor.kind == kind else {
      throw .wrongUse(
        "\(words.anchor.joined(separator: " ")) is no \(kind), which is what is being moved")
    }
    return Interface.Place(place, anchor: anchor.key)
  }
}
