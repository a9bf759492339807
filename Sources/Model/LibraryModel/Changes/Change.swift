/// A change of the library, named in the past tense. Each is one line of the journal. Applying a
/// change needs no rules, so old journals can be replayed by newer versions. Anchors name the
/// predecessor in the complete list, including gone items. Nil is the top. `was…` values are for
/// undo.
package enum Change: Hashable, Sendable {
  /// - id: nil if the store does not contain it. It is minted when the change is applied.
  case crateAdded(String, after: String?, id: CrateID? = nil)
  case crateRemoved(String, wasAfter: String?, id: CrateID? = nil)
  case crateMoved(String, after: String?, wasAfter: String?)
  case crateRenamed(String, to: String)

  /// An album was added, or a removed one was put back, without songs of its own. Its slots and
  /// other ids follow as separate changes.
  case albumAdded(AlbumID, AlbumRecord)
  case albumMoved(
    AlbumID, crate: String, after: AlbumID?, wasCrate: String, wasAfter: AlbumID?)
  /// An album was removed. Its slots and other ids are dropped before, by separate changes.
  case albumRemoved(AlbumID, was: AlbumRecord)
  /// An id that the album took over no longer resolves to it.
  case aliasDropped(AlbumID, of: AlbumID)
  case aliasRestored(AlbumID, of: AlbumID)
  /// The album's songs are in an order made by the user, or no longer are.
  case albumArranged(AlbumID, Bool)
  /// The user named the album in an action that changed something. Recorded for the first such
  /// action, and for one that left the album in its place.
  ///
  /// - `isNew`: the album is listed as never moved again, since that action was undone. It still
  ///   counts as touched where files are recognised.
  case albumTouched(AlbumID, isNew: Bool = false)
  /// The first scan of a music folder has ended. Its albums are no longer fresh.
  case firstScanEnded(BytePath)
  /// All songs of the album were retagged together. The album stays and gets another key.
  case albumRegrouped(AlbumID, group: GroupKey, was: GroupKey, alias: AlbumID?)
  /// The album took over all songs of another one, whose id then resolves to it.
  case albumTookOver(AlbumID, other: AlbumID)

  /// A song was added, or a forgotten one was put back.
  case songAdded(SongID, SongRecord)
  /// The song, or the slot that is kept for it, was moved.
  case songMoved(SongID, in: AlbumID, after: SongID?, wasAfter: SongID?)
  /// The song was retagged and is in another album now. It leaves a slot in the old one. If the new
  /// album has a slot for it, it goes there, and `after` is ignored.
  case songRegrouped(SongID, album: AlbumID, after: SongID?, was: AlbumID)
  /// The song's file has moved or has another sound, or a gone song has a file again.
  case songFollowed(SongID, path: BytePath, digest: AudioDigest?, by: Evidence)
  /// Listings show other tags of the song than before. The change does not alter the library, which
  /// reads tags from the files. It informs the history and clients that watch the library.
  case songRetagged(SongID, in: AlbumID)
  case songGone(SongID, Traits)
  /// The song was forgotten. Its slots in other albums are dropped before, by separate changes.
  case songForgotten(SongID, was: SongRecord)
  /// The album no longer keeps a slot for a song that is in another one.
  case slotDropped(SongID, in: AlbumID, wasAfter: SongID?)
  case slotRestored(SongID, in: AlbumID, after: SongID?)
}

/// The reason why a file was recognised as a known song.
package enum Evidence: String, Sendable, CaseIterable {
  case sound, path, rename, inode, musicbrainz, tags, duplicate
}

package enum Author: String, Sendable {
  case person, folder
  /// Another machine that shares the order.
  case machine
}

extension Change {
  /// A note for the user in addition to the summary: how a file was recognised as a song.
  package var note: String? {
    switch self {
    case .songFollowed(_, let path, _, let evidence):
      "\(path.display) was recognised by \(evidence.words)"
    default: nil
    }
  }
}

extension Evidence {
  /// How a song was recognised, as a sentence.
  package var sentence: String { "it was recognised by \(words)" }

  var words: String {
    switch self {
    case .sound: "the same sound"
    case .path: "its path"
    case .rename: "a rename"
    case .inode: "the same file"
    case .musicbrainz: "its MusicBrainz ids"
    case .tags: "its tags"
    case .duplicate: "a duplicate"
    }
  }
}
