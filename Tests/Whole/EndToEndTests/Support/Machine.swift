import CratesInterface
import ProgramSupport
import TestSupport
import Testing

/// One of several machines that share an order, with its home. Their files all lie in one folder.
struct Machine {
  let name: String
  let home: Home
  let session: Session
  var client: CratesClient { session.client }

  init(_ name: String, albums: Int, folder: String) throws {
    self.name = name
    home = try Home()
    try SmallLibrary.write(albums: albums, to: home.music)
    try home.configure(
      """
      music_folders = ["\(home.music)"]
      machines = "\(folder)"
      machine_name = "\(name)"
      """)
    session = try Session(home)
  }

  /// The crates with the titles of their albums.
  func order() throws -> [String] {
    try client.sync()
    var crates: [String] = []
    for album in try client.albums() {
      if crates.last?.hasPrefix("\(album.crate): ") != true { crates.append("\(album.crate): ") }
      crates[crates.count - 1] += " \(album.title)"
    }
    return crates
  }

  /// Whether `crate` with this word succeeds: it may be refused, or the daemon die meanwhile.
  func succeeds(_ word: String) throws -> Bool {
    let words = Home.limit + [try Home.program("crate"), word]
    return try run("timeout", words, environment: home.environment).status == 0
  }

  func move(_ title: String, _ place: Interface.Place, to crate: String? = nil) throws {
    try client.move(albums: [try client.album(title).id], place, to: crate)
    try client.sync()
  }

  func newest() throws -> Interface.Change {
    guard case .changes(let changes) = try client.ask(.history(limit: 1, before: nil)) else {
      throw WrongReply()
    }
    return try #require(changes.first)
  }
}

/// What the first one did is done on the other one.
func expectOneOrder(
  _ one: Machine, _ other: Machine, _ location: SourceLocation = #_sourceLocation
) throws {
  let expected = try one.order()
  #expect(try other.order() == expected, sourceLocation: location)
  #expect(try one.order() == expected, sourceLocation: location)
}
