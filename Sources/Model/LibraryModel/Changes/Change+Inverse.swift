extension Change {
  /// The change that reverts this one if it is applied directly after it. Nil for changes of the
  /// music folder, which can't be undone.
  package var inverse: Change? {
    switch self {
    case .crateAdded(let name, let after, let id): .crateRemoved(name, wasAfter: after, id: id)
    case .crateRemoved(let name, let wasAfter, let id): .crateAdded(name, after: wasAfter, id: id)
    case .crateMoved(let name, let after, let wasAfter):
      .crateMoved(name, after: wasAfter, wasAfter: after)
    case .crateRenamed(let name, let new): .crateRenamed(new, to: name)
    case .albumAdded(let id, let record): .albumRemoved(id, was: record)
    case .albumRemoved(let id, let record): .albumAdded(id, record)
    case .albumMoved(let id, let crate, let after, let wasCrate, let wasAfter):
      .albumMoved(id, crate: wasCrate, after: wasAfter, wasCrate: crate, wasAfter: after)
    case .albumArranged(let id, let isArranged): .albumArranged(id, !isArranged)
    case .albumTouched(let id, let isNew): .albumTouched(id, isNew: !isNew)
    case .aliasDropped(let alias, let album): .aliasRestored(alias, of: album)
    case .aliasRestored(let alias, let album): .aliasDropped(alias, of: album)
    case .songAdded(let id, let record): .songForgotten(id, was: record)
    case .songForgotten(let id, let record): .songAdded(id, record)
    case .songMoved(let id, let album, let after, let wasAfter):
      .songMoved(id, in: album, after: wasAfter, wasAfter: after)
    case .slotDropped(let id, let album, let wasAfter):
      .slotRestored(id, in: album, after: wasAfter)
    case .slotRestored(let id, let album, let after): .slotDropped(id, in: album, wasAfter: after)
    case .firstScanEnded, .albumRegrouped, .albumTookOver, .songRegrouped, .songFollowed,
      .songRetagged, .songGone:
      nil
    }
  }
}
