import Text

extension ImportPlan {
  /// Bytes of what stands behind an id, for people.
  private static let longestTitle = 200

  /// The partial order that does what the plan says: only what isn't there yet. Empty where nothing
  /// would change.
  package var text: String {
    var text = ""
    for (name, albums) in crates {
      text += "crate \(Self.escaped(name))\n"
      for album in albums {
        let known = album.album
        let face = known.artist.isEmpty ? known.title : "\(known.artist) - \(known.title)"
        text += "\talbum \(known.id) \(Self.shown(face))\n"
        for song in album.songs { text += "\t\tsong \(song)\n" }
      }
    }
    return text
  }

  /// By crate: two lists may have one name.
  private var crates: [(name: String, albums: [Album])] {
    var crates: [(name: String, albums: [Album])] = []
    var places: [String: Int] = [:]
    for list in lists {
      let albums = list.albums.filter { !$0.isThere }
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

  /// The name of a crate as an order has it.
  private static func escaped(_ name: String) -> String {
    name.replacing("%", with: "%25")
  }

  private static func shown(_ face: String) -> String {
    var line = ""
    for scalar in face.unicodeScalars {
      if line.utf8.count >= longestTitle { return line + "…" }
      let isControl = scalar.properties.generalCategory == .control
      line.unicodeScalars.append(isControl ? " " : scalar)
    }
    return line
  }
}
