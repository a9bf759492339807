extension Library {
  /// Merges an order that a person wrote down with what changed since they read it. What they did
  /// not move stays as it is now.
  ///
  /// - Parameters:
  ///   - base: the library as it was read.
  ///   - scope: what the text was asked for: what that leaves out is not meant.
  ///   - newAlbums: the crate that is kept while it is empty.
  ///   - origin: who asks, where it is no plain call.
  /// - Throws: where the text can't be meant, with the line; nothing of it is done then.
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

/// What an order as text shows, and so what it can mean.
package struct TextScope: Hashable, Sendable {
  /// Nil: all crates.
  package var crate: String?
  /// The album whose songs alone it shows; the lines above them are for reading.
  package var album: AlbumID?
  /// Whether it shows songs.
  package var hasSongs: Bool
  /// What isn't in the text isn't meant, instead of being put back.
  package var isPartial: Bool

  package init(
    crate: String? = nil, album: AlbumID? = nil, hasSongs: Bool = true, isPartial: Bool = false
  ) {
    (self.crate, self.album) = (crate, album)
    (self.hasSongs, self.isPartial) = (hasSongs, isPartial)
  }
}

/// One such merge, step by step.
struct Rewriting {
  /// A crate of the text.
  struct Page {
    var written: WrittenOrder.Crate
    /// The crate's place among those that were read; nil for a new one.
    var base: Int?
    /// What it is now; nil for one that is not there, or not yet.
    var now: CrateID?
    /// The crate's albums, by their ids of now, as they shall be.
    var albums: Merged<AlbumID>
  }

  let base: Library
  /// The ids by which albums that were read go now. Those that are gone for good are left out.
  let present: [AlbumID: AlbumID]
  /// The crates that were read, of all that there were then.
  let scope: [Int]
  /// Whether it is the text of all crates.
  let isWhole: Bool
  /// Whether it means only what is in it.
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
    // What a text doesn't show is not left out of it.
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

  /// An album that was taken over since is the other one, unless that was read, too.
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

  /// What an album of the text is now; nil where it is not there any more.
  func album(_ id: AlbumID) -> Album? {
    let now = decision.library
    return base.albums[id] == nil ? now.albums[id] : present[id].flatMap { now.albums[$0] }
  }

  private mutating func makePages(_ written: WrittenOrder) {
    let now = decision.library
    let matched = Rewriting.matches(written.crates, of: base, among: scope)
    let mentioned = Set(written.crates.lazy.flatMap(\.albums).map(\.id))
    // A crate that goes on under another name is not the one of its former name.
    let named = Set(matched.compactMap { $0.map { base.crates[$0].id } })
    for (crate, place) in zip(written.crates, matched) {
      var here = self.now(crate, place)
      if place == nil, let found = here, named.contains(found.id) { here = nil }
      let wanted = crate.albums.map(\.id)
      let isRead = scope.contains { $0 == place }
      let wantedHere = Set(wanted)
      // What stands in another crate of the text was not left out of this one.
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

  /// A crate of the text as it is now. One that was read is that one alone, whatever is called so
  /// by now.
  private func now(_ crate: WrittenOrder.Crate, _ place: Int?) -> Crate? {
    guard let place, !isPartial else { return decision.library.crate(named: crate.name) }
    return decision.library.crate(base.crates[place].id)
  }

  /// A list of the text, merged with what it is now. Of a part of one that was not read as such,
  /// what is there in its order already stays, and the first one in any case.
  ///
  /// - Parameter isHidden: whether a part of the list never shows it.
  func merged<Item: Hashable>(
    _ read: [Item], _ wanted: [Item], _ now: [Item], isHidden: (Item) -> Bool
  ) -> Merged<Item> {
    if !isPartial { return merge(base: read, wanted: wanted, now: now) }
    let named = Set(wanted)
    return merge(
      base: now.filter(named.contains), wanted: wanted, now: now,
      chosen: Set(wanted.dropFirst()), isHidden: isHidden)
  }

  /// For each crate of the text, which of those that were read it is: by its id, else by its name,
  /// and if that is new, the one whose name is missing and of which most albums stand in it.
  ///
  /// - Parameter scope: those that may be missing.
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
