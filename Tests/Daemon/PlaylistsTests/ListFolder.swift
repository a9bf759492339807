import Glibc
import LibraryModel
import Platform
import TestSupport
import Testing

@testable import Playlists

/// A directory of playlists on the real disk.
struct ListFolder {
  let folder: TemporaryFolder
  let state: TemporaryFolder

  init() throws {
    folder = try TemporaryFolder()
    state = try TemporaryFolder()
  }

  var directory: String { folder.path }
  func path(_ name: String) -> String { folder.path(name) }

  /// What is remembered of it lies beside it.
  func settings(_ ending: PlaylistEnding = .m3u8, takesEdits: Bool = false) -> PlaylistSettings {
    PlaylistSettings(
      directory: BytePath(directory), state: BytePath(state.path), ending: ending,
      takesEdits: takesEdits)
  }

  func keeper(takesEdits: Bool = false) -> PlaylistKeeper {
    PlaylistKeeper(settings(takesEdits: takesEdits))
  }

  /// The directory of the records.
  func records() throws -> String {
    try state.path(
      #require(TestSupport.names(in: state.path).first { $0.utf8.count == 32 }))
  }

  /// Runs the body while nothing can be recorded.
  func withoutRecords(_ body: () throws -> Void) throws {
    let records = try records()
    try #require(rename(records, records + "-away") == 0)
    try writeFile([], to: records)
    try body()
    removeTree(records)
    try #require(rename(records + "-away", records) == 0)
  }

  /// What somebody made of a list and is kept.
  func keptNames() throws -> [String] {
    access(state.path("kept"), F_OK) == 0 ? try TestSupport.names(in: state.path("kept")) : []
  }

  func write(_ text: String, to name: String) throws { try folder.write(text, to: name) }
  func write(_ bytes: [UInt8], to name: String) throws { try folder.write(bytes, to: name) }

  func text(_ crate: String) throws -> String {
    String(decoding: try readFile(path(crate + ".m3u8")), as: UTF8.self)
  }

  /// The names of everything there, links included.
  func names() throws -> [String] { try TestSupport.names(in: directory) }

  func status(_ name: String) throws -> FileStatus? {
    FileStatus(name: path(name), followsLinks: false)
  }

  /// Inode, size and times of everything there.
  func statuses() throws -> [String: FileStatus] {
    var statuses: [String: FileStatus] = [:]
    for name in try names() { statuses[name] = try status(name) }
    return statuses
  }

  /// Each crate has its text in its file.
  func expectWritten(
    _ library: Library, _ comment: Comment? = nil, _ location: SourceLocation = #_sourceLocation
  ) throws {
    let real = try #require(realpath(directory, nil))
    defer { free(real) }
    let place = PlaylistPlace(
      directory: BytePath(String(cString: real)),
      roots: library.away.folders.map { .init(named: $0, real: $0) })
    let names = PlaylistName.names(of: library.crates.map(\.name), .m3u8)
    for (crate, name) in zip(library.crates, names) {
      var expected: [UInt8] = []
      _ = try PlaylistText(library, at: place).write(crate, named: name) {
        (piece) throws(SystemCallError) in
        expected += piece
        return true
      }
      let found = try readFile(path(name.display))
      // Says which, and not all the bytes.
      let isSame = found == expected
      #expect(isSame, "\(crate.name): \(comment ?? "")", sourceLocation: location)
    }
  }
}
