import CratesInterface
import ProgramSupport
import TestSupport

/// An edit, as crated is asked for it and as the model does it. Where crated refuses it, the model
/// stays as it is.
struct KnownEdit: Sendable {
  enum Effect: Sendable {
    case change(@Sendable (inout OrderModel) -> Void)
    case undo, redo
  }

  var call: Call
  var effect: Effect

  /// Whether the change says that it is one of this kind.
  func isKind(of change: Interface.Change) -> Bool {
    let mark = ["Taken back: ", "Done again: "].first(where: change.summary.hasPrefix)
    return switch call {
    case .undo: mark == "Taken back: "
    case .redo: mark == "Done again: "
    case .moveAlbums, .sortAlbums: mark == nil && !change.albums.isEmpty && change.songs.isEmpty
    case .moveSongs, .sortSongs: mark == nil && !change.songs.isEmpty
    default: mark == nil && change.albums.isEmpty && change.songs.isEmpty
    }
  }
}

/// Albums and songs that are there for good, by numbers of their own.
struct KnownThings: Sendable {
  let albums: [Int: String]
  let songs: [Int: [Int: String]]
  private let numbers: [String: Int]

  /// Takes those of `SmallLibrary` that are there now, from the titles.
  init(_ client: CratesClient) throws {
    var albums: [Int: String] = [:]
    var songs: [Int: [Int: String]] = [:]
    var numbers: [String: Int] = [:]
    func number(_ title: String) -> Int {
      title.split(separator: " ").last.flatMap { Int($0) } ?? 0
    }
    for song in try client.songs() {
      let album = number(song.albumTitle)
      albums[album] = song.album
      songs[album, default: [:]][album * 10 + number(song.title)] = song.id
      numbers[song.id] = album * 10 + number(song.title)
      numbers[song.album] = album
    }
    (self.albums, self.songs, self.numbers) = (albums, songs, numbers)
  }

  /// Whether one order may have become the other by the change: all that it doesn't name stands as
  /// before. It may name others than those that were asked to move: where two albums pass one, the
  /// one is the fewest that moves.
  func allows(_ change: Interface.Change, from order: OrderModel, to other: OrderModel) -> Bool {
    let albums = Set(change.albums.compactMap { numbers[$0] })
    let songs = Set(change.songs.compactMap { numbers[$0] })
    func rest(_ order: OrderModel) -> ([OrderModel.Crate], [Int: [Int]]) {
      let crates = order.crates.filter { !change.crates.contains($0.name) }.map { crate in
        OrderModel.Crate(name: crate.name, albums: crate.albums.filter { !albums.contains($0) })
      }
      let entries = order.albums.mapValues { $0.entries.filter { !songs.contains($0) } }
      return (crates, entries)
    }
    return rest(order) == rest(other)
  }

  /// How they stand in a listing. Other songs have no part in it.
  func order(of listing: [Interface.Song]) -> OrderModel {
    var order = OrderModel()
    for song in listing {
      guard let album = numbers[song.album], let number = numbers[song.id] else { continue }
      order.songs[number] = OrderModel.Song(
        album: album, track: number % 10, title: song.title, albumTitle: song.albumTitle)
      order.albums[album, default: OrderModel.Album(title: song.albumTitle, entries: [])].entries
        .append(number)
      if order.crates.last?.name != song.crate {
        order.crates.append(OrderModel.Crate(name: song.crate, albums: []))
      }
      if order.crates[order.crates.count - 1].albums.last != album {
        order.crates[order.crates.count - 1].albums.append(album)
      }
    }
    return order
  }
}

/// Edits as they come to a person's mind who has not looked where things are by now.
struct EditMaker: Sendable {
  let things: KnownThings
  /// Whether undo and redo are among them.
  let takesBack: Bool
  var chance: SeededGenerator

  private static let names = ["Music", "Evening", "Night", "Dawn", "Noon"]

  mutating func next() -> KnownEdit {
    switch Int.random(in: 0..<(takesBack ? 24 : 16), using: &chance) {
    case 0..<4: moveAlbum()
    case 4..<7: moveAlbums()
    case 7..<11: moveSongs()
    case 11..<13: moveCrate()
    case 13..<14: renameCrate()
    case 14..<15: turnAlbums()
    case 15..<16: turnSongs()
    case 16..<21: KnownEdit(call: .undo(sequence: nil), effect: .undo)
    default: KnownEdit(call: .redo(sequence: nil), effect: .redo)
    }
  }

  private mutating func shuffled<Item: Comparable>(_ items: some Sequence<Item>) -> [Item] {
    items.sorted().shuffled(using: &chance)
  }

  /// Next to the one of this number, or at an end of the list.
  private mutating func spot(
    _ anchor: Int, called name: String
  ) -> (OrderModel.Spot, Interface.Place, isAnchored: Bool) {
    switch Int.random(in: 0..<4, using: &chance) {
    case 0: (.top, .top, false)
    case 1: (.bottom, .bottom, false)
    case 2: (.before(anchor), Interface.Place(.before, anchor: name), true)
    default: (.after(anchor), Interface.Place(.after, anchor: name), true)
    }
  }

  /// Within its crate.
  private mutating func moveAlbum() -> KnownEdit {
    let album = shuffled(things.albums.keys)[0]
    let spot: OrderModel.Spot = [.top, .bottom, .up, .down][Int.random(in: 0..<4, using: &chance)]
    let place: Interface.Place =
      switch spot {
      case .top: .top
      case .bottom: .bottom
      case .up: Interface.Place(.up)
      default: Interface.Place(.down)
      }
    let call = Call.moveAlbums(
      albums: [things.albums[album] ?? ""], place: place, crate: nil, sequence: nil)
    return KnownEdit(call: call, effect: .change { $0.move(albums: [album], spot) })
  }

  /// To another album, or to an end of a crate.
  private mutating func moveAlbums() -> KnownEdit {
    let albums = shuffled(things.albums.keys)
    let chosen = Array(albums[1..<Int.random(in: 2...4, using: &chance)])
    let (spot, place, isAnchored) = spot(albums[0], called: things.albums[albums[0]] ?? "")
    let name = isAnchored ? nil : shuffled(Self.names)[0]
    let call = Call.moveAlbums(
      albums: chosen.compactMap { things.albums[$0] }, place: place, crate: name, sequence: nil)
    return KnownEdit(
      call: call,
      effect: .change { model in
        let crate = name ?? model.crates[model.crate(of: albums[0]) ?? 0].name
        model.move(albums: chosen, to: crate, spot)
      })
  }

  private mutating func moveSongs() -> KnownEdit {
    let own = things.songs[shuffled(things.songs.keys)[0]] ?? [:]
    let songs = shuffled(own.keys)
    let chosen = Array(songs[1...Int.random(in: 1...2, using: &chance)])
    let (spot, place, _) = spot(songs[0], called: own[songs[0]] ?? "")
    let call = Call.moveSongs(songs: chosen.compactMap { own[$0] }, place: place, sequence: nil)
    return KnownEdit(call: call, effect: .change { $0.move(songs: chosen, spot) })
  }

  private mutating func moveCrate() -> KnownEdit {
    let names = shuffled(Self.names)
    let (spot, place, isAnchored) = spot(0, called: names[1])
    return KnownEdit(
      call: .moveCrate(crate: names[0], place: place, sequence: nil),
      effect: .change { model in
        guard let crate = model.crates.firstIndex(where: { $0.name == names[0] }) else { return }
        let anchor = model.crates.firstIndex { $0.name == names[1] }
        switch (spot, anchor) {
        case (.before, let anchor?): model.move(crate: crate, .before(anchor))
        case (.after, let anchor?): model.move(crate: crate, .after(anchor))
        default: if !isAnchored { model.move(crate: crate, spot) }
        }
      })
  }

  private mutating func renameCrate() -> KnownEdit {
    let names = shuffled(Self.names)
    return KnownEdit(
      call: .renameCrate(crate: names[0], name: names[1], sequence: nil),
      effect: .change { model in
        guard let crate = model.crates.firstIndex(where: { $0.name == names[0] }),
          !model.crates.contains(where: { $0.name == names[1] })
        else { return }
        model.crates[crate].name = names[1]
      })
  }

  private mutating func turnAlbums() -> KnownEdit {
    let chosen = Array(shuffled(things.albums.keys).prefix(5))
    let ids = chosen.compactMap { things.albums[$0] }
    return KnownEdit(
      call: .sortAlbums(albums: ids, order: .reversed, sequence: nil),
      effect: .change { model in
        for crate in model.crates.indices {
          let own = model.crates[crate].albums.filter(chosen.contains)
          model.crates[crate].albums = OrderModel.permuting(
            own.reversed(), in: model.crates[crate].albums)
        }
      })
  }

  private mutating func turnSongs() -> KnownEdit {
    let album = shuffled(things.songs.keys)[0]
    let ids = shuffled((things.songs[album] ?? [:]).values)
    return KnownEdit(
      call: .sortSongs(songs: ids, order: .reversed, sequence: nil),
      effect: .change { $0.arrange(album, $0.members(album).reversed()) })
  }
}
