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
      Several that you name one by one are put in the order in which you name them; a range, a \
      crate or a query keeps its order. `crate move Jazz top` moves the crate, `crate move Jazz to \
      Favourites` its albums; a crate that does not exist yet is made. The last keyword is the \
      verb's: `crate move album:top up`. `crate find radiohead | crate move - to Nineties` moves \
      what is found, as does `crate move find:radiohead to Nineties`.
      """)

  @OptionGroup var common: CommonOptions
  @OptionGroup var change: ChangeOptions
  @Flag(name: .customLong("new"), help: "Make the crate, even if its name looks like a position.")
  var isNew = false
  @Argument(help: ArgumentHelp("What to move, and where to.", valueName: "what"))
  var words: [String]

  func run() throws {
    let spoken = try MoveWords.spokenPlace(words)
    var readings = spoken == nil ? try MoveWords.readings(words) : []
    let daemon = try DaemonConnection(common)
    if let spoken { readings = try self.readings(of: spoken, daemon) }
    let finder = Finder(daemon: daemon, prefersAlbums: true)
    let (words, found) = try understood(readings, finder)
    let remark = try words.crate.flatMap { name throws(Failure) in
      try NewCrate(name, isWanted: isNew, daemon).remark(isDryRun: change.isDryRun)
    }
    let call = try call(for: found, words, daemon)
    try Changes.show(try daemon.parameters(of: call), json: common.json)
    if let remark { Output.complain("crate: \(Shown.harmless(remark))") }
  }

  /// Returns the possible readings of a place. The name of an existing crate takes precedence.
  private func readings(
    of spoken: MoveWords.SpokenPlace, _ daemon: DaemonConnection
  ) throws(Failure) -> [MoveWords] {
    if isNew { return [spoken.asCrate] }
    let finder = Finder(daemon: daemon, wanted: [.crate])
    func isCrate(_ name: String) throws(Failure) -> Bool {
      let what = try WhatArgument(name: WhatArgument.Mark.crate.rawValue + name)
      return try !finder.asked([what], [.crate], count: 0)[0].what.isEmpty
    }
    if try isCrate(spoken.name) { return [spoken.asCrate] }
    guard spoken.needsCrate, let crate = spoken.words.crate, try !isCrate(crate) else {
      return [spoken.words]
    }
    return [spoken.asCrate]
  }

  /// Returns the first reading whose things all exist, or the last one.
  private func understood(
    _ readings: [MoveWords], _ finder: Finder
  ) throws(Failure) -> (MoveWords, Finder.Found) {
    for words in readings.dropLast() {
      do throws(Failure) {
        return (words, try finder.found(words.what))
      } catch {
        guard error.status == .refused || error.status == .wrongUse else { throw error }
      }
    }
    let words = readings[readings.count - 1]
    return (words, try finder.found(words.what))
  }

  private func call(
    for found: Finder.Found, _ words: MoveWords, _ daemon: DaemonConnection
  ) throws(Failure) -> Call {
    let things = found.things
    // Things named one by one go in that order. Things named as a whole keep their own.
    let gather: Interface.Gathering? = found.isOneByOne ? .given : nil
    let kinds = Set(things.map(\.kind))
    if kinds == [.crate], words.crate == nil {
      guard things.count == 1, let place = try place(words, of: .crate, daemon) else {
        throw .wrongUse("crates are moved one at a time")
      }
      return .moveCrate(
        crate: things[0].key, place: place, sequence: change.sequence, dryRun: change.isDryRun)
    }
    if kinds == [.song], words.crate == nil {
      guard let place = try place(words, of: .song, daemon) else {
        throw .wrongUse("songs stay in their album; which one that is, their tags say")
      }
      return .moveSongs(
        songs: things.map(\.key), place: place, gather: gather, sequence: change.sequence,
        dryRun: change.isDryRun)
    }
    guard words.crate != nil || !kinds.contains(.song) else {
      throw .wrongUse("songs and albums cannot be moved in one go")
    }
    guard words.crate != nil || !kinds.contains(.crate) else {
      throw .wrongUse("crates and albums cannot be moved in one go, but `to` another crate")
    }
    return .moveAlbums(
      albums: try Finder(daemon: daemon).albums(of: things) { album in
        (["crate move", album] + self.words.dropFirst(words.what.count).map(Shown.word))
          .joined(separator: " ")
      },
      place: try place(words, of: .album, daemon), crate: words.crate, gather: gather,
      sequence: change.sequence, dryRun: change.isDryRun)
  }

  private func place(
    _ words: MoveWords, of kind: Interface.Kind, _ daemon: DaemonConnection
  ) throws(Failure) -> Interface.Place? {
    guard let place = words.place else { return nil }
    guard place.needsAnchor else { return Interface.Place(place) }
    // Positions are within crates and albums, so the anchor's name may include those.
    let anchor = try Finder(daemon: daemon, wanted: [kind]).thing(words.anchor)
    guard anchor.kind == kind else {
      throw .wrongUse(
        "“\(words.anchor.joined(separator: " "))” is no \(kind), which is what is being moved")
    }
    return Interface.Place(place, anchor: anchor.key)
  }
}
