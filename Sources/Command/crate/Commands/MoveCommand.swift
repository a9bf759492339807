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
      Several that you name one by one are put in the order in which you name them; a range or a \
      crate keeps its order. `crate move Jazz top` moves the crate, `crate move Jazz to \
      Favourites` its albums; a crate that does not exist yet comes into being. The last keyword \
      is the verb's: `crate move album:top up`.
      """)

  @OptionGroup var common: CommonOptions
  @OptionGroup var change: ChangeOptions
  @Argument(help: "What to move, and where to.") var words: [String]

  func run() throws {
    let words = try MoveWords(words)
    let daemon = try DaemonConnection(common)
    let found = try Finder(daemon: daemon).found(words.what)
    let call = try call(for: found, words, daemon)
    let remark = try newCrate(words.crate, daemon)
    try Changes.show(try daemon.parameters(of: call), json: common.json)
    if let remark { Output.complain("crate: \(Shown.harmless(remark))") }
  }

  /// What is said of a crate that is new, but called nearly as one that is there.
  private func newCrate(_ name: String?, _ daemon: DaemonConnection) throws(Failure) -> String? {
    guard let name else { return nil }
    let what = try WhatArgument(name: WhatArgument.Mark.crate.rawValue + name)
    let finder = Finder(daemon: daemon, wanted: [.crate])
    let meaning = try finder.asked([what], [.crate])[0]
    guard meaning.what.isEmpty, let near = meaning.near.first else { return nil }
    let undo = change.isTrial ? "" : " crate undo takes it back"
    return "\(name) is a new crate; did you mean \(near.label)?\(undo)"
  }

  private func call(
    for found: Finder.Found, _ words: MoveWords, _ daemon: DaemonConnection
  ) throws(Failure) -> Call {
    let things = found.things
    // What is named one by one is an order; what is named as a whole has one.
    let gather: Interface.Gathering? = found.isOneByOne ? .given : nil
    let kinds = Set(things.map(\.kind))
    if kinds == [.crate], words.crate == nil {
      guard things.count == 1, let place = try place(words, of: .crate, daemon) else {
        throw .wrongUse("crates are moved one at a time")
      }
      return .moveCrate(
        crate: things[0].key, place: place, sequence: change.sequence, dryRun: change.isTrial)
    }
    if kinds == [.song] {
      guard words.crate == nil, let place = try place(words, of: .song, daemon) else {
        throw .wrongUse("songs stay in their album; which one that is, their tags say")
      }
      return .moveSongs(
        songs: things.map(\.key), place: place, gather: gather, sequence: change.sequence,
        dryRun: change.isTrial)
    }
    guard !kinds.contains(.song) else {
      throw .wrongUse("songs and albums cannot be moved in one go")
    }
    guard words.crate != nil || !kinds.contains(.crate) else {
      throw .wrongUse("crates and albums cannot be moved in one go, but `to` another crate")
    }
    return .moveAlbums(
      albums: try Finder(daemon: daemon).albums(of: things),
      place: try place(words, of: .album, daemon), crate: words.crate, gather: gather,
      sequence: change.sequence, dryRun: change.isTrial)
  }

  private func place(
    _ words: MoveWords, of kind: Interface.Kind, _ daemon: DaemonConnection
  ) throws(Failure) -> Interface.Place? {
    guard let place = words.place else { return nil }
    guard place.needsAnchor else { return Interface.Place(place) }
    // Positions are inside crates and albums, so those may be named on the way.
    let anchor = try Finder(daemon: daemon, wanted: [kind]).thing(words.anchor)
    guard anchor.kind == kind else {
      throw .wrongUse(
        "“\(words.anchor.joined(separator: " "))” is no \(kind), which is what is being moved")
    }
    return Interface.Place(place, anchor: anchor.key)
  }
}
