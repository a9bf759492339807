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

  /// Puts the crates of the text in its order. The text of a single crate moves no other crate.
  mutating func arrangeCrates() throws(Refusal) {
    let now = decision.library
    var new: [CrateID: String] = [:]
    // Crates are created only if they have albums.
    for place in pages.indices where pages[place].now == nil && !pages[place].albums.moved.isEmpty {
      let page = pages[place]
      if now.crate(named: page.written.name) != nil { throw taken(page.written) }
      // A crate that was removed comes back with its id.
      let former = page.base.map { base.crates[$0].id } ?? page.written.id
      let id =
        former.flatMap { now.crate($0) == nil ? $0 : nil } ?? now.mintCrate(page.written.name)
      pages[place].now = id
      new[id] = page.written.name
    }
    let wanted = unique(pages.compactMap(\.now))
    let named = Set(wanted)
    // A crate that the text omits and empties is removed.
    let leaving = Set(pages.lazy.flatMap(\.albums.moved))
    let read = isWhole ? scope.map { base.crates[$0].id } : wanted
    let kept = read.filter { id in
      guard let crate = now.crate(id) else { return false }
      return named.contains(id) || crate.albums.isEmpty
        || !crate.albums.allSatisfy(leaving.contains)
    }
    let crates = merge(base: kept, wanted: wanted, now: now.crates.map(\.id))
    decision.arrange(crates.goal, chosen: crates.carried, names: new)
  }

  /// Creates the new crates of a partial text, below the others. No crate is renamed.
  mutating func addCrates() {
    for place in pages.indices where pages[place].now == nil && !pages[place].albums.moved.isEmpty {
      let name = pages[place].written.name
      decision.make(.crateAdded(name, after: decision.library.crates.last?.name))
      pages[place].now = decision.library.crate(named: name)?.id
    }
  }

  mutating func arrangeAlbums() {
    let moved = Set(pages.lazy.flatMap(\.albums.moved))
    for page in pages where !page.albums.moved.isEmpty {
      guard let crate = page.now.flatMap({ decision.library.crate($0) }) else { continue }
      // Skips albums that the text has in another crate.
      let goal = page.albums.goal.filter {
        page.albums.carried.contains($0) || !moved.contains($0)
      }
      decision.arrange(goal, in: crate, chosen: page.albums.carried)
    }
  }

  mutating func touchAlbums() {
    for page in pages { decision.touch(page.albums.moved) }
  }

  mutating func arrangeSongs() {
    let now = decision.library
    for written in pages.lazy.flatMap(\.written.albums) {
      guard let album = album(written.id) else { continue }
      let here = now.members(of: album)
      let read = base.albums[written.id].map(base.members) ?? here
      let ids = written.songs.map(\.id)
      // An album without song lines keeps the order of its songs.
      if ids.isEmpty || ids == read && !isPartial { continue }
      let isHere = Set(here)
      let mentioned = Set(ids)
      lost += ids.filter { !isHere.contains($0) }.map { base.songs[$0]?.title ?? "a song" }
      if !isPartial {
        leftOutSongs += read.filter { isHere.contains($0) && !mentioned.contains($0) }
      }
      let songs = merged(read, ids.filter(isHere.contains), here) { now.songs[$0]?.isGone == true }
      decision.arrange(songs.goal, in: album, chosen: songs.carried)
      if isPartial, !songs.moved.isEmpty { decision.touch([album.id]) }
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

  /// Returns the former title of an album that was read.
  func formerTitle(_ id: AlbumID) -> String {
    base.album(id).map { base.passingFace(of: $0).title } ?? "an album"
  }
}
