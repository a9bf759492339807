/// Validates a written order. Errors have the line number and say what to do.
struct WrittenOrderCheck {
  /// The library from which the text was made.
  let base: Library
  let now: Library
  private var names: [String: Int] = [:]
  private var crates: [CrateID: Int] = [:]
  private var albums: [AlbumID: Int] = [:]
  private var songs: [SongID: Int] = [:]

  init(base: Library, now: Library) {
    self.base = base
    self.now = now
  }

  /// Returns the same order, with albums by the ids that they had when it was read.
  func checked(_ written: WrittenOrder) throws(Refusal) -> WrittenOrder {
    var check = self
    var checked = written
    for place in checked.crates.indices { try check.check(&checked.crates[place]) }
    return checked
  }

  private mutating func check(_ crate: inout WrittenOrder.Crate) throws(Refusal) {
    if let fault = crateNameFault(crate.name) {
      throw .editRejected(line: crate.line, reason: fault)
    }
    if let line = names.updateValue(crate.line, forKey: folded(crate.name)) {
      throw .editRejected(
        line: crate.line,
        reason: "crate “\(crate.name)” is in line \(line) already; put its albums below that line")
    }
    if let id = crate.id, let line = crates.updateValue(crate.line, forKey: id) {
      throw .editRejected(
        line: crate.line,
        reason: "crate \(id) is in line \(line) already; leave the id of a new crate out")
    }
    for place in crate.albums.indices { try check(&crate.albums[place]) }
  }

  private mutating func check(_ album: inout WrittenOrder.Album) throws(Refusal) {
    guard let known = base.album(album.id) ?? now.album(album.id) else {
      throw .editRejected(
        line: album.line,
        reason: "there is no album \(album.id); put its id right, or delete the line")
    }
    album.id = known.id
    if let line = albums.updateValue(album.line, forKey: known.id) {
      throw .editRejected(
        line: album.line,
        reason: "album \(known.id) is in line \(line) already; delete one of the two")
    }
    for song in album.songs { try check(song, of: known.id) }
  }

  private mutating func check(_ song: WrittenOrder.Song, of album: AlbumID) throws(Refusal) {
    guard let known = base.songs[song.id] ?? now.songs[song.id] else {
      throw .editRejected(
        line: song.line, reason: "there is no song \(song.id); put its id right, or delete the line"
      )
    }
    if let line = songs.updateValue(song.line, forKey: song.id) {
      throw .editRejected(
        line: song.line, reason: "song \(song.id) is in line \(line) already; delete one of the two"
      )
    }
    if known.album == album { return }
    // The song was retagged since.
    if let home = now.songs[song.id]?.album, home == now.album(album)?.id { return }
    throw .editRejected(
      line: song.line,
      reason: "song \(song.id) belongs to album \(known.album); put it back there: which album a"
        + " song is in is its tags' business")
  }
}
