import Arguments
import CratesInterface

struct ForgetCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "forget",
    abstract: "Drop the places kept for music that is gone.",
    discussion: """
      Without WHAT, all of them. Music that is offline is forgotten only when you name it: the \
      song, its album, its crate, or the path of a folder that contains it. \
      `crate list CRATE --gone` shows kept places.
      """)

  @OptionGroup var common: CommonOptions
  @OptionGroup var change: ChangeOptions
  @Flag(help: "Don't ask first.") var yes = false
  @Argument(help: "Crates, albums, songs or paths of folders.") var what: [String] = []

  func run() throws {
    let daemon = try DaemonConnection(common)
    var listing = Listing()
    if what.isEmpty {
      try listing.addAll(from: daemon)
    } else {
      let folders = what.filter(FileAddress.isMeant)
      for folder in folders { try listing.add(folder: FileAddress.absolute(folder), daemon) }
      let others = what.filter { !FileAddress.isMeant(by: $0) }
      if !others.isEmpty {
        for thing in try Finder(daemon: daemon).things(others) { try listing.add(thing, daemon) }
      }
    }
    guard !listing.songs.isEmpty || what.isEmpty else {
      throw Failure.refused("nothing there is gone or offline")
    }
    // Places may also be invisible: those of an album whose songs all moved to others. There is
    // nothing to show then, and nothing is done without --yes.
    let isDryRun = change.isDryRun || (listing.songs.isEmpty && !yes)
    let status = try daemon.status()
    let isEverything = listing.songs.count == status.songs + status.gone
    if !yes, !isDryRun { try ask(about: listing.songs, isEverything: isEverything) }
    let call = Call.forget(
      songs: what.isEmpty ? nil : listing.songs.map(\.id),
      albums: listing.albums.isEmpty ? nil : listing.albums, all: what.isEmpty,
      // Only the listed songs are forgotten: a change in between makes the call fail.
      sequence: change.sequence ?? (yes ? nil : listing.sequence), dryRun: isDryRun)
    try Changes.show(try daemon.parameters(of: call), json: common.json)
    if isEverything, !listing.songs.isEmpty, !common.json {
      Output.complain(
        change.isDryRun
          ? "crate: that would be everything: no song and no crate would be left"
          : "crate: that was everything: no song and no crate is left; crate undo brings it back")
    }
  }

  private func ask(about songs: [Interface.Song], isEverything: Bool) throws(Failure) {
    guard Terminal.input.isTerminal, Terminal.errors.isTerminal else {
      throw .wrongUse(
        "there is no terminal to ask on; --yes forgets without asking, --dry-run says what would go"
      )
    }
    var table = Table([
      .name("Song"), .name("Album"), .name("Crate"), .word(""),
    ])
    for song in songs {
      table.add([song.title, song.albumTitle, song.crate, song.presence.rawValue])
    }
    // On standard error, like the question below it.
    for line in table.lines(for: .errors) { Output.complain(line) }
    if isEverything { Output.complain("This is everything: no song and no crate will be left.") }
    Output.draw("Forget the places of \(Shown.count(songs.count, "song"))? [y/N] ")
    guard Input.isYes() else { throw .refused("nothing was forgotten") }
  }
}

/// The songs that would be forgotten.
private struct Listing {
  var songs: [Interface.Song] = []
  /// The named albums. Places that they hold for songs of other albums go with their last song.
  var albums: [String] = []
  /// The sequence of the oldest reply used.
  var sequence: Int?
  private var seen: Set<String> = []

  mutating func add(_ thing: Interface.Thing, _ daemon: DaemonConnection) throws(Failure) {
    if let crate = thing.crate {
      try add(from: daemon, crate: crate) { $0.presence != .present }
    } else if let album = thing.album {
      albums.append(album)
      try add(from: daemon, album: album) { $0.presence != .present }
    } else {
      let song = try daemon.song(thing.key)
      guard song.presence != .present else {
        throw .refused(
          "\(song.title) is there; only music that is gone or offline can be forgotten")
      }
      try add(from: daemon, album: song.album) { $0.id == song.id && $0.presence != .present }
    }
  }

  /// Adds everything that is gone.
  mutating func addAll(from daemon: DaemonConnection) throws(Failure) {
    guard try daemon.status().gone > 0 else { return }
    try add(from: daemon) { $0.presence == .gone }
  }

  /// Adds the songs whose file is, or was, in a folder.
  mutating func add(folder: String, _ daemon: DaemonConnection) throws(Failure) {
    let folder = FileURI.path(folder) ?? Array(folder.utf8)
    let inside = folder.last == UInt8(ascii: "/") ? folder : folder + [UInt8(ascii: "/")]
    try add(from: daemon) { song in
      guard song.presence != .present, let path = FileURI.path(song.uri) else { return false }
      return path == folder || path.starts(with: inside)
    }
  }

  mutating func add(
    from daemon: DaemonConnection, crate: String? = nil, album: String? = nil,
    where isMeant: (Interface.Song) -> Bool
  ) throws(Failure) {
    let call = Call.listSongs(crate: crate, album: album, gone: true, first: nil, count: nil)
    try daemon.eachReply(to: call) { parameters throws(Failure) in
      if let number = parameters["sequence"]?.integer { sequence = min(sequence ?? number, number) }
      for object in parameters["songs"]?.array ?? [] {
        let song: Interface.Song = try DaemonConnection.structure(object)
        if isMeant(song), seen.insert(song.id).inserted { songs.append(song) }
      }
    }
  }
}
