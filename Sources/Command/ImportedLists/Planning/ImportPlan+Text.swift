import OrderFormat
import Text

extension ImportPlan {
  /// The partial order that carries out the plan, without albums that are in their crate already.
  /// Empty if nothing would change.
  package var text: String {
    var writer = OrderWriter()
    for (name, albums) in crates {
      writer.addCrate(name)
      for album in albums {
        let known = album.album
        let shown = ShownText.album(artist: known.artist, title: known.title)
        writer.addAlbum(known.id, shown: shown)
        for song in album.songs { writer.addSong(song) }
      }
    }
    return writer.text
  }

  /// The albums to move, by crate: two lists may have the same name.
  private var crates: [(name: String, albums: [Album])] {
    var crates: [(name: String, albums: [Album])] = []
    var places: [String: Int] = [:]
    for list in lists {
      let albums = list.albums.filter { !$0.isInCrate }
      if albums.isEmpty { continue }
      let key = folded(list.crate)
      if let place = places[key] {
        crates[place].albums += albums
      } else {
        places[key] = crates.count
        crates.append((list.crate, albums))
      }
    }
    return crates
  }
}
