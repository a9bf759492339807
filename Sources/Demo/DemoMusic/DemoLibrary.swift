/// A few fictional albums with covers.
package enum DemoLibrary {
  /// The folders and the name of a file, to be joined by slashes.
  package typealias Place = [String]

  /// Returns the songs with their places. The albums are in the order of their acquisition, the
  /// newest last.
  package static func songs() -> [(place: Place, song: DemoSong)] {
    albums.enumerated().flatMap { number, album in
      album.titles.enumerated().map { index, title in
        let artist = album.artists[index % album.artists.count]
        let song = DemoSong(
          title: title, artist: artist, album: album.title, albumArtist: album.artist,
          track: index + 1, date: album.date, format: album.format,
          seconds: 40 + Double((number * 11 + index * 7) % 36),
          seed: UInt64(number * 100 + index + 1), sampleRate: 3_000)
        // No album here has ten songs.
        let name = "0\(index + 1) \(title).\(album.format.rawValue)"
        return (album.folder + [name], song)
      }
    }
  }

  /// Returns the picture in the folder of each album, in the same order.
  package static func covers() -> [(place: Place, cover: DemoCover)] {
    albums.enumerated().map { number, album in
      (album.folder + ["cover.png"], DemoCover(number: number, colors: album.colors))
    }
  }

  private struct Album {
    var artists: [String]
    var title: String
    var date: String
    var format = DemoSong.Format.flac
    var colors: [UInt32]
    var titles: [String]

    var artist: String { artists.count == 1 ? artists[0] : "Various Artists" }
    var folder: Place { [artist, title] }
  }

  private static let albums = [
    Album(
      artists: ["Otto Brandt", "Mirja Halonen", "The Paper Lanterns"], title: "Small Hours Sampler",
      date: "2015", colors: [0x3D315B, 0x444B6E, 0xF8F991, 0x9AB87A],
      titles: ["Four in the Morning", "Baker's Light", "First Tram", "Doves"]),
    Album(
      artists: ["North Pier"], title: "Departures", date: "1978",
      colors: [0x1D3557, 0x457B9D, 0xF1FAEE, 0xE63946],
      titles: ["Platform Nine", "Signal Box", "Timetable", "Mail Train", "Departures"]),
    Album(
      artists: ["Low Country Choir"], title: "Hymns for a Flood", date: "1969",
      colors: [0x5F0F40, 0x9A031E, 0xFB8B24, 0xE9D8A6],
      titles: [
        "Rise, Water", "The Levee", "Mud and Lilies", "Carry Me Over", "Lanterns on the Porch",
        "Dry Land",
      ]),
    Album(
      artists: ["Tomoko Arai"], title: "夜の電車", date: "1981",
      colors: [0x10002B, 0x5A189A, 0xC77DFF, 0xFFBA08],
      titles: ["夜の電車", "改札口", "最終", "雨の窓", "朝"]),
    Album(
      artists: ["Saint Orchard"], title: "Plum", date: "2008",
      colors: [0x3C1642, 0x086375, 0xAFFC41, 0x1DD3B0],
      titles: ["Plum", "Windfalls", "Ladder", "Wasps", "Cider"]),
    Album(
      artists: ["The Paper Lanterns"], title: "Second Winter", date: "2003-11-07",
      colors: [0x355070, 0x6D597A, 0xB56576, 0xEAAC8B],
      titles: ["Frost", "Kettle", "Wool", "A Longer Evening"]),
    Album(
      artists: ["Ines Calado"], title: "Maré Alta", date: "1986",
      colors: [0x264653, 0x2A9D8F, 0xE9C46A, 0xE76F51],
      titles: ["Maré Alta", "Sal e Vento", "Rede", "Farol", "Volta"]),
    Album(
      artists: ["Quartet for Empty Rooms"], title: "Staircases", date: "1974", format: .aiff,
      colors: [0x2B2D42, 0x8D99AE, 0xEDF2F4, 0xEF233C],
      titles: ["Down", "Landing", "Up", "Attic", "Cellar", "The Banister"]),
    Album(
      artists: ["Otto Brandt"], title: "Four in the Morning", date: "2017",
      colors: [0x001219, 0x005F73, 0xEE9B00, 0xCA6702],
      titles: ["Four in the Morning", "Milk Bottles", "Street Sweeper", "Blue Window"]),
    Album(
      artists: ["Ada Winter"], title: "The Long Field", date: "2020",
      colors: [0x606C38, 0x283618, 0xFEFAE0, 0xDDA15E],
      titles: ["Gate", "Furrow", "Hare", "Hedge School", "Stubble Fire", "The Long Field"]),
    Album(
      artists: ["Delmas & Roy"], title: "Blue Hour", date: "1959",
      colors: [0x03045E, 0x0077B6, 0x90E0EF, 0xF8F7FF],
      titles: ["Closing Time", "Ash and Ivory", "Rue Lepic", "The Last Streetcar", "Slow Rain"]),
    Album(
      artists: ["Mirja Halonen"], title: "Kesäyö", date: "2011", format: .wav,
      colors: [0x0B3954, 0xBFD7EA, 0xFF6663, 0xE0FF4F],
      titles: ["Järven yli", "Valkea yö", "Koivu"]),
    Album(
      artists: ["The Paper Lanterns"], title: "Harbour Songs", date: "1998",
      colors: [0x22577A, 0x38A3A5, 0x57CC99, 0xF6AE2D],
      titles: ["Low Tide", "Gull on the Mast", "Ropes", "The Night Ferry", "High Water"]),
  ]
}
