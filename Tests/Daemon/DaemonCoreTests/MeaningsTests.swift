import CratesInterface
import LibraryModel
import ModelSupport
import TestSupport
import Testing

@testable import DaemonCore

@Suite("What people's words mean, as it is shown", .limited)
struct MeaningsTests {
  private struct NoMeanings: Error {}

  /// Crates whose albums are there (p), offline (o) and gone (g), in that order, of one song each.
  private func library(_ crates: [String]) throws -> Library {
    var library = Library()
    library.away.folders = [BytePath("/m")]
    library.away.places = [BytePath("/m/o")]
    var number: UInt64 = 0
    for crate in crates {
      try library.apply(.crateAdded("Crate \(crate)", after: nil), by: .folder)
      var last: AlbumID?
      for kind in crate {
        number += 1
        let (album, song) = (AlbumID(number: number << 40), SongID(number: number << 40))
        try library.apply(
          .albumAdded(
            album, crate: "Crate \(crate)", after: last, group: GroupKey(family: "\(number)"),
            isFresh: false, seen: 0), by: .folder)
        try library.apply(
          .songAdded(
            song, album: album, after: nil, path: BytePath("/m/\(kind)/\(number).flac"),
            digest: nil, added: 0, seen: 0), by: .folder)
        if kind == "g", let known = library.songs[song] {
          try library.apply(.songGone(song, known.lasting), by: .folder)
        }
        last = album
      }
    }
    return library
  }

  private func things(
    _ word: String, _ kind: Interface.Kind, in library: Library
  ) throws -> [Interface.Thing] {
    let meanings = Meanings(naming: Naming(published: PublishedLibrary(library)))
    let reply = try meanings.answer([[word]], [kind], beginning: false, count: nil)
    guard case .meanings(let told, _) = reply, let first = told.first else { throw NoMeanings() }
    return first.what + first.candidates
  }

  @Test("More than fits into a reply is refused before all of it is gathered")
  func tooMuch() throws {
    let library = try library([String(repeating: "p", count: 20)])
    let meanings = Meanings(naming: Naming(published: PublishedLibrary(library)))
    let words = ["crate:Crate \(String(repeating: "p", count: 20))", "1-"]
    func answer(_ count: Int) throws -> Reply {
      try meanings.answer(
        Array(repeating: words, count: count), nil, beginning: false, count: nil)
    }
    guard case .meanings(let told, _) = try answer(2) else { throw NoMeanings() }
    #expect(told.map(\.what.count) == [20, 20])
    #expect(throws: InterfaceError.expectedMore) { try answer(5_001) }
  }

  @Test("A crate is as near as the nearest of its albums")
  func crates() throws {
    let expected: [(String, Interface.Presence)] = [
      ("p", .present), ("o", .offline), ("g", .gone), ("ogp", .present), ("gpo", .present),
      ("og", .offline), ("go", .offline), ("gog", .offline),
    ]
    let library = try library(expected.map(\.0))
    for (name, presence) in expected {
      let things = try things("Crate \(name)", .crate, in: library)
      #expect(things.map(\.presence) == [presence], "\(name)")
      #expect(things.map(\.label) == ["Crate \(name)"])
      #expect(things.map(\.crate) == ["Crate \(name)"])
    }
  }

  @Test("Albums and songs are shown with what is known of them, and whether they are there")
  func labels() throws {
    var library = try library(["po", "g"])
    let songs = library.songs.values.map(\.id).sorted()
    var tags = SongTags()
    (tags.title, tags.album, tags.albumArtist) = ("Naima", "Giant Steps", "John Coltrane")
    library.attach(LibrarianFixture.found("", 1, album: "").facts.with(tags), to: songs[0])
    for (number, presence, label, song) in [
      (0, .present, "Giant Steps by John Coltrane", "Naima of Giant Steps"),
      (1, .offline, "2", "2 of 2"), (2, .gone, "3", "3 of 3"),
    ] as [(Int, Interface.Presence, String, String)] {
      let id = songs[number]
      let album = try #require(library.songs[id]).album
      var shown = try things("\(album)", .album, in: library)
      #expect(shown.map(\.label) == [label] && shown.map(\.presence) == [presence])
      #expect(shown.map(\.album) == ["\(album)"])
      shown = try things("\(id)", .song, in: library)
      #expect(shown.map(\.label) == [song] && shown.map(\.presence) == [presence])
      #expect(shown.map(\.song) == ["\(id)"])
    }
  }
}

extension FileFacts {
  fileprivate func with(_ tags: SongTags) -> FileFacts {
    FileFacts(
      stamp: stamp, tags: tags, audio: AudioProperties(), digest: digest, format: format)
  }
}
