extension Library {
  /// Returns the albums whose name, songs or order of songs may have changed, or the path or
  /// presence of a song. Includes former and removed albums. Excludes albums of which only the
  /// place or the arrangement has changed.
  package static func albumsTouched(
    by changes: some Sequence<Change>, from before: Library, to after: Library
  ) -> Set<AlbumID> {
    var albums: Set<AlbumID> = []
    for change in changes {
      switch change {
      case .songAdded(let id, _), .songMoved(let id, _, _, _), .songRegrouped(let id, _, _, _),
        .songFollowed(let id, _, _, _), .songRetagged(let id, _), .songGone(let id, _),
        .songForgotten(let id, _):
        for song in [before.songs[id], after.songs[id]] {
          if let song { albums.insert(song.album) }
        }
      case .albumTookOver(let id, let other):
        // The album that took the other one over may have been taken over itself meanwhile.
        albums.formUnion([id, other])
        if let now = after.album(id) { albums.insert(now.id) }
      case .albumRegrouped(let id, _, _, _):
        // The title comes from the group if the tags have none.
        albums.insert(id)
      case .crateAdded, .crateRemoved, .crateMoved, .crateRenamed, .albumAdded, .albumMoved,
        .albumRemoved, .albumArranged, .albumTouched, .firstScanEnded,
        .aliasDropped, .aliasRestored, .slotDropped, .slotRestored:
        break
      }
    }
    return albums
  }
}
