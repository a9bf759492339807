import CratesInterface
import LibraryModel
import Logging
import ModelSupport
import TestSupport
import Testing

@testable import DaemonCore

@Suite("Ids, as clients write them", .limited)
struct ResolvingTests {
  /// Of ids that begin with the same letters, and one that doesn't.
  private static let alike = (0..<25).map { UInt64($0) << 20 }
  private static let other = UInt64(5) << 55
  private let library: Library

  init() throws { library = try Self.library(of: Self.alike + [Self.other]) }

  /// Albums of one song each, which has the album's number.
  private static func library(of numbers: [UInt64]) throws -> Library {
    var library = Library()
    try library.apply(.crateAdded("Music", after: nil), by: .folder)
    for number in numbers {
      let (album, song) = (AlbumID(number: number), SongID(number: number))
      try library.apply(
        .albumAdded(
          album, crate: "Music", after: nil, group: GroupKey(family: "\(number)"), isFresh: false,
          seen: 0), by: .folder)
      try library.apply(
        .songAdded(
          song, album: album, after: nil, path: BytePath("/m/\(number)"), digest: nil, added: 0,
          seen: 0), by: .folder)
    }
    return library
  }

  private func album(_ text: String) -> Result<UInt64, InterfaceError> {
    do throws(InterfaceError) {
      return .success(try Resolving.album(text, in: library).id.number)
    } catch {
      return .failure(error)
    }
  }

  private func song(_ text: String) -> Result<UInt64, InterfaceError> {
    do throws(InterfaceError) {
      return .success(try Resolving.song(text, in: library).id.number)
    } catch {
      return .failure(error)
    }
  }

  @Test("A whole id is found, and its beginning from four characters on")
  func found() {
    let id = AlbumID(number: Self.other).description
    for count in 4...id.utf8.count {
      let text = String(id.prefix(count))
      #expect(album(text) == .success(Self.other))
      #expect(song(text) == .success(Self.other))
    }
    for text in ["", "!", "!!!!", String(id.prefix(3)), "zzzz", "zzzzzzzzzzzz", id + "a"] {
      #expect(album(text) == .failure(.noSuchAlbum(id: text)), "\(text)")
      #expect(song(text) == .failure(.noSuchSong(id: text)), "\(text)")
    }
  }

  @Test("Of what may be meant the first twenty are told")
  func ambiguous() {
    let ids = Self.alike.map { AlbumID(number: $0).description }
    let text = String(ids[0].prefix(4))
    let expected = InterfaceError.ambiguousId(id: text, matches: Array(ids.sorted().prefix(20)))
    #expect(album(text) == .failure(expected))
    #expect(song(text) == .failure(expected))
    // As long as it takes to tell two apart.
    #expect(album(String(ids[1].prefix(8))) == .success(Self.alike[1]))
  }

  @Test("Two that begin alike are one too many")
  func two() throws {
    let library = try Self.library(of: Array(Self.alike[..<2]))
    let ids = Self.alike[..<2].map { AlbumID(number: $0).description }
    let text = String(ids[0].prefix(4))
    let expected = InterfaceError.ambiguousId(id: text, matches: ids)
    #expect(throws: expected) { try Resolving.album(text, in: library) }
    #expect(throws: expected) { try Resolving.song(text, in: library) }
  }

  @Test("An album goes by the ids of those that it took over, too, and by their beginnings")
  func aliases() throws {
    var library = library
    let alias = AlbumID(number: UInt64(9) << 55)
    try library.apply(
      .aliasRestored(alias, of: AlbumID(number: Self.other)), by: .folder)
    for text in [alias.description, String(alias.description.prefix(4))] {
      #expect(try Resolving.album(text, in: library).id.number == Self.other)
    }
  }

  @Test("Of many ids those are found that are there, and one that is ambiguous refuses them all")
  func several() throws {
    let ids = Self.alike.map { AlbumID(number: $0).description }
    let some = [ids[3], "zzzzzzzzzzzz", ids[1]]
    let numbers = [Self.alike[3], Self.alike[1]]
    #expect(try Resolving.albums(some, in: library).map(\.id.number) == numbers)
    #expect(try Resolving.songs(some, in: library).map(\.id.number) == numbers)
    let all = some + [String(ids[0].prefix(4))]
    #expect(throws: InterfaceError.self) { try Resolving.albums(all, in: library) }
    #expect(throws: InterfaceError.self) { try Resolving.songs(all, in: library) }
  }

  @Test(
    "Every place is understood",
    arguments: [
      (Interface.Place(.top), Place<String>.top), (Interface.Place(.bottom), .bottom),
      (Interface.Place(.up), .up), (Interface.Place(.down), .down),
      (Interface.Place(.before, anchor: "x"), .before("x")),
      (Interface.Place(.after, anchor: "x"), .after("x")),
    ])
  func places(told: Interface.Place, expected: Place<String>) throws {
    func place(_ place: Interface.Place) throws(InterfaceError) -> Place<String> {
      try Resolving.place(place) { $0 }
    }
    #expect(try place(told) == expected)
    var other = told
    other.anchor = told.anchor == nil ? "x" : nil
    let name = told.where.rawValue
    let reason = told.anchor == nil ? "\(name) takes no anchor" : "\(name) needs an anchor"
    #expect(throws: InterfaceError.invalidPlace(reason: reason)) { try place(other) }
  }

  @Test("What people's words may mean is told up to a bound, whatever is asked")
  func meanings() throws {
    var library = Library()
    library.away.folders = [BytePath("/m")]
    var contents = FolderContents(root: BytePath("/m"), seen: 1)
    contents.found = (1...1_003).map { number in
      var tags = SongTags()
      (tags.album, tags.albumArtist) = ("Same", "Artist \(number)")
      let known = LibrarianFixture.found("", number, album: "").facts
      return FolderContents.Found(
        path: BytePath("/m/\(number)/x.flac"),
        facts: FileFacts(
          stamp: known.stamp, tags: tags, audio: AudioProperties(), digest: known.digest,
          format: "flac"))
    }
    library =
      Merge.merge(
        contents, into: library, lookups: Lookups(library, roots: [BytePath("/m")]),
        newAlbums: nil
      ).decision.library
    #expect(library.albums.count == 1_003)
    let meanings = Meanings(naming: Naming(published: PublishedLibrary(library)))
    for (count, expected) in [(nil, 20), (3, 3), (2_000, 1_000)] as [(Int?, Int)] {
      let reply = try meanings.answer([["Same"]], [.album], beginning: false, count: count)
      guard case .meanings(let told, _) = reply else { throw ClosedReply() }
      #expect(told.first?.candidates.count == expected)
    }
  }

  private struct ClosedReply: Error {}
}
