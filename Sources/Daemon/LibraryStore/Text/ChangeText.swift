import LibraryModel

/// Writes a change as the words of a journal line, close to those of the command line.
enum ChangeText {
  static func text(_ change: Change) -> StoreText {
    switch change {
    case .crateAdded(let crate, let anchor, let id): "add crate \(crate, id) \(after: anchor)"
    case .crateRemoved(let crate, let was, let id): "remove crate \(crate, id) was \(after: was)"
    case .crateMoved(let crate, let anchor, let was):
      "move crate \(word: crate) \(after: anchor) was \(after: was)"
    case .crateRenamed(let crate, let new): "rename crate \(word: crate) to \(word: new)"

    case .albumAdded(let id, let record): "add album \(id) to \(record)"
    case .albumMoved(let id, let crate, let anchor, let wasCrate, let was):
      """
      move album \(id) to crate \(word: crate) \(after: anchor) \
      was crate \(word: wasCrate) \(after: was)
      """
    case .albumRemoved(let id, let was): "remove album \(id) was \(was)"
    case .albumArranged(let id, true): "arrange album \(id)"
    case .albumArranged(let id, false): "unarrange album \(id)"
    case .albumTouched(let id, isNew: false): "touch album \(id)"
    case .albumTouched(let id, isNew: true): "untouch album \(id)"
    case .albumRegrouped(let id, let group, let was, let alias?):
      "retag album \(id) group \(group) was \(was) also \(alias)"
    case .albumRegrouped(let id, let group, let was, nil):
      "retag album \(id) group \(group) was \(was)"
    case .albumTookOver(let id, let other): "join album \(other) to \(id)"
    case .aliasDropped(let alias, let id): "remove id \(alias) was \(id)"
    case .aliasRestored(let alias, let id): "restore id \(alias) to \(id)"
    case .firstScanEnded(let folder): "end scan \(word: folder.bytes)"

    case .songAdded(let id, let record): "add song \(id) to \(record)"
    case .songMoved(let id, let album, let anchor, let was):
      "move song \(id) in album \(album) \(after: anchor) was \(after: was)"
    case .songRegrouped(let id, let album, let anchor, let was):
      "retag song \(id) to album \(album) \(after: anchor) was \(was)"
    case .songFollowed(let id, let path, let digest, let evidence):
      "follow song \(id) by \(word: evidence.rawValue) digest \(digest) path \(word: path.bytes)"
    case .songRetagged(let id, let album): "retag song \(id) in album \(album)"
    case .songGone(let id, let traits): "lose song \(id)\(traits)"
    case .songForgotten(let id, let was): "forget song \(id) was \(was)"
    case .slotDropped(let id, let album, let was):
      "forget slot \(id) in album \(album) was \(after: was)"
    case .slotRestored(let id, let album, let anchor):
      "restore slot \(id) in album \(album) \(after: anchor)"
    }
  }
}

extension StoreText.Interpolation {
  mutating func appendInterpolation(_ record: AlbumRecord) {
    bytes += "crate \(word: record.crate) \(after: record.after)"
    bytes += "\(" arranged", if: record.isArranged)\(" touched", if: record.isTouched)"
    bytes += "\(" fresh", if: record.isFresh)"
    if record.seen != 0 { bytes += " seen \(time: record.seen)" }
    bytes += " group \(record.group)"
  }

  mutating func appendInterpolation(_ record: SongRecord) {
    bytes += "album \(record.album) \(after: record.after)"
    bytes += "\(" gone", if: record.isGone)\(" touched", if: record.isTouched)"
    bytes += " added \(time: record.added)"
    if record.seen != record.added { bytes += " seen \(time: record.seen)" }
    bytes += " digest \(record.digest) path \(word: record.path.bytes)"
    if let group = record.group { bytes += " group \(group)" }
    bytes += "\(record.traits)"
  }
}
