import CratesInterface
import Text

/// Plans how lists of songs become crates of albums. A pure function: the plan depends only on the
/// lists and on which songs were found.
package struct Importing {
  /// The most example paths of a list that is not imported.
  private static let mostExamples = 3

  private let file: ListFile
  private let choice: ImportChoice
  /// The lists whose songs have to be looked up, in the order in which `plan` expects the results.
  package let lists: [ImportedList]

  /// - Throws: An `ImportRefusal` if a name matches no list, or if several lists are for one crate.
  package init(_ file: ListFile, choice: ImportChoice) throws(ImportRefusal) {
    self.file = file
    self.choice = choice
    lists = try Importing.chosen(file, choice)
    if choice.crate != nil, lists.count > 1 {
      throw ImportRefusal(
        description: "there are \(lists.count) lists, and one crate for them; name one of them with"
          + " --only: \(Importing.some(lists.map(\.name)))")
    }
  }

  private static func chosen(
    _ file: ListFile, _ choice: ImportChoice
  ) throws(ImportRefusal) -> [ImportedList] {
    if choice.only.isEmpty { return file.lists }
    var places: Set<Int> = []
    for name in choice.only {
      let wanted = folded(name)
      let found = file.lists.indices.filter {
        folded(file.lists[$0].name) == wanted || folded(crateName(of: file.lists[$0])) == wanted
      }
      if found.isEmpty { throw noList(named: name, in: file) }
      places.formUnion(found)
    }
    return places.sorted().map { file.lists[$0] }
  }

  private static func noList(named name: String, in file: ListFile) -> ImportRefusal {
    if let left = file.leftOut.first(where: { folded($0.name) == folded(name) }) {
      return ImportRefusal(
        description: "“\(left.name)” can't be taken over: \(left.reason.rawValue)")
    }
    return ImportRefusal(
      description: "there is no list “\(name)”; there are \(some(file.lists.map(crateName)))")
  }

  private static func some(_ names: [String]) -> String {
    let most = 10
    let shown = names.prefix(most).joined(separator: ", ")
    return names.isEmpty ? "none" : names.count > most ? "\(shown), …" : shown
  }

  // MARK: Crates

  /// Returns the name of a list's crate, such as `House / Deep`.
  package static func crateName(of list: ImportedList) -> String {
    let parts = (list.folders + [list.name]).map { clean($0) }.filter { !$0.isEmpty }
    let name = cut(withFewMarks(parts.joined(separator: " / ")))
    return name.isEmpty ? "Imported" : name
  }

  private static func clean(_ name: String) -> String {
    var scalars = String.UnicodeScalarView()
    for scalar in name.unicodeScalars {
      switch scalar.properties.generalCategory {
      case .control, .lineSeparator, .paragraphSeparator: scalars.append(" ")
      // Directional marks and the like would change the text beside the name.
      case _ where scalar.isSteering: continue
      default: scalars.append(scalar)
      }
    }
    return trimmed(String(scalars))
  }

  private static func cut(_ name: String) -> String {
    let most = 255
    var cut = ""
    for character in name {
      if cut.utf8.count + character.utf8.count > most { break }
      cut.append(character)
    }
    return trimmed(cut)
  }

  /// Removes the blanks that a crate's name can't begin or end with.
  private static func trimmed(_ name: String) -> String {
    var text = name.drop(while: \.isWhitespace)
    while text.last?.isWhitespace == true { text.removeLast() }
    return String(text)
  }

  // MARK: The plan

  /// Returns the ids of the albums of which a list contains all songs one after the other. `plan`
  /// needs the order of songs of these albums only.
  package func albumsInOneBlock(
    _ found: [[FoundSong]], albums: [String: KnownAlbum]
  ) -> [String] {
    var ids: Set<String> = []
    for (list, found) in zip(lists, found) where list.isOrdered {
      let blocks = ListedAlbums(list, found, albums).blocks
      ids.formUnion(blocks.keys.filter { blocks[$0]?.count == albums[$0]?.songs })
    }
    return ids.sorted()
  }

  /// Makes the plan.
  ///
  /// - Parameters:
  ///   - found: For each of `lists`, the result for each of its songs.
  ///   - albums: The albums of the songs that were found, by id.
  ///   - crates: The names of the existing crates.
  package func plan(
    _ found: [[FoundSong]], albums: [String: KnownAlbum], crates: [String] = []
  ) -> ImportPlan {
    precondition(found.count == lists.count, "there is an answer for each list")
    let drafts = zip(lists, found).map { ListedAlbums($0, $1, albums) }
    var winners: [String: Int] = [:]
    var claims: [String: [Int]] = [:]
    for (place, draft) in drafts.enumerated() where skipReason(of: draft) == nil {
      for (id, count) in draft.counts where joins(count, albums[id]) {
        claims[id, default: []].append(place)
        if let best = winners[id], !isStronger(drafts, place, than: best, id) { continue }
        winners[id] = place
      }
    }
    let names = Dictionary(crates.map { (folded($0), $0) }, uniquingKeysWith: { first, _ in first })
    var plan = ImportPlan()
    plan.leftOut = choice.only.isEmpty ? file.leftOut : []
    for (place, draft) in drafts.enumerated() {
      let name = choice.crate ?? Self.crateName(of: draft.list)
      var list = ImportPlan.List(name: draft.list.name, crate: names[folded(name)] ?? name)
      list.isNew = names[folded(name)] == nil
      (list.listed, list.found) = (draft.list.songs.count, draft.foundCount)
      list.missing = draft.missing
      list.skipReason = skipReason(of: draft)
      if list.skipReason == nil {
        list.claimed = draft.order.compactMap { id in
          guard let lists = claims[id], lists.count > 1, lists.contains(place),
            let winner = winners[id], let album = albums[id]
          else { return nil }
          return ImportPlan.Claim(
            album: album, lists: lists.map { drafts[$0].list.name },
            winner: drafts[winner].list.name)
        }
        list.albums = self.albums(of: draft, albums, in: list.crate) { winners[$0] == place }
        list.left = draft.order.compactMap { id in
          guard let album = albums[id], let count = draft.counts[id], !joins(count, album) else {
            return nil
          }
          return ImportPlan.LeftAlbum(album: album, listed: count)
        }
      }
      plan.lists.append(list)
    }
    return plan
  }

  private func albums(
    of draft: ListedAlbums, _ known: [String: KnownAlbum], in crate: String,
    where isMine: (String) -> Bool
  ) -> [ImportPlan.Album] {
    var albums: [ImportPlan.Album] = []
    for id in draft.order where isMine(id) {
      guard let album = known[id], let listed = draft.counts[id] else { continue }
      let isInCrate = folded(album.crate) == folded(crate)
      let block = draft.blocks[id] ?? []
      let isWhole = block.count == album.songs && Set(block) == Set(album.order)
      let isOrdered = draft.list.isOrdered && isWhole && !isInCrate && block != album.order
      albums.append(
        ImportPlan.Album(
          album: album, listed: listed, isInCrate: isInCrate, songs: isOrdered ? block : []))
    }
    if !draft.list.isOrdered { albums.sort { $0.album.standsAbove($1.album) } }
    return albums
  }

  /// Whether a list has enough songs of an album: at least half.
  private func joins(_ count: Int, _ album: KnownAlbum?) -> Bool {
    guard let album else { return false }
    return choice.any || count * 2 >= album.songs
  }

  /// Whether a list takes precedence over an earlier one for an album: it has more of the album's
  /// songs, or as many and is shorter.
  private func isStronger(
    _ drafts: [ListedAlbums], _ one: Int, than other: Int, _ id: String
  ) -> Bool {
    let (ours, theirs) = (drafts[one].counts[id] ?? 0, drafts[other].counts[id] ?? 0)
    if ours != theirs { return ours > theirs }
    return drafts[one].list.songs.count < drafts[other].list.songs.count
  }

  private func skipReason(of draft: ListedAlbums) -> ImportPlan.SkipReason? {
    if draft.list.songs.isEmpty { return .empty }
    if choice.only.isEmpty, draft.foundCount * 5 < draft.list.songs.count {
      let some = draft.missing.lazy.map(\.song.shownPath).filter { !$0.isEmpty }
      let paths = Array(some.prefix(Self.mostExamples))
      return draft.list.isDecoded ? .hardlyFound(paths: paths) : .undecoded(paths: paths)
    }
    return nil
  }
}
