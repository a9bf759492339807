import TestSupport
import Testing

@testable import LibraryModel

@Suite("Listings follow changes by their moves", .limited)
struct ListedMoveTests {
  /// What listings show: crates, their albums, and the songs of these.
  private struct Listings: Equatable {
    var crates: [String] = []
    var albums: [String: [AlbumID]] = [:]
    var songs: [AlbumID: [SongID]] = [:]

    init(_ library: Library) {
      for crate in library.crates {
        let listed = crate.albums.compactMap { library.albums[$0] }.filter(library.isListed)
        if listed.isEmpty { continue }
        crates.append(crate.name)
        albums[crate.name] = listed.map(\.id)
        for album in listed { songs[album.id] = library.listedSongs(of: album).map(\.id) }
      }
    }

    mutating func follow(_ move: ListedMove) {
      if let song = move.song {
        for album in songs.keys { songs[album]?.removeAll { $0 == song } }
        guard let album = move.album, move.crate != nil else { return }
        Self.put(song, into: &songs[album, default: []], behind: move.after) { "\($0)" }
      } else if let album = move.album {
        for crate in albums.keys { albums[crate]?.removeAll { $0 == album } }
        guard let crate = move.crate else { return songs[album] = nil }
        Self.put(album, into: &albums[crate, default: []], behind: move.after) { "\($0)" }
      } else if let crate = move.crate {
        let former = move.was ?? crate
        crates.removeAll { $0 == former }
        if let albums = albums.removeValue(forKey: former) { self.albums[crate] = albums }
        Self.put(crate, into: &crates, behind: move.after) { $0 }
      }
    }

    private static func put<Item: Equatable>(
      _ item: Item, into list: inout [Item], behind: String?, _ name: (Item) -> String
    ) {
      let place = behind.flatMap { above in list.firstIndex { name($0) == above } }
      list.insert(item, at: place.map { $0 + 1 } ?? 0)
    }

    /// One without listed albums goes without a move of its own.
    mutating func dropEmpty() {
      for crate in crates where albums[crate]?.isEmpty ?? true { albums[crate] = nil }
      crates.removeAll { albums[$0] == nil }
    }
  }

  @Test("whatever happens to a library, whoever follows the moves sees the same", arguments: 1...8)
  func random(seed: UInt64) throws {
    var maker = LibraryMaker(seed: seed)
    var listings = Listings(maker.library)
    for step in 0..<150 {
      let before = maker.library
      let changes = try maker.changes().changes
      let (moves, isWhole) = Library.listedMoves(
        of: changes, from: before, to: maker.library, most: 10_000)
      #expect(isWhole)
      for move in moves { listings.follow(move) }
      listings.dropEmpty()
      let expected = Listings(maker.library)
      #expect(listings == expected, "step \(step): \(changes) \(moves)")
      if listings != expected { return }
      #expect(maker.library.brokenInvariant == nil)
    }
  }

  @Test("positions are those of the listing, without a walk through it", arguments: 1...4)
  func positions(seed: UInt64) throws {
    var maker = LibraryMaker(seed: seed)
    for _ in 0..<150 {
      _ = try maker.changes()
      let library = maker.library
      let shown = library.crates.filter(library.isListed).map(\.id)
      for crate in library.crates {
        #expect(library.position(of: crate) == shown.firstIndex(of: crate.id).map { $0 + 1 })
        let listed = crate.albums.filter { library.isListed($0) }
        #expect(library.listedCount(in: crate) == listed.count)
        for (place, id) in listed.enumerated() {
          #expect(library.position(of: id) == place + 1)
          guard let album = library.albums[id] else { continue }
          for (place, song) in library.listedSongs(of: album).enumerated() {
            #expect(library.position(of: song) == place + 1)
          }
        }
        #expect(library.albums(at: Array(1..<(listed.count + 1)), of: crate) == Array(listed))
      }
    }
  }
}
