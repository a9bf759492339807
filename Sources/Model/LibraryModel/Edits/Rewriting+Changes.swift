extension Rewriting {
  mutating func renameCrates() throws(Refusal) {
    for page in pages {
      guard let place = page.base, let id = page.now, let crate = decision.library.crate(id),
        base.crates[place].name != page.written.name, crate.name != page.written.name
      else { continue }
      let name = page.written.name
      if let other = decision.library.crate(named: name), other.id != id {
        throw taken(page.written)
      }
      decision.make(.crateRenamed(crate.name, to: name))
    }
  }

  private func taken(_ crate: WrittenOrder.Crate) -> Refusal {
    .editRejected(
      line: crate.line,
      reason: "there is a crate “\(crate.name)” by now; choose another name")
  }

  /// Puts the crates that are to be in the order of the text. The text of one crate moves no other.
  mutating func arrangeCrates() throws(Refusal) {
    let now = decision.library.crates
    var written: [CrateKey] = []
    for (number, page) in pages.enumerated() {
      let key = page.now.map { CrateKey.there($0) } ?? .new(number)
      // A crate holds albums.
      if page.now == nil, page.albums.moved.isEmpty { continue }
      if !written.contains(key) { written.append(key) }
    }
    let there = Set(now.map(\.id))
    let read =
      isWhole
      ? scope.map { base.crates[$0].id }.filter(there.contains).map { CrateKey.there($0) }
      : written.filter(\.isThere)
    let leaving = Set(pages.lazy.flatMap(\.albums.written))
    let leftOut = Set(read).subtracting(written).filter { keepsAlbums($0, leaving) }
    let edit = ListEdit(base: read, written: written, leftOut: leftOut)
    let goal = edit.goal(from: now.map { .there($0.id) })
    let moves = fewestMoves(
      from: now.map { .there($0.id) }, to: goal.filter(\.isThere), chosen: edit.moved)
    let moved = Set(moves.map(\.item))
    var previous: String?
    for key in goal {
      let name: String
      switch key {
      case .there(let id):
        name = decision.library.crate(id)?.name ?? ""
        if moved.contains(key) {
          let names = decision.library.crates.map(\.name)
          decision.make(
            .crateMoved(name, after: previous, wasAfter: predecessor(of: name, in: names)))
        }
      case .new(let number):
        name = pages[number].written.name
        if decision.library.crate(named: name) != nil { throw taken(pages[number].written) }
        // One that went comes back as what it was.
        let former = pages[number].base.map { base.crates[$0].id } ?? pages[number].written.id
        let id = former.flatMap { decision.library.crate($0) == nil ? $0 : nil }
        decision.make(.crateAdded(name, after: previous, id: id))
        pages[number].now = decision.library.crate(named: name)?.id
      }
      previous = name
    }
  }

  private enum CrateKey: Hashable {
    case there(CrateID)
    /// The crate of that page comes into being.
    case new(Int)

    var isThere: Bool { if case .there = self { true } else { false } }
  }

  /// Whether the crate will be there although the text leaves it out.
  ///
  /// - Parameter leaving: the albums that the text has anywhere.
  private func keepsAlbums(_ key: CrateKey, _ leaving: Set<AlbumID>) -> Bool {
    guard case .there(let id) = key, let crate = decision.library.crate(id) else { return false }
    return crate.albums.isEmpty || !crate.albums.allSatisfy(leaving.contains)
  }

  mutating func arrangeAlbums() {
    for page in pages where !page.albums.moved.isEmpty {
      guard let crate = page.now.flatMap({ decision.library.crate($0) }) else { continue }
      decision.arrange(
        page.albums.goal(from: Array(crate.albums)), in: crate, chosen: page.albums.moved)
    }
  }

  mutating func touchAlbums() {
    for list in pages.map(\.albums) { decision.touch(list.written.filter(list.moved.contains)) }
  }

  mutating func arrangeSongs() {
    let now = decision.library
    for written in pages.lazy.flatMap(\.written.albums) {
      guard let album = album(written.id) else { continue }
      let read = base.albums[written.id].map(base.members) ?? now.members(of: album)
      let ids = written.songs.map(\.id)
      // Songs that are left out altogether are not meant at all.
      if ids == read || ids.isEmpty { continue }
      let here = now.members(of: album)
      let isHere = Set(here)
      let mentioned = Set(ids)
      lost += ids.filter { !isHere.contains($0) }.map { base.songs[$0]?.title ?? "a song" }
      let leftOut = read.filter { isHere.contains($0) && !mentioned.contains($0) }
      leftOutSongs += leftOut
      let list = ListEdit(
        base: read.filter(isHere.contains), written: ids.filter(isHere.contains),
        leftOut: Set(leftOut))
      decision.arrange(list.goal(from: here), in: album, chosen: list.moved)
    }
  }
}

// MARK: Telling

extension Rewriting {
  mutating func noteWhatIsOtherwise() {
    let reason = "the music folder decides what is there"
    let now = decision.library
    func names(_ count: Int, _ titles: some Sequence<String>) -> String {
      Names(titles, of: count).text
    }
    if !leftOutAlbums.isEmpty {
      let titles = leftOutAlbums.prefix(Names.namedMost).map { id in
        now.album(id).map { now.passingFace(of: $0).title } ?? ""
      }
      decision.transaction.notes.append("put back \(names(leftOutAlbums.count, titles)): \(reason)")
    }
    if !leftOutSongs.isEmpty {
      let titles = leftOutSongs.prefix(Names.namedMost).map { now.songs[$0]?.title ?? "" }
      decision.transaction.notes.append("put back \(names(leftOutSongs.count, titles)): \(reason)")
    }
    if !lost.isEmpty {
      decision.transaction.notes.append("\(Names(lost).text): not there any more")
    }
    let empty = pages.filter { $0.base == nil && $0.now == nil }.map(\.written.name)
    if !empty.isEmpty {
      decision.transaction.notes.append(
        "no album stands below \(Names(empty).text): a crate holds albums")
    }
  }

  /// What an album that was read was called.
  func formerTitle(_ id: AlbumID) -> String {
    base.album(id).map { base.passingFace(of: $0).title } ?? "an album"
  }
}
