import CratesInterface

/// Formats a crate, album or song as a line for programs: position, title, artist, year, songs,
/// length and id, separated by tabs. The columns are the same for all kinds; missing values are
/// empty. If things of several places are listed, the album and the crate follow at the end.
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

  /// Replaces tabs, line ends and control characters in cells; the pipe may end in a terminal.
  static func line(_ cells: [String]) -> String {
    cells.map { cell in
      Shown.harmless(String(cell.map { $0 == "\t" || $0.isNewline ? " " : $0 }))
    }.joined(separator: "\t")
  }

  private static func number(_ number: Int?) -> String { number.map(String.init) ?? "" }
}
