import ModelSupport
import Ordering
import TestSupport
import Testing

@testable import LibraryModel

/// Every action of the person's on every tiny library, against the plain model.
@Suite("Every move, sort and step back", .limited)
struct ExhaustiveMovingTests {
  @Test("the plain model moves as SongPocket's table says", arguments: MovingTests.cases)
  func table(_ one: (chosen: String, place: Place<Character>, result: String)) throws {
    let list = Array("ABCDEFG")
    let chosen = list.filter(one.chosen.contains)
    #expect(String(try plainMove(chosen, to: one.place, in: list) { _ in true }) == one.result)
  }

  @Test(
    "albums go to every place of every crate",
    arguments: [[4], [1, 3], [2, 2], [1, 1, 2], [1, 1, 1, 1]])
  func albums(_ sizes: [Int]) throws {
    for gone in Effort.some(of: [0, 1, 2, 4, 8, 5, 10, 15], oneIn: 3) {
      let desk = try ExhaustiveDesk(crates: sizes, songs: 1, gone: gone)
      let albums = desk.library.crates.flatMap(\.albums)
      let crates = desk.library.crates.map(\.name)
      for chosen in selections(albums) {
        for place in places(albums, besides: []) + [nil] {
          for crate in crates + ["New", nil] {
            if try !desk.check(.moveAlbums(chosen, place, crate: crate)) { return }
          }
        }
      }
    }
  }

  @Test("crates go to every place, and take every name")
  func crates() throws {
    for gone in 0..<16 {
      let desk = try ExhaustiveDesk(crates: [1, 1, 1, 1], songs: 1, gone: gone)
      let names = desk.library.crates.map(\.name)
      for name in names {
        for place in places(names, besides: []) {
          if try !desk.check(.moveCrate(name, place)) { return }
        }
        for new in names + ["New", ""] {
          if try !desk.check(.renameCrate(name, to: new)) { return }
        }
      }
    }
  }

  @Test("songs go to every place of their album, from every order")
  func songs() throws {
    for order in Effort.some(of: permutations([0, 1, 2, 3]), oneIn: 5) {
      for gone in [0, 1, 2, 4, 8, 6, 9] {
        let desk = try ExhaustiveDesk(crates: [1], songs: 4, gone: gone, order: order)
        guard let songs = desk.library.albums.values.first?.entries else { return }
        for chosen in selections(songs) {
          for place in places(songs, besides: []) {
            if try !desk.check(.moveSongs(chosen, place)) { return }
          }
        }
      }
    }
  }

  @Test("every selection of every order is sorted by everything, with the fewest moves")
  func sorting() throws {
    for order in permutations([0, 1, 2, 3]) {
      let desk = try ExhaustiveDesk(crates: [1], songs: 4, gone: 0, order: order)
      guard let songs = desk.library.albums.values.first?.entries else { return }
      for chosen in selections(songs) {
        for sorting in [SongSorting.track, .added, .title, .reversed] {
          if try !desk.check(.sortSongs(chosen, sorting)) { return }
        }
      }
      let crates = try ExhaustiveDesk(crates: [4], songs: 1, gone: 0, order: order)
      for chosen in selections(Array(crates.library.crates[0].albums)) {
        for sorting in [AlbumSorting.added, .released, .artist, .title, .reversed] {
          if try !crates.check(.sortAlbums(chosen, sorting)) { return }
        }
      }
    }
  }
}

/// A library made without merges, whose every edit is held against the plain model.
struct ExhaustiveDesk {
  let library: Library
  let plain: PlainLibrary

  /// - Parameters:
  ///   - crates: how many albums each has.
  ///   - gone: which songs are gone, one bit each, in order.
  ///   - order: of the songs of an album, or of the albums where those have one song each.
  init(crates: [Int], songs: Int, gone: Int, order: [Int] = []) throws {
    var library = Library()
    library.away.folders = [bytePath(PlainFolder.root)]
    var (album, song) = (0, 0)
    var files: [String: PlainFile] = [:]
    for (number, count) in crates.enumerated() {
      try library.apply(
        .crateAdded("Crate \(number)", after: library.crates.last?.name), by: .folder)
      for _ in 0..<count {
        let rank = songs == 1 && !order.isEmpty ? order[album] : album
        let id = AlbumID(number: UInt64(rank + 1))
        try library.apply(
          .albumAdded(
            id, crate: "Crate \(number)", after: library.crates[number].albums.last,
            group: GroupKey(family: "by\tx\ta\(rank)"), isFresh: false, seen: 0), by: .folder)
        for place in 0..<songs {
          let track = songs > 1 && !order.isEmpty ? order[place] : place
          let one = SongID(number: UInt64(10 * rank + track + 1))
          let path = "m/\(rank)/\(track).flac"
          let file = ExhaustiveDesk.file(rank, track)
          try library.apply(
            .songAdded(
              one, album: id, after: library.albums[id]?.entries.last, path: bytePath(path),
              digest: plainDigest(file.sound), added: Int64([2, 1, 2, 3][(rank + track) % 4]),
              seen: 0),
            by: .folder)
          library.attach(file.facts(at: path), to: one)
          files[path] = file
          if gone >> song & 1 == 1 {
            guard let known = library.songs[one] else { continue }
            try library.apply(.songGone(one, known.lasting), by: .folder)
          }
          song += 1
        }
        if songs > 1, order != order.sorted() {
          try library.apply(.albumArranged(id, true), by: .person)
        }
        album += 1
      }
    }
    var plain = PlainLibrary()
    for album in library.albums.values {
      let key = album.group.family.split(separator: "\t").map(String.init)
      plain.albums[album.id] = PlainLibrary.Album(
        id: album.id, group: .tagged(key[1], key[2]), seen: 0)
    }
    // The files of gone songs are known by what was read of them.
    for one in library.songs.values {
      plain.songs[one.id] = PlainLibrary.Song(
        id: one.id, album: one.album, paths: [plainPath(one.path)],
        file: files[plainPath(one.path)] ?? PlainFile(sound: 0, inode: 0), added: one.added,
        seen: one.seen)
    }
    plain.adopt(
      library, Lookups(library, roots: [bytePath(PlainFolder.root)]), from: PlainLibrary())
    self.library = library
    self.plain = plain
  }

  private static func file(_ album: Int, _ track: Int) -> PlainFile {
    var tags = SongTags()
    tags.title = ["B", "b", "A 10", "A 2"][track]
    tags.album = ["Two", "one", "", "Two"][album % 4]
    tags.albumArtist = ["X", "", "Z", "X"][album % 4]
    tags.date = ["1959", "", "2001", "1959"][album % 4]
    tags.track = track + 1
    let number = 10 * album + track + 1
    return PlainFile(sound: number, tags: tags, inode: UInt64(number), modified: 1000)
  }

  /// Makes the edit on a copy, takes it back and does it again.
  ///
  /// - Returns: false after a failure, which is recorded.
  func check(_ edit: Edit) throws -> Bool {
    var goal: PlainLibrary? = plain
    do {
      try goal?.make(edit, newAlbums: nil)
    } catch is PlainRefusal {
      goal = nil
    } catch is Several {
      return true
    }
    guard let decision = try? library.decide(edit, newAlbums: nil) else {
      if goal == nil { return true }
      return fail("\(edit) is refused")
    }
    guard var goal else { return fail("\(edit) is not refused") }
    if decision.changes.isEmpty {
      for (id, album) in plain.albums where goal.albums[id]?.entries == album.entries {
        goal.albums[id]?.isArranged = album.isArranged
      }
    }
    if let words = goal.difference(from: decision.library, withSlots: true) {
      return fail("\(edit): \(words)")
    }
    let moves = decision.changes.count { change in
      switch change {
      case .albumMoved, .songMoved, .crateMoved: true
      default: false
      }
    }
    let named = Named(edit)
    if moves > fewest(of: named, decision.library) { return fail("\(edit): \(moves) moves") }
    if let stranger = named.stranger(in: decision.changes) {
      return fail("\(edit): \(stranger) moves")
    }
    if decision.changes.isEmpty { return true }
    var history = UndoHistory()
    history.follow(decision.transaction.at(1))
    guard let back = decision.library.decideUndo(history, newAlbums: nil) else {
      return fail("\(edit) can't be taken back")
    }
    if let words = plain.difference(from: back.library, withSlots: true) {
      return fail("\(edit), undo: \(words)")
    }
    history.follow(back.transaction.at(2))
    guard let again = back.library.decideRedo(history, newAlbums: nil) else {
      return fail("\(edit) can't be done again")
    }
    if let words = goal.difference(from: again.library, withSlots: true) {
      return fail("\(edit), redo: \(words)")
    }
    return true
  }

  private func fewest(of named: Named, _ after: Library) -> Int {
    let names = library.crates.map(\.name)
    let now = after.crates.map(\.name)
    let kept = names.filter(now.contains)
    var moves = LibraryModelTests.fewest(from: kept, to: now) { $0 == named.crate }
    for crate in library.crates {
      let now = after.crate(named: crate.name).map { Array($0.albums) } ?? []
      moves += LibraryModelTests.fewest(
        from: crate.albums.map(\.self), to: now, moving: named.albums.contains)
    }
    for album in library.albums.values {
      let now = after.albums[album.id]?.entries ?? []
      moves += LibraryModelTests.fewest(
        from: album.entries, to: now, moving: named.songs.contains)
    }
    return moves
  }

  private func fail(_ words: String) -> Bool {
    let crates = library.crates.map { "\($0.name): \($0.albums)" }
    Issue.record("\(words); \(crates), \(library.albums.values.map(\.entries))")
    return false
  }
}

// MARK: All there are

/// Every part of the list but none.
func selections<Item>(_ list: [Item]) -> [[Item]] {
  (1..<(1 << list.count)).map { bits in
    list.indices.filter { bits >> $0 & 1 == 1 }.map { list[$0] }
  }
}

func places<Item: Hashable & Sendable>(_ list: [Item], besides chosen: [Item]) -> [Place<Item>] {
  let anchors = list.filter { !chosen.contains($0) }
  return [.top, .bottom, .up, .down] + anchors.flatMap { [.before($0), .after($0)] }
}

func permutations<Item>(_ list: [Item]) -> [[Item]] {
  if list.isEmpty { return [[]] }
  return list.indices.flatMap { place -> [[Item]] in
    var rest = list
    let item = rest.remove(at: place)
    return permutations(rest).map { [item] + $0 }
  }
}
