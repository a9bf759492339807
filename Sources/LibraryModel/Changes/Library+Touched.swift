extension Library {
  /// The albums whose name, songs, their order, path or state may differ, former albums and those
  /// that are no longer there included. What only their place or arrangement changed of is not
  /// among them.
  package static func albumsTouched(
    by changes: some Sequence<Change>, from before: Library, to after: Library
  ) -> Set<AlbumID> {
    var albums: Set<AlbumID> = []
    for change in changes {
      switch change {
      case .songAdded(let id, _, _, _, _, _, _), .songMoved(let id, _, _, _),
        .songRegrouped(let id, _, _, _), .songFollowed(let id, _, _, _), .songGone(let id, _),
        .songReturned(let id, _, _, _), .songForgotten(let id, _),
        .songRestored(let id, _):
        for song in [before.songs[id], after.songs[id]] {
          if let song { albums.insert(song.album) }
        }
      case .albumTookOver(let id, let other):
        // What took over may have been taken over itself by now.
        albums.formUnion([id, other])
        if let now = after.album(id) { albums.insert(now.id) }
      case .albumRegrouped(let id, _, _, _):
        // Where tags have no title, the group gives it.
        albums.insert(id)
      case .crateAdded, .crateRemoved, .crateMoved, .crateRenamed, .albumAdded, .albumMoved,
        .albumRemoved, .albumRestored, .albumArranged, .albumTouched, .firstScanEnded,
        .aliasDropped, .aliasRestored, .slotDropped, .slotRestored, .undid, .redid,
        .asked:
        break
      }
    }
    return albums
  }
}
