import LibraryModel

extension Library {
  /// The places that songs are missed from: of a drive whose songs were copied elsewhere before it
  /// went, nothing is.
  ///
  /// - Parameter away: drives, folders and single files that are not there now.
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
