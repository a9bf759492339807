package import CratesInterface

extension ImportPlan {
  /// The output of `crate import --json`: an object for each list, then one for each list left out.
  package var objects: [JSON] {
    lists.map(\.json)
      + leftOut.map { ["name": .string($0.name), "leftOut": .string($0.reason.rawValue)] }
  }
}

extension ImportPlan.List {
  fileprivate var json: JSON {
    var object: JSON.Object = [
      "name": .string(name), "crate": .string(crate), "found": JSON(found),
      "listed": JSON(listed),
      "albums": .array(
        albums.map { entry in
          var object = entry.album.json
          object["listed"] = JSON(entry.listed)
          object["from"] = .string(entry.album.crate)
          object["there"] = .bool(entry.isInCrate)
          if !entry.songs.isEmpty { object["order"] = JSON(entry.songs) }
          return .object(object)
        }),
      "claimed": .array(
        claimed.map { claim in
          var object = claim.album.json
          object["lists"] = JSON(claim.lists)
          object["winner"] = .string(claim.winner)
          return .object(object)
        }),
      "left": .array(
        left.map { entry in
          var object = entry.album.json
          object["listed"] = JSON(entry.listed)
          return .object(object)
        }),
      "missing": .array(missing.map(\.json)),
    ]
    if let skipReason { object["reason"] = .string(skipReason.text(found: found)) }
    return .object(object)
  }
}

extension KnownAlbum {
  fileprivate var json: JSON.Object {
    [
      "id": .string(id), "title": .string(title), "artist": .string(artist),
      "songs": JSON(songs),
    ]
  }
}

extension ImportPlan.MissingSong {
  fileprivate var json: JSON {
    var object = JSON.Object()
    let texts = [
      ("path", song.path), ("title", song.title), ("artist", song.artist), ("album", song.album),
    ]
    for (key, text) in texts where !text.isEmpty { object[key] = .string(text) }
    object["tried"] = .string(tried)
    return .object(object)
  }
}
