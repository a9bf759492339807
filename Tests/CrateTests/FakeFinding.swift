import CratesInterface
import NameFolding
import VarlinkServer

extension FakeLibrary {
  /// Answers what looks for things and shows them; false for what changes something.
  func answerMore(_ request: Request) -> Bool {
    let answer = request.answer
    switch request.call {
    case .search(let query, _, let limit):
      let isFound = { (text: String) in folded(text).contains(folded(query)) }
      let albums = albums.filter { isFound($0.title) }
      let songs = songs.filter { isFound($0.albumTitle) }
      answer.reply(
        .found(
          albums: Array(albums.prefix(limit ?? .max)), songs: Array(songs.prefix(limit ?? .max)),
          totalAlbums: albums.count, totalSongs: songs.count, sequence: 7))
    case .thumbnails(let albums, _):
      for (place, album) in albums.enumerated() {
        var cover = Interface.Thumbnail(album: album, digest: album)
        if album != "bath2222aaaa" || albums.count > 1 {
          (cover.width, cover.height, cover.rgb) = (2, 1, [255, 0, 0, 0, 0, 255])
        }
        answer.reply(.thumbnail(cover), continues: place + 1 < albums.count)
      }
    case .artwork: answer.reply(.artwork(mimeType: "image/gif", base64: "R0lG"))
    case .problems: answer.reply(.problems(problems))
    default: return false
    }
    return true
  }
}
