import Arguments
import CratesInterface

struct PathsCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "paths",
    abstract: "Print the files of songs in their order, one path a line.",
    discussion: "For players: `crate paths Jazz | mpv --playlist=-`.")

  @OptionGroup var common: CommonOptions
  @Flag(name: .customShort("0"), help: "End each path with a NUL, for xargs -0.") var nul = false
  @Argument(help: "Crates, albums or songs.") var what: [String]

  func run() throws {
    let daemon = try Daemon(common)
    let resolver = Resolver(daemon)
    for thing in try resolver.things(what) {
      switch thing {
      case .crate(let crate): try printSongs(crate: crate.name, album: nil, daemon)
      case .album(let album): try printSongs(crate: nil, album: album.id, daemon)
      case .song(let id, let song): try printSong(try song ?? resolver.song(id))
      }
    }
    Output.flush()
  }

  private func printSongs(crate: String?, album: String?, _ daemon: Daemon) throws(Failure) {
    let call = Call.listSongs(crate: crate, album: album, gone: false, first: nil, count: nil)
    try daemon.eachObject(of: call, in: "songs") { object throws(Failure) in
      if common.json { return Output.line(object) }
      try printSong(try Daemon.structure(object))
    }
  }

  private func printSong(_ song: Interface.Song) throws(Failure) {
    if common.json { return Output.line(song.json) }
    guard let path = FileAddress.path(song.uri) else {
      throw .refused("the path of song \(song.id) cannot be read: \(song.uri)")
    }
    Output.bytes(path + [nul ? 0 : UInt8(ascii: "\n")])
  }
}
