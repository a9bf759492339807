/// Returns the facts of a song's file, or nil if there are none, or only those of another sound.
package typealias KnownFacts = (_ id: SongID, _ path: BytePath, _ digest: AudioDigest?) ->
  FileFacts?

/// Builds a library line by line, as a snapshot lists it, and rejects invalid lines. A line that
/// throws adds nothing.
package struct LibraryBuilder {
  private var library = Library()
  private var entries: [SongID] = []
  /// The number of listed songs of the current album.
  private var listed: Int32 = 0
  private var aliases: [AlbumID] = []
  private var album: Album?
  private var slots: [(song: SongID, album: AlbumID)] = []
  /// The slots of the current album.
  private var slotsHere: Set<SongID> = []
  private let facts: KnownFacts?

  /// - Parameter facts: called for each song that is not gone.
  package init(facts: KnownFacts? = nil) {
    self.facts = facts
  }

  /// Begins a crate below the others.
  ///
  /// - Parameter id: nil if the user wrote the line by hand.
  /// - Throws: if the name is invalid or is the name of another crate.
  package mutating func addCrate(_ name: String, id: CrateID? = nil) throws(Misfit) {
    finishAlbum()
    if let fault = crateNameFault(name) { throw Misfit(description: fault) }
    try library.apply(.crateAdded(name, after: library.crates.last?.name, id: id), by: .folder)
  }

  /// Begins an album at the bottom of the current crate.
  ///
  /// - Throws: if there is no crate, or another album has the id.
  package mutating func addAlbum(
    _ id: AlbumID, group: GroupKey, isArranged: Bool, touch: Touch?, isFresh: Bool,
    isNew: Bool = false, seen: Int64 = 0, came: Int? = nil
  ) throws(Misfit) {
    finishAlbum()
    guard let crate = library.crates.indices.last else {
      throw Misfit(description: "an album above the first crate")
    }
    if library.album(id) != nil { throw Misfit(description: "album \(id) is there twice") }
    let album = Album(
      id: id, crate: library.crates[crate].id, group: group, isArranged: isArranged,
      isFresh: isFresh, seen: seen)
    library.setTouch(touch, of: id)
    library.setNew(isNew, id)
    if let came { library.setArrival(came, of: id) }
    library.crates[crate].albums.append(id)
    self.album = album
  }

  /// Adds another id that resolves to the current album.
  ///
  /// - Throws: if there is no album, or an album already has the id.
  package mutating func addAlias(_ alias: AlbumID) throws(Misfit) {
    guard let album else { throw Misfit(description: "another id above the first album") }
    if library.album(alias) != nil || alias == album.id || aliases.contains(alias) {
      throw Misfit(description: "album \(alias) is there twice")
    }
    aliases.append(alias)
    library.aliases[alias] = album.id
  }

  /// Adds a song to the current album.
  ///
  /// - Throws: if there is no album, or another song has the id.
  package mutating func addSong(
    _ id: SongID, group: GroupKey?, path: BytePath, digest: AudioDigest?, added: Int64,
    seen: Int64? = nil, isGone: Bool, isTouched: Bool, evidence: Evidence? = nil, traits: Traits?
  ) throws(Misfit) {
    guard let album else { throw Misfit(description: "a song above the first album") }
    let facts = isGone ? nil : facts?(id, path, digest)
    let song = Song(
      id: id, album: album.id, group: group ?? album.group, path: path.sharingFolder(),
      digest: digest, added: added, seen: seen, isGone: isGone, isTouched: isTouched, facts: facts,
      traits: facts == nil ? traits : nil)
    guard library.insert(song) else { throw Misfit(description: "song \(id) is there twice") }
    entries.append(id)
    if !isGone { listed += 1 }
    if let evidence { library.setEvidence(evidence, of: id) }
  }

  /// Adds the slot of a song that is in another album to the current album.
  ///
  /// - Throws: if there is no album, or it already has a slot for the song.
  package mutating func addSlot(_ id: SongID) throws(Misfit) {
    guard let album else { throw Misfit(description: "a slot above the first album") }
    guard slotsHere.insert(id).inserted else {
      throw Misfit(description: "the slot of song \(id) is there twice")
    }
    entries.append(id)
    slots.append((id, album.id))
    library.addWanderer(id, to: album.id)
  }

  /// Returns the library.
  ///
  /// - Throws: if a slot has no song in another album.
  package mutating func finish(sequence: Int) throws(Misfit) -> Library {
    finishAlbum()
    for (song, album) in slots {
      guard let home = library.songs[song]?.album, home != album else {
        throw Misfit(description: "the slot of song \(song) has no song elsewhere")
      }
    }
    library.sequence = sequence
    return library
  }

  private mutating func finishAlbum() {
    if let album {
      library.albums[album.id] = album.with(entries: entries, aliases: aliases)
      library.setListedCount(listed, of: album.id)
    }
    album = nil
    listed = 0
    entries = []
    aliases = []
    slotsHere = []
  }
}

extension Library {
  /// Sets the number of the last change, after a batch of the journal.
  package mutating func advance(to sequence: Int) {
    precondition(sequence >= self.sequence, "sequence numbers grow")
    self.sequence = sequence
    settleArrivals(at: sequence)
  }

  /// Sets the number of the last of several changes that have been applied together. Each album
  /// gets the number of the change that added it.
  package mutating func advance(past transactions: [Transaction]) {
    settleArrivals(of: transactions)
    if let last = transactions.map(\.sequence).max() { advance(to: last) }
  }
}
