import TestSupport
import Testing

@testable import LibraryModel

@Suite("What is wrong with a library is found", .limited)
struct BrokenInvariantTests {
  private var small: SmallLibrary
  private let alias = AlbumID(number: 9)
  private let wanderer = SongID(number: 12)

  init() throws {
    small = try SmallLibrary()
    try small.apply(
      .aliasRestored(alias, of: AlbumID(number: 1)),
      .songRegrouped(wanderer, album: AlbumID(number: 2), after: nil, was: AlbumID(number: 1)))
    try small.add(4, to: "Jazz", songs: 0)
  }

  private func album(_ number: UInt64) -> AlbumID { AlbumID(number: number) }
  private func song(_ number: UInt64) -> SongID { SongID(number: number) }

  private func fault(_ change: (inout Library) throws -> Void) rethrows -> String? {
    var library = small.library
    try change(&library)
    return library.brokenInvariant
  }

  private func setEntries(
    of id: AlbumID, _ library: inout Library, _ change: ([SongID]) -> [SongID]
  ) {
    if let album = library.albums[id] {
      library.albums[id] = album.with(entries: change(album.entries))
    }
  }

  @Test("nothing is wrong with one that changes made")
  func nothing() {
    #expect(fault { _ in } == nil)
    let albums = Set((1...9).map(album))
    let songs = Set((1...99).map(song))
    #expect(small.library.brokenInvariant(albums: albums, songs: songs) == nil)
  }

  @Test("albums that are in no place, or in two")
  func places() {
    #expect(
      fault { $0.crates[0].albums.append(album(8)) } == "crate Music lists no album as \(album(8))")
    #expect(fault { $0.crates[1].albums.append(album(1)) } == "album \(album(1)) is in two places")
    #expect(
      fault { $0.albums[album(1)] = $0.albums[album(1)]?.with(crate: CrateID(number: 1)) }
        == "album \(album(1)) is in two places")
    #expect(fault { $0.crates[0].albums.remove(album(1)) } == "an album is in no crate")
  }

  @Test("songs that are in no place, or in two")
  func songs() throws {
    #expect(
      fault { setEntries(of: album(3), &$0) { $0 + [song(99)] } }
        == "album \(album(3)) lists no song as \(song(99))")
    #expect(
      fault { setEntries(of: album(3), &$0) { $0 + $0 } }
        == "album \(album(3)) lists \(song(30)) twice")
    #expect(fault { setEntries(of: album(1), &$0) { Array($0.dropLast(2)) } } != nil)
    let other = try #require(small.library.songs[song(10)])
    let lost = Song(
      id: song(19), album: album(1), group: other.group, path: BytePath("/x"), digest: nil,
      added: 0, isGone: true)
    #expect(fault { _ = $0.insert(lost) } == "a song is in no album")
  }

  @Test("listed songs and touches that are counted wrongly")
  func counts() {
    let hidden = "the albums without listed songs are not those that are known"
    #expect(fault { $0.setListedCount(0, of: album(1)) } == hidden)
    #expect(fault { $0.setListedCount(1, of: album(4)) } == hidden)
    #expect(
      fault {
        $0.setListedCount(0, of: album(1))
        $0.setListedCount(1, of: album(4))
      } == hidden)
    #expect(
      fault { $0.setTouch(.all, of: album(8)) } == "an album that is not there counts as touched")
  }

  @Test("slots that are not known, known twice or not there")
  func slots() {
    let others = "are not those that are known"
    #expect(fault { $0.wanderers[wanderer] = nil } == "a slot is not known by its song")
    for albums in [[album(1), album(1)], [album(2)], []] {
      #expect(
        fault { $0.wanderers[wanderer] = albums } == "the slots of song \(wanderer) \(others)")
    }
    #expect(
      fault { $0.wanderers[song(10)] = [album(2)] } == "the slots of song \(song(10)) \(others)")
  }

  @Test("what is known of an album and is out of date, and ids that lead elsewhere")
  func known() {
    let summary = AlbumSummary(
      face: AlbumFace(title: "x", artist: ""), songs: 9, milliseconds: 0, added: 0, members: 9)
    #expect(
      fault { _ = $0.albums[album(3)]?.with().keep(summary) } == nil)
    #expect(
      fault { library in
        let album = library.albums[self.album(3)]?.with()
        _ = album?.keep(summary)
        library.albums[self.album(3)] = album
      } == "what is known of album \(album(3)) is out of date")
    let elsewhere = "which album \(album(1)) took over, leads elsewhere"
    #expect(fault { $0.aliases[alias] = album(2) } == "the id \(alias), \(elsewhere)")
    #expect(fault { $0.aliases[alias] = nil } == "the id \(alias), \(elsewhere)")
    #expect(
      fault { library in
        library.albums[album(1)] = library.albums[album(1)]?.with(aliases: [alias, album(2)])
        library.aliases[album(2)] = album(1)
      } == "the id \(album(2)), \(elsewhere)")
  }

  @Test("the same of some albums and songs alone")
  func some() throws {
    func fault(_ change: (inout Library) throws -> Void) rethrows -> String? {
      var library = small.library
      try change(&library)
      let all = (Set((1...9).map(album)), Set((1...99).map(song)))
      #expect(library.brokenInvariant(albums: [], songs: []) == nil)
      return library.brokenInvariant(albums: all.0, songs: all.1)
    }
    #expect(
      fault { $0.crates[0].albums.remove(album(1)) } == "album \(album(1)) is not in its crate")
    #expect(
      fault { setEntries(of: album(3), &$0) { $0 + $0 } }
        == "album \(album(3)) lists \(song(30)) twice")
    #expect(
      fault { $0.setListedCount(5, of: album(1)) }
        == "the listed songs of album \(album(1)) are not as many as are known")
    let slot = "the slot of song \(wanderer) in album \(album(1)) is not known by the song"
    #expect(fault { $0.wanderers[wanderer] = nil } == slot)
    #expect(fault { $0.wanderers[wanderer] = [album(2)] } == slot)
    let first = try #require(small.library.songs[song(10)])
    #expect(
      fault { library in
        if let other = library.songs[song(11)] { library.put(other.with(path: first.path)) }
      } == "\(first.path.display) is the file of song \(song(11)) and of song \(song(10))")
    #expect(
      fault { $0.put(first.with(group: GroupKey(family: "by\tx\tz"))) }
        == "song \(song(10)) has another group than its album")
    #expect(
      fault { library in
        if let only = library.songs[song(30)] {
          _ = library.insert(only.with(album: album(8)))
          setEntries(of: album(3), &library) { _ in [] }
          library.setListedCount(0, of: album(3))
        }
      } == "song \(song(30)) is in no album")
  }
}
