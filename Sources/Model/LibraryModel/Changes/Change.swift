/// What happened to the library, in the past tense: one line of the journal each. Applying a change
/// needs no rules, so old journals replay under new ones. Anchors name the predecessor in the
/// complete list, gone ones included; nil is the top. `was…` says what undoing needs.
package enum Change: Hashable, Sendable {
  /// - id: nil where a store doesn't say it; it is minted when the change is applied.
  case crateAdded(String, after: String?, id: CrateID? = nil)
  case crateRemoved(String, wasAfter: String?, id: CrateID? = nil)
  case crateMoved(String, after: String?, wasAfter: String?)
  case crateRenamed(String, to: String)

  /// It has begun, or a removed one is put back; without songs of its own. Slots and other ids
  /// follow, by changes of their own.
  case albumAdded(AlbumID, AlbumRecord)
  case albumMoved(
    AlbumID, crate: String, after: AlbumID?, wasCrate: String, wasAfter: AlbumID?)
  /// An album was removed; its slots and other ids are dropped before, by changes of their own.
  case albumRemoved(AlbumID, was: AlbumRecord)
  /// An id that the album took over resolves to it no longer.
  case aliasDropped(AlbumID, of: AlbumID)
  case aliasRestored(AlbumID, of: AlbumID)
  /// The album's songs are in an order of the person's, or no longer.
  case albumArranged(AlbumID, Bool)
  /// The person named it in an action that changed something: the first one to do so, or one that
  /// left it where it was.
  ///
  /// - `isNew`: it is listed as never moved again, since that action was taken back. What counts as
  ///   touched where files are recognised goes on doing so.
  case albumTouched(AlbumID, isNew: Bool = false)
  /// The first scan of a music folder has ended: what it brought is settled.
  case firstScanEnded(BytePath)
  /// All its songs were retagged together: it stays what it is, under another key.
  case albumRegrouped(AlbumID, group: GroupKey, was: GroupKey, alias: AlbumID?)
  /// The album takes in all of the other one, which then resolves to it.
  case albumTookOver(AlbumID, other: AlbumID)

  /// It is new, or a forgotten one is put back into its place.
  case songAdded(SongID, SongRecord)
  /// It, or the slot that is kept for it.
  case songMoved(SongID, in: AlbumID, after: SongID?, wasAfter: SongID?)
  /// Retagged: it lives in another album now. Its slot in the old one stays; where the new one has
  /// a slot for it already, it is there, and `after` is not looked at.
  case songRegrouped(SongID, album: AlbumID, after: SongID?, was: AlbumID)
  /// The song's file is somewhere else, or holds another sound; one that was gone has a file again.
  case songFollowed(SongID, path: BytePath, digest: AudioDigest?, by: Evidence)
  /// Listings show other tags of the song than before. It alters nothing in the library, which has
  /// tags from the files: it is how the history and whoever watches learn of them.
  case songRetagged(SongID, in: AlbumID)
  case songGone(SongID, Traits)
  /// The song's place was dropped; the slots that other albums kept for it were so before, by
  /// changes of their own.
  case songForgotten(SongID, was: SongRecord)
  /// The album keeps no place any more for a song that lives in another one.
  case slotDropped(SongID, in: AlbumID, wasAfter: SongID?)
  case slotRestored(SongID, in: AlbumID, after: SongID?)
}

/// Why a file was taken for a song that was known.
package enum Evidence: String, Sendable, CaseIterable {
  case sound, path, rename, inode, musicbrainz, tags, duplicate
}

package enum Author: String, Sendable {
  case person, folder
  /// Another machine that shares the order.
  case machine
}

extension Change {
  /// What people should know of it besides its summary: by which evidence a file was taken for a
  /// song.
  package var note: String? {
    switch self {
    case .songFollowed(_, let path, _, let evidence):
      "\(path.display) was recognised by \(evidence.words)"
    default: nil
    }
  }
}

extension Evidence {
  /// By what a song was recognised, as a sentence.
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
