import CratesInterface

/// A crate, an album or a song as a line for programs: position, title, artist, year, songs, length
/// and id with a tab between them, whatever it is; empty where there is no such thing. Where they
/// come from several places, the album and the crate follow at the end.
enum LeanLine {
  static func of(_ crate: Interface.Crate) -> String {
    line([
      number(crate.position), crate.name, "", "", String(crate.songs),
      Shown.duration(crate.seconds), "",
    ])
  }

  static func of(_ album: Interface.Album, withHome: Bool = false) -> String {
    line(
      [
        number(album.position), album.title, album.artist, number(album.year),
        String(album.songs), Shown.duration(album.seconds), album.id,
      ] + (withHome ? ["", album.crate] : []))
  }

  static func of(_ song: Interface.Song, withHome: Bool = false) -> String {
    line(
      [
        number(song.position), song.title, song.artist, number(song.details.year), "",
        Shown.duration(song.seconds), song.id,
      ] + (withHome ? [song.albumTitle, song.crate] : []))
  }

  /// Nothing in a cell is a tab or ends a line, nor steers a terminal that the pipe ends in.
  static func line(_ cells: [String]) -> String {
    cells.map { cell in
      Shown.harmless(String(cell.map { $0 == "\t" || $0.isNewline ? " " : $0 }))
    }.joined(separator: "\t")
  }

  private static func number(_ number: Int?) -> String { number.map(String.init) ?? "" }
}
