/// All that the library held of a song whose place was dropped, so that it can be put back.
package struct KeptSong: Hashable, Sendable {
  package var album: AlbumID
  package var after: SongID?
  /// Places kept for it in albums it had left.
  package var slots: [KeptSlot]
  package var group: GroupKey
  package var path: BytePath
  package var digest: AudioDigest?
  package var added: Int64
  /// False for an offline song.
  package var isGone: Bool
  package var isPlaced: Bool
  package var traits: Traits

  package init(
    album: AlbumID, after: SongID?, slots: [KeptSlot] = [], group: GroupKey, path: BytePath,
    digest: AudioDigest?, added: Int64, isGone: Bool, isPlaced: Bool = false, traits: Traits
  ) {
    self.album = album
    self.after = after
    self.slots = slots
    self.group = group
    self.path = path
    self.digest = digest
    self.added = added
    self.isGone = isGone
    self.isPlaced = isPlaced
    self.traits = traits
  }
}

/// A place in an album that is kept for a song which lives in another one.
package struct KeptSlot: Hashable, Sendable {
  package var album: AlbumID
  package var after: SongID?

  package init(album: AlbumID, after: SongID?) {
    self.album = album
    self.after = after
  }
}

/// All that the library held of an album without songs of its own that was dropped.
package struct KeptAlbum: Hashable, Sendable {
  package var crate: String
  package var after: AlbumID?
  package var group: GroupKey
  package var isArranged: Bool
  package var isPlaced: Bool
  package var aliases: [AlbumID]
  /// Songs that live in other albums, and had a place here.
  package var slots: [SongID]

  package init(
    crate: String, after: AlbumID?, group: GroupKey, isArranged: Bool = false,
    isPlaced: Bool = false, aliases: [AlbumID] = [], slots: [SongID] = []
  ) {
    self.crate = crate
    self.after = after
    self.group = group
    self.isArranged = isArranged
    self.isPlaced = isPlaced
    self.aliases = aliases
    self.slots = slots
  }
}

extension Library {
  func kept(_ song: Song) -> KeptSong {
    let slots = albumsListing(song).filter { $0.id != song.album }.sorted { $0.id < $1.id }
    return KeptSong(
      album: song.album,
      after: albums[song.album].flatMap { predecessor(of: song.id, in: $0.entries) },
      slots: slots.map {
        KeptSlot(album: $0.id, after: predecessor(of: song.id, in: $0.entries))
      },
      group: song.group, path: song.path, digest: song.digest, added: song.added,
      isGone: song.isGone, isPlaced: song.isPlaced, traits: song.lasting)
  }

  func kept(_ album: Album, in crate: Crate) -> KeptAlbum {
    KeptAlbum(
      crate: crate.name, after: predecessor(of: album.id, in: crate.albums), group: album.group,
      isArranged: album.isArranged, isPlaced: isPlaced(album.id), aliases: album.aliases,
      slots: album.entries)
  }
}
