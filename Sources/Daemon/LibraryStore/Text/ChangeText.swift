import LibraryModel
import Platform

/// A change as the words of a journal line, close to those of the command line.
enum ChangeText {
  static func append(_ change: Change, to line: inout [UInt8]) {
    var writer = Writer(line: line)
    writer.write(change)
    line = writer.line
  }

  private struct Writer {
    var line: [UInt8]

    mutating func words(_ text: String) { line += text.utf8 }

    mutating func name(_ text: String) {
      Escaping.append(Array(text.utf8), asWord: true, to: &line)
    }

    mutating func path(_ path: BytePath) { Escaping.append(path.bytes, asWord: true, to: &line) }

    mutating func after(_ anchor: String?) {
      guard let anchor else { return words("first") }
      words("after ")
      name(anchor)
    }

    mutating func after(_ anchor: AlbumID?) { words(anchor.map { "after \($0)" } ?? "first") }
    mutating func after(_ anchor: SongID?) { words(anchor.map { "after \($0)" } ?? "first") }

    mutating func seen(_ time: Int64, unless usual: Int64) {
      if time != usual { words(" seen \(Timestamp.text(time))") }
    }

    mutating func write(_ change: Change) {
      switch change {
      case .crateAdded, .crateRemoved, .crateMoved, .crateRenamed: writeCrates(change)
      case .albumAdded, .albumMoved, .albumRemoved, .albumArranged,
        .albumTouched, .firstScanEnded, .albumRegrouped, .albumTookOver, .aliasDropped,
        .aliasRestored:
        writeAlbums(change)
      case .songAdded, .songMoved, .songRegrouped, .songFollowed, .songRetagged, .songGone,
        .songForgotten, .slotDropped, .slotRestored:
        writeSongs(change)
      }
    }

    private mutating func writeCrates(_ change: Change) {
      switch change {
      case .crateAdded(let crate, let anchor, let id):
        words("add crate ")
        if let id { words("\(id) ") }
        name(crate)
        words(" ")
        after(anchor)
      case .crateRemoved(let crate, let was, let id):
        words("remove crate ")
        if let id { words("\(id) ") }
        name(crate)
        words(" was ")
        after(was)
      case .crateMoved(let crate, let anchor, let was):
        words("move crate ")
        name(crate)
        words(" ")
        after(anchor)
        words(" was ")
        after(was)
      case .crateRenamed(let crate, let new):
        words("rename crate ")
        name(crate)
        words(" to ")
        name(new)
      default: preconditionFailure("a change of crates")
      }
    }

    private mutating func writeAlbums(_ change: Change) {
      switch change {
      case .albumAdded(let id, let record):
        words("add album \(id) to ")
        write(record)
      case .albumMoved(let id, let crate, let anchor, let wasCrate, let was):
        words("move album \(id) to crate ")
        name(crate)
        words(" ")
        after(anchor)
        words(" was crate ")
        name(wasCrate)
        words(" ")
        after(was)
      case .albumRemoved(let id, let was):
        words("remove album \(id) was ")
        write(was)
      case .albumArranged(let id, let isArranged):
        words(isArranged ? "arrange album \(id)" : "unarrange album \(id)")
      case .albumTouched(let id, let isNew):
        words(isNew ? "untouch album \(id)" : "touch album \(id)")
      case .firstScanEnded(let folder):
        words("end scan ")
        path(folder)
      case .albumRegrouped(let id, let group, let was, let alias):
        words("retag album \(id) group ")
        GroupText.append(group, to: &line)
        words(" was ")
        GroupText.append(was, to: &line)
        if let alias { words(" also \(alias)") }
      case .albumTookOver(let id, let other):
        words("join album \(other) to \(id)")
      case .aliasDropped(let alias, let id): words("remove id \(alias) was \(id)")
      case .aliasRestored(let alias, let id): words("restore id \(alias) to \(id)")
      default: preconditionFailure("a change of albums")
      }
    }

    private mutating func writeSongs(_ change: Change) {
      switch change {
      case .songAdded(let id, let record):
        words("add song \(id) to ")
        write(record)
      case .songMoved(let id, let album, let anchor, let was):
        words("move song \(id) in album \(album) ")
        after(anchor)
        words(" was ")
        after(was)
      case .songRegrouped(let id, let album, let anchor, let was):
        words("retag song \(id) to album \(album) ")
        after(anchor)
        words(" was \(was)")
      case .songFollowed(let id, let path, let digest, let evidence):
        words("follow song \(id) by \(evidence.rawValue) digest ")
        DigestText.append(digest, to: &line)
        words(" path ")
        self.path(path)
      case .songRetagged(let id, let album): words("retag song \(id) in album \(album)")
      case .songGone(let id, let traits):
        words("lose song \(id)")
        TraitsText.append(traits, to: &line)
      case .songForgotten(let id, let was):
        words("forget song \(id) was ")
        write(was)
      case .slotDropped(let id, let album, let was):
        words("forget slot \(id) in album \(album) was ")
        after(was)
      case .slotRestored(let id, let album, let anchor):
        words("restore slot \(id) in album \(album) ")
        after(anchor)
      default: preconditionFailure("a change of songs")
      }
    }

    private mutating func write(_ record: AlbumRecord) {
      words("crate ")
      name(record.crate)
      words(" ")
      after(record.after)
      if record.isArranged { words(" arranged") }
      if record.isTouched { words(" touched") }
      if record.isFresh { words(" fresh") }
      seen(record.seen, unless: 0)
      words(" group ")
      GroupText.append(record.group, to: &line)
    }

    private mutating func write(_ record: SongRecord) {
      words("album \(record.album) ")
      after(record.after)
      if record.isGone { words(" gone") }
      if record.isTouched { words(" touched") }
      words(" added \(Timestamp.text(record.added))")
      seen(record.seen, unless: record.added)
      words(" digest ")
      DigestText.append(record.digest, to: &line)
      words(" path ")
      path(record.path)
      if let group = record.group {
        words(" group ")
        GroupText.append(group, to: &line)
      }
      TraitsText.append(record.traits, to: &line)
    }
  }
}
