/// The order that several machines have agreed on, where it differs from the library's.
package struct AgreedOrder: Hashable, Sendable {
  /// An album whose songs other machines put in order.
  package struct Songs: Hashable, Sendable {
    package var album: AlbumID
    /// The wanted order. Nil if they are in default order again.
    package var order: [SongID]?

    package init(album: AlbumID, order: [SongID]?) { (self.album, self.order) = (album, order) }
  }

  /// All crates, and all albums of the library.
  package var order = WrittenOrder()
  package var songs: [Songs] = []
  /// Notes for the user.
  package var notes: [String] = []

  package init() {}
}

extension Library {
  /// Applies the decisions of other machines, with the fewest moves.
  ///
  /// - Parameters:
  ///   - agreed: the agreed order for this very library.
  ///   - machines: the names of the machines that it comes from.
  ///   - newAlbums: the crate that is kept while it is empty.
  /// - Throws: if the order does not fit this library, which is a bug in crated. Nothing is changed
  ///   then.
  package func decide(
    _ agreed: AgreedOrder, from machines: String, newAlbums: String?
  ) throws(Refusal) -> Decision {
    var rewriting = try Rewriting(
      agreed.order, base: self, now: self, scope: TextScope(hasSongs: false), by: .machine)
    try rewriting.renameCrates()
    try rewriting.arrangeCrates()
    rewriting.arrangeAlbums()
    rewriting.decision.dropEmptyCrates(except: newAlbums)
    rewriting.touchAlbums()
    var decision = rewriting.decision
    for songs in agreed.songs { decision.arrange(songs) }
    if !decision.isEmpty {
      decision.transaction.origin = machines.cut(toBytes: Transaction.longestOrigin)
      decision.transaction.notes += agreed.notes
    }
    decision.tell(.machines(machines), from: self)
    return decision
  }
}

extension Decision {
  /// Puts the songs of an album in order. Songs that are not named stay behind those that they
  /// follow.
  fileprivate mutating func arrange(_ wanted: AgreedOrder.Songs) {
    guard let album = library.albums[wanted.album] else { return }
    let here = library.members(of: album)
    if let order = wanted.order {
      arrange(merge(base: here, wanted: order, now: here).goal, in: album)
    } else if let order = library.membersInDefaultOrder(of: album) {
      arrange(order, in: album)
    }
    let isArranged = wanted.order != nil
    if library.albums[album.id]?.isArranged != isArranged {
      make(.albumArranged(album.id, isArranged))
    }
    touch([album.id])
  }
}
