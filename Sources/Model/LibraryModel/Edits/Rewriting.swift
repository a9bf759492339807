extension Library {
  /// Merges an order that the user wrote with the changes since they read it. Items that the user
  /// did not move stay where they are now.
  ///
  /// - Parameters:
  ///   - base: the library as it was read.
  ///   - scope: the scope of the text. Items outside it are not affected.
  ///   - newAlbums: the crate that is kept while it is empty.
  ///   - origin: the source of the request, if it is not a plain call.
  /// - Throws: if the text is invalid, with the line. Nothing is changed then.
  package func decide(
    _ written: WrittenOrder, readFrom base: Library, scope: TextScope = TextScope(),
    newAlbums: String?, origin: String? = nil
  ) throws(Refusal) -> Decision {
    var rewriting = try Rewriting(written, base: base, now: self, scope: scope)
    if scope.isPartial {
      rewriting.addCrates()
    } else if scope.album == nil {
      try rewriting.renameCrates()
      try rewriting.arrangeCrates()
    }
    if scope.isPartial || scope.album == nil { rewriting.arrangeAlbums() }
    if scope.hasSongs || scope.album != nil { rewriting.arrangeSongs() }
    rewriting.decision.dropEmptyCrates(except: newAlbums)
    rewriting.touchAlbums()
    rewriting.noteWhatIsOtherwise()
    if !rewriting.decision.isEmpty { rewriting.decision.transaction.origin = origin }
    rewriting.decision.tell(.text, from: self)
    return rewriting.decision
  }
}

/// The part of the order that a text shows and can change.
package struct TextScope: Hashable, Sendable {
  /// The only crate that it shows. Nil: all crates.
  package var crate: String?
  /// The only album whose songs it shows. The lines above them are informational.
  package var album: AlbumID?
  package var hasSongs: Bool
  /// Whether items that are missing from the text are ignored instead of being put back.
  package var isPartial: Bool

  package init(
    crate: String? = nil, album: AlbumID? = nil, hasSongs: Bool = true, isPartial: Bool = false
  ) {
    (self.crate, self.album) = (crate, album)
    (self.hasSongs, self.isPartial) = (hasSongs, isPartial)
  }
}

/// The merge of one written order, step by step.
struct Rewriting {
  /// A crate of the text.
  struct Page {
    var written: WrittenOrder.Crate
    /// The index of the crate among those that were read. Nil for a new one.
    var base: Int?
    /// The crate's current id. Nil if it does not exist, or does not exist yet.
    var now: CrateID?
    /// The crate's albums after the merge, by their current ids.
    var albums: Merged<AlbumID>
  }

  let base: Library
  /// The current ids of the albums that were read. Albums that no longer exist are omitted.
  let present: [AlbumID: AlbumID]
  /// The indices in `base` of the crates that the text shows.
  let scope: [Int]
  /// Whether the text shows all crates.
  let isWhole: Bool
  /// Whether items that are missing from the text are ignored.
  let isPartial: Bool
  var pages: [Page] = []
  var decision: Decision
  var leftOutAlbums: [AlbumID] = []
  var leftOutSongs: [SongID] = []
  var lost: [String] = []

  init(
    _ written: WrittenOrder, base: Library, now: Library, scope wanted: TextScope,
    by author: Author = .person
  ) throws(Refusal) {
    self.base = base
    decision = Decision(library: now, by: author)
    isWhole = wanted.crate == nil
    isPartial = wanted.isPartial
    if let only = wanted.crate {
      guard let crate = base.crate(named: only),
        let place = base.crates.firstIndex(where: { $0.id == crate.id })
      else { throw .noSuchCrate(only) }
      scope = [place]
    } else {
      scope = Array(base.crates.indices)
    }
    present = Rewriting.present(of: base, in: now)
    let checked = try WrittenOrderCheck(base: base, now: now).checked(written)
    if let album = wanted.album {
      try Self.refuseOthers(than: base.album(album)?.id ?? album, in: checked)
    }
    makePages(checked)
    // Albums that the text does not show are not missing from it.
    if wanted.isPartial || wanted.album != nil { leftOutAlbums = [] }
  }

  private static func refuseOthers(
    than album: AlbumID, in written: WrittenOrder
  ) throws(Refusal) {
    for other in written.crates.lazy.flatMap(\.albums) where other.id != album {
      throw .editRejected(
        line: other.line, reason: "this is the text of one album; delete the line of another one")
    }
  }

  /// Returns the current ids of the albums that were read. An album that was taken over since is
  /// the other one, unless the other one was read, too.
  private static func present(of base: Library, in now: Library) -> [AlbumID: AlbumID] {
    var present: [AlbumID: AlbumID] = [:]
    var taken: Set<AlbumID> = []
    for id in base.crates.flatMap(\.albums) {
      guard let album = now.album(id)?.id, album == id || base.albums[album] == nil else {
        continue
      }
      if taken.insert(album).inserted { present[id] = album }
    }
    return present
  }

  /// Returns the current album for one of the text, or nil if it no longer exists.
  func album(_ id: AlbumID) -> Album? {
    let now = decision.library
    return base.albums[id] == nil ? now.albums[id] : present[id].flatMap { now.albums[$0] }
  }

  private mutating func makePages(_ written: WrittenOrder) {
    let now = decision.library
    let matched = Rewriting.matches(written.crates, of: base, among: scope)
    let mentioned = Set(written.crates.lazy.flatMap(\.albums).map(\.id))
    // A crate that the text renames is not the crate of its former name.
    let named = Set(matched.compactMap { $0.map { base.crates[$0].id } })
    for (crate, place) in zip(written.crates, matched) {
      var here = self.now(crate, place)
      if place == nil, let found = here, named.contains(found.id) { here = nil }
      let wanted = crate.albums.map(\.id)
      let isRead = scope.contains { $0 == place }
      let wantedHere = Set(wanted)
      // An album that the text has in another crate is not missing from this one.
      let read = (place.map { Array(base.crates[$0].albums) } ?? []).filter { id in
        wantedHere.contains(id) || isRead && !mentioned.contains(id)
      }
      let albums = merged(
        read.compactMap { album($0)?.id }, unique(wanted.compactMap { album($0)?.id }),
        here.map { Array($0.albums) } ?? []
      ) { now.unlisted[$0] != nil }
      pages.append(Page(written: crate, base: place, now: here?.id, albums: albums))
    }
    let read = scope.flatMap { base.crates[$0].albums }
    leftOutAlbums = read.filter { !mentioned.contains($0) }.compactMap { album($0)?.id }
    lost = written.crates.flatMap(\.albums).filter { album($0.id) == nil }
      .map { formerTitle($0.id) }
  }

  /// Returns the current crate for one of the text. A crate that was read is matched by its id
  /// alone, whatever crate has its name by now.
  private func now(_ crate: WrittenOrder.Crate, _ place: Int?) -> Crate? {
    guard let place, !isPartial else { return decision.library.crate(named: crate.name) }
    return decision.library.crate(base.crates[place].id)
  }

  /// Merges a list of the text with the current list. In a partial text, the first item and those
  /// that are already in its order stay.
  ///
  /// - Parameter isHidden: whether a partial text never shows the item.
  func merged<Item: Hashable>(
    _ read: [Item], _ wanted: [Item], _ now: [Item], isHidden: (Item) -> Bool
  ) -> Merged<Item> {
    if !isPartial { return merge(base: read, wanted: wanted, now: now) }
    let named = Set(wanted)
    return merge(
      base: now.filter(named.contains), wanted: wanted, now: now,
      chosen: Set(wanted.dropFirst()), isHidden: isHidden)
  }

  /// Returns, for each crate of the text, the index of the crate that was read: by its id, else by
  /// its name. A crate with a new name is the missing one of which most albums stand in it.
  ///
  /// - Parameter scope: the crates that may be missing.
  private static func matches(
    _ crates: [WrittenOrder.Crate], of base: Library, among scope: [Int]
  ) -> [Int?] {
    let places = Dictionary(
      uniqueKeysWithValues: base.crates.enumerated().map { ($1.folded, $0) })
    let byID = Dictionary(uniqueKeysWithValues: base.crates.enumerated().map { ($1.id, $0) })
    var matched = crates.map { $0.id.flatMap { byID[$0] } }
    let named = Set(matched.compactMap(\.self))
    for (number, crate) in crates.enumerated() where matched[number] == nil {
      matched[number] = places[folded(crate.name)].flatMap { named.contains($0) ? nil : $0 }
    }
    var missing = Set(scope).subtracting(matched.compactMap(\.self))
    var homes: [AlbumID: Int] = [:]
    for place in missing { for id in base.crates[place].albums { homes[id] = place } }
    for (number, crate) in crates.enumerated() where matched[number] == nil {
      var counts: [Int: Int] = [:]
      let found = crate.albums.compactMap { homes[$0.id] }.filter(missing.contains)
      for place in found { counts[place, default: 0] += 1 }
      let most = counts.values.max()
      guard let place = found.first(where: { counts[$0] == most }) else { continue }
      matched[number] = place
      missing.remove(place)
    }
    return matched
  }
}
