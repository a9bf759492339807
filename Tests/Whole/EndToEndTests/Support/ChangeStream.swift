import CratesInterface
import Glibc
import ProgramSupport
import TestSupport
import Testing

/// A `crate watch` that was there before what it is to see.
final class ChangeStream {
  private let program: RunningProgram
  private(set) var sequence: Int

  init(_ home: Home) throws {
    program = try RunningProgram(
      try Home.program("crate"), ["watch", "--json"], environment: home.environment,
      errors: home.folder.path("watch.log"))
    let line = try #require(try program.nextLine(), "watch said nothing")
    let first = try Interface.Change(json: try JSON(parsing: line))
    try #require(!first.changed)
    sequence = first.sequence
  }

  /// The next change; nil at the end of the stream.
  func next() throws -> Interface.Change? {
    guard let line = try program.nextLine() else { return nil }
    let change = try Interface.Change(json: try JSON(parsing: line))
    #expect(change.sequence > sequence)
    sequence = change.sequence
    return change
  }

  /// The ids of the first so many songs that something happens to.
  func songs(_ count: Int) throws -> Set<String> {
    var songs: Set<String> = []
    while songs.count < count { songs.formUnion(try #require(try next()).songs) }
    return songs
  }

  /// The exit status of the command when the daemon has gone.
  func end() throws -> Int32 {
    while try next() != nil {}
    return try program.end()
  }
}
