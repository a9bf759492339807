import TestSupport

@testable import LibraryModel

extension RandomHistory {
  /// What the person may ask for, by chance; sometimes what is refused.
  mutating func randomEdit() -> Edit? {
    let all = library.crates.flatMap(\.albums)
    let listed = all.filter { library.isListed($0) }
    guard let album = (chance(10) ? all : listed).randomElement(using: &random) else { return nil }
    switch Int.random(in: 0..<20, using: &random) {
    case 0...3: return .moveAlbums([album], place(all), crate: nil)
    case 4...5: return .moveAlbums(some(all), place(all), crate: nil)
    case 6...8:
      return .moveAlbums(some(listed), chance(2) ? nil : place(all), crate: crateName())
    case 9...11:
      let songs = library.albums[album].map(library.members) ?? []
      guard let song = songs.randomElement(using: &random) else { return nil }
      return .moveSongs(chance(2) ? [song] : some(songs), place(songs))
    case 12: return .moveCrate(crateName(), cratePlace())
    case 13: return .renameCrate(crateName(), to: chance(2) ? "Late" : crateName())
    case 14, 15:
      let sortings: [AlbumSorting] = [
        .added, .released, .artist, .title, .reversed, .shuffled(seed: random.next()),
      ]
      return .sortAlbums(
        chance(2) ? listed : some(listed), sortings.randomElement(using: &random) ?? .title)
    case 16...18:
      let sortings: [SongSorting] = [
        .track, .added, .title, .reversed, .shuffled(seed: random.next()),
      ]
      let songs = some(listed).flatMap { library.albums[$0].map(library.members) ?? [] }
      return .sortSongs(
        chance(2) ? songs : some(songs), sortings.randomElement(using: &random) ?? .title)
    default:
      if chance(3) { return .forget(songs: [], albums: [], all: true) }
      if chance(2) { return .forget(songs: [], albums: [album], all: false) }
      let gone = library.songs.values.filter(\.isGone).map(\.id).sorted()
      return .forget(songs: some(gone), albums: [], all: false)
    }
  }

  private mutating func some<Item>(_ items: [Item]) -> [Item] {
    let some = items.filter { _ in chance(2) }
    return some.isEmpty ? Array(items.prefix(1)) : some
  }

  private mutating func place<Item>(_ anchors: [Item]) -> Place<Item> {
    let places: [Place<Item>] = [.top, .bottom, .up, .down]
    guard let anchor = anchors.randomElement(using: &random) else { return .top }
    return (places + [.before(anchor), .after(anchor)]).randomElement(using: &random) ?? .top
  }

  private mutating func cratePlace() -> Place<String> {
    place(library.crates.map(\.name))
  }

  private mutating func crateName() -> String {
    let names = library.crates.map(\.name) + ["Jazz", "jazz", "Rock", " x"]
    return names.randomElement(using: &random) ?? "Jazz"
  }
}
