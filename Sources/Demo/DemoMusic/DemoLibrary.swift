/// A handful of albums that nobody has recorded.
package enum DemoLibrary {
  /// Each song with its place: folders and name, to be joined by slashes.
  package static func songs() -> [(place: [String], song: DemoSong)] {
    albums.enumerated().flatMap { number, album in
      album.titles.enumerated().map { index, title in
        let isSampler = album.artists.count != 1
        let artist = album.artists[index % album.artists.count]
        let song = DemoSong(
          title: title, artist: artist, album: album.title,
          albumArtist: isSampler ? "Various Artists" : artist, track: index + 1, date: album.date,
          format: album.format, seconds: 2 + Double((number + index) % 5) / 2,
          seed: UInt64(number * 100 + index + 1), sampleRate: index % 2 == 0 ? 8_000 : 11_025)
        // No album here has as many as ten.
        let name = "0\(index + 1) \(title).\(album.format.rawValue)"
        return ([isSampler ? "Various Artists" : artist, album.title, name], song)
      }
    }
  }

  private struct Album {
    var artists: [String]
    var title: String
    var date: String
    var format = DemoSong.Format.flac
    var titles: [String]
  }

  private static let albums = [
    Album(
      artists: ["The Paper Lanterns"], title: "Harbour Songs", date: "1998",
      titles: ["Low Tide", "Gull on the Mast", "Ropes", "The Night Ferry", "High Water"]),
    Album(
      artists: ["The Paper Lanterns"], title: "Second Winter", date: "2003-11-07",
      titles: ["Frost", "Kettle", "Wool", "A Longer Evening"]),
    Album(
      artists: ["Mirja Halonen"], title: "Kesäyö", date: "2011", format: .wav,
      titles: ["Järven yli", "Valkea yö", "Koivu"]),
    Album(
      artists: ["Quartet for Empty Rooms"], title: "Staircases", date: "1974", format: .aiff,
      titles: ["Down", "Landing", "Up", "Attic", "Cellar", "The Banister"]),
    Album(
      artists: ["Otto Brandt", "Mirja Halonen", "The Paper Lanterns"], title: "Small Hours Sampler",
      date: "2015", titles: ["Four in the Morning", "Baker's Light", "First Tram", "Doves"]),
  ]
}
