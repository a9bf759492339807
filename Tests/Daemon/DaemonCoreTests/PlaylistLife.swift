import LibraryModel
import Logging
import ModelSupport
import Platform
import Playlists
import TestSupport

@testable import DaemonCore

/// A library that is published, and whose changes are told.
final class PlaylistLife {
  let folder: TemporaryFolder
  let published: PublishedLibrary
  let service: PlaylistService
  private var library: Library

  /// - Parameters:
  ///   - folder: of a life before it, whose lists are there.
  ///   - library: that of the life before.
  init(
    in folder: TemporaryFolder? = nil, library: Library = Library(), clock: Clock = .system,
    _ logger: Logger = Logger(label: "test") { _ in SwiftLogNoOpLogHandler() }
  ) throws {
    self.folder = try folder ?? TemporaryFolder()
    try self.folder.makeFolder("Lists")
    published = PublishedLibrary(library)
    self.library = library
    self.library.away.folders = [BytePath("/m")]
    service = PlaylistService(published: published, clock: clock, logger: logger)
  }

  func change(_ changes: Change...) throws {
    let before = library
    for change in changes { try library.apply(change, by: .person) }
    library.advance(to: library.sequence + changes.count)
    published.publish(library)
    service.note(changes, from: before, to: library)
  }

  /// A file was read, and nothing changed in the order.
  func read(_ title: String, of song: SongID) {
    var tags = SongTags()
    tags.title = title
    let stamp = FileStamp(
      identity: FileIdentity(fileSystem: 1, inode: 1, birth: 1), size: 1, modified: 1, changed: 1)
    let facts = FileFacts(
      stamp: stamp, tags: tags, audio: AudioProperties(), digest: nil, format: "flac")
    let before = library
    library.attach(facts, to: song)
    published.publish(library)
    guard let path = library.songs[song]?.path else { return }
    service.note([], files: [path: .song(song, facts: facts)], from: before, to: library)
  }

  /// A crate with one song, of the same number.
  func add(_ number: UInt64) throws {
    let name = "Crate \(number)"
    let album = AlbumID(number: number)
    try change(
      .crateAdded(name, after: nil),
      .albumAdded(
        album, crate: name, after: nil, group: GroupKey(family: "\(number)"), isFresh: false,
        seen: 0),
      .songAdded(
        SongID(number: number), album: album, after: nil, path: BytePath("/m/\(number).flac"),
        digest: nil, added: 0, seen: 0))
  }

  func keep(in name: String?) {
    service.keep(
      name.map {
        PlaylistSettings(
          directory: BytePath(folder.path($0)), state: BytePath(folder.path("state")))
      })
  }

  func text(_ file: String) -> String? {
    (try? readFile(folder.path(file))).map { String(decoding: $0, as: UTF8.self) }
  }

  var problems: [String] { service.problems.all.map(\.path.display) }
}
