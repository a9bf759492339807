extension Rewriting {
  /// Does what a text asks that means only what is in it, such as a list of another program's:
  /// nothing is renamed, and nothing is put back.
  mutating func bringTogether(withSongs: Bool) {
    for place in pages.indices { bringTogether(page: place) }
    if !withSongs { return }
    for written in pages.lazy.flatMap(\.written.albums) where !written.songs.isEmpty {
      guard let album = album(written.id) else { continue }
      let now = decision.library
      let here = now.members(of: album)
      let isHere = Set(here)
      let ids = written.songs.map(\.id)
      lost += ids.filter { !isHere.contains($0) }.map { base.songs[$0]?.title ?? "a song" }
      let (goal, moved) = broughtTogether(here, ids.filter(isHere.contains)) { id in
        now.songs[id]?.isGone == true
      }
      decision.arrange(goal, in: album, chosen: moved)
      if !moved.isEmpty { decision.touch([album.id]) }
    }
  }

  private mutating func bringTogether(page place: Int) {
    let page = pages[place]
    let albums = page.written.albums.compactMap { album($0.id)?.id }
    if albums.isEmpty { return }
    if decision.library.crate(named: page.written.name) == nil {
      decision.make(
        .crateAdded(page.written.name, after: decision.library.crates.last?.name))
    }
    guard let crate = decision.library.crate(named: page.written.name) else { return }
    pages[place].now = crate.id
    let now = decision.library
    let (goal, moved) = broughtTogether(Array(crate.albums), albums) { now.unlisted[$0] != nil }
    decision.arrange(goal, in: crate, chosen: moved)
    decision.touch(albums.filter(moved.contains))
  }
}
