import LibraryModel

extension Library {
  /// Returns the places that songs are missed from. A drive whose songs were copied elsewhere
  /// before it went offline is not missed.
  ///
  /// - Parameter away: Drives, folders and single files that are offline.
  func missedPlaces(of away: Set<BytePath>) -> Set<BytePath> {
    var missed: Set<BytePath> = []
    songs.forEach { _, song in
      if song.isGone { return }
      var place = song.path
      while !place.isEmpty {
        if away.contains(place) { missed.insert(place) }
        place = place.parent
      }
    }
    return missed
  }
}
