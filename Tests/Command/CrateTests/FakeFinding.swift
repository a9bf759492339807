import CratesInterface
import Text
import VarlinkServer

extension FakeLibrary {
  /// Answers what looks for things and shows them; false for what changes something.
  func answerMore(_ request: Request) -> Bool {
    let answer = request.answer
    switch request.call {
    case .search(let query, _, let limit):
      let word = folded(
        (query.split(separator: ":").last.map(String.init) ?? "").filter { $0 != "\"" })
      let isFound = { (text: String) in folded(text).contains(word) }
      let isOfArtist = query.hasPrefix("artist:")
      let albums = albums.filter { isFound(isOfArtist ? $0.artist : $0.title) }
      let songs = songs.filter { isFound($0.albumTitle) }
      answer.reply(
        .found(
          albums: Array(albums.prefix(limit ?? .max)), songs: Array(songs.prefix(limit ?? .max)),
          totalAlbums: albums.count, totalSongs: songs.count, sequence: 7))
    case .thumbnails(let albums, _, _):
      for (place, album) in albums.enumerated() {
        var cover = Interface.Thumbnail(album: album, digest: album)
        if album != "bath2222aaaa" || albums.count > 1 {
          (cover.width, cover.height, cover.bytes) = (2, 1, [255, 0, 0, 0, 0, 255])
        }
        answer.reply(.thumbnail(cover), continues: place + 1 < albums.count)
      }
    case .match(let wanted, _, _):
      let matched = wanted.map { wanted in
        let song = songs.first { $0.id == wanted.path }
        return Interface.Matched(
          song: song?.id, album: song?.album, tried: song == nil ? "no such song" : nil)
      }
      answer.reply(.matches(matched, sequence: sequence))
    case .readText(_, let album, _):
      var text = "crate A\n\talbum \(album ?? "")\n"
      for song in songs where song.album == album { text += "\t\tsong \(song.id) \(song.title)\n" }
      answer.reply(.text(text, sequence: 7))
    case .artwork: answer.reply(.artwork(mimeType: "image/gif", base64: "R0lG"))
    case .watchStatus where isWatched:
      answer.reply(.statusNews(Self.status, problems: nil), continues: true)
    case .watchStatus: answer.reply(.statusNews(Self.status, problems: nil))
    case .problems: answer.reply(.problems(problems))
    default: return false
    }
    return true
  }
}
