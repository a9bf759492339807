package import CratesInterface
import TestSupport
package import Testing

/// A client that stays connected, for tests that ask and do too much for the command line. For one
/// life of the daemon.
package final class CratesClient {
  private let connection: RawClient

  package convenience init(_ home: Home) throws { try self.init(socket: home.socket) }

  package init(socket: String) throws {
    connection = try RawClient(socket: socket)
  }

  /// Throws the interface's errors.
  @discardableResult
  package func ask(_ call: Call) throws -> Reply {
    let message: JSON = [
      "method": .string(call.method.fullName), "parameters": call.parameters,
    ]
    connection.send(message.bytes + [0])
    let reply = try #require(try connection.reply(), "crated closed the connection")
    if let name = reply["error"]?.string {
      throw InterfaceError(name: name, parameters: reply["parameters"])
    }
    return try Reply(to: call.method, json: reply["parameters"] ?? [:])
  }

  /// Waits for everything that happened in the music folders; the sequence number then.
  @discardableResult
  package func sync() throws -> Int {
    guard case .progress(let sequence, _, _) = try ask(.sync) else { throw WrongReply() }
    return sequence
  }

  package func status() throws -> Interface.LibraryStatus {
    guard case .status(let status) = try ask(.status) else { throw WrongReply() }
    return status
  }

  package func problems() throws -> [Interface.Problem] {
    guard case .problems(let problems) = try ask(.problems) else { throw WrongReply() }
    return problems
  }

  package func albums(gone: Bool = false) throws -> [Interface.Album] {
    let call = Call.listAlbums(crate: nil, gone: gone, first: nil, count: nil)
    guard case .albums(let albums, _, _) = try ask(call) else { throw WrongReply() }
    return albums
  }

  package func songs(gone: Bool = false) throws -> [Interface.Song] {
    let call = Call.listSongs(crate: nil, album: nil, gone: gone, first: nil, count: nil)
    guard case .songs(let songs, _, _) = try ask(call) else { throw WrongReply() }
    return songs
  }

  package func search(
    _ query: String, limit: Int? = nil
  ) throws -> (albums: [Interface.Album], songs: [Interface.Song]) {
    guard case .found(let albums, let songs, _, _, _) = try ask(.search(query: query, limit: limit))
    else { throw WrongReply() }
    return (albums, songs)
  }

  /// The one album of this title.
  package func album(_ title: String) throws -> Interface.Album {
    let found = try albums(gone: true).filter { $0.title == title }
    try #require(found.count == 1, "\(found.count) albums are called \(title)")
    return found[0]
  }

  /// The songs of the album in their order, by their titles, gone ones included.
  package func titles(of album: String) throws -> [String] {
    try songs(gone: true).filter { $0.album == album }.map(\.title)
  }

  package func move(albums: [String], _ place: Interface.Place?, to crate: String? = nil) throws {
    try ask(.moveAlbums(albums: albums, place: place, crate: crate, sequence: nil))
  }

  package func move(songs: [String], _ place: Interface.Place) throws {
    try ask(.moveSongs(songs: songs, place: place, sequence: nil))
  }

  /// Every change behind this one, the oldest first.
  package func changes(after sequence: Int) throws -> [Interface.Change] {
    guard case .changes(let changes) = try ask(.history(limit: 1000, before: nil)) else {
      throw WrongReply()
    }
    return changes.filter { $0.sequence > sequence }.reversed()
  }

  /// Every kept place: what the person may have decided, and what tells the things apart.
  package func order() throws -> Order {
    let songs = Dictionary(grouping: try songs(gone: true), by: \.album)
    return Order(
      albums: try albums(gone: true).map { album in
        Order.Album(
          crate: album.crate, id: album.id, isArranged: album.arranged,
          songs: (songs[album.id] ?? []).map(\.id))
      })
  }
}

/// An answer to another question.
package struct WrongReply: Error {
  package init() {}
}

/// The order of everything, gone things included.
package struct Order: Equatable {
  package struct Album: Equatable {
    package var crate: String
    package var id: String
    package var isArranged: Bool
    package var songs: [String]
  }

  package var albums: [Album]

  package init(albums: [Album]) { self.albums = albums }
}

extension Interface.Place {
  package static let top = Interface.Place(.top)
  package static let bottom = Interface.Place(.bottom)
}

/// Says which album differs, not that one of a hundred does.
package func expectSame(
  _ found: Order, _ expected: Order, _ comment: @autoclosure () -> String = "",
  _ location: SourceLocation = #_sourceLocation
) {
  #expect(
    found.albums.count == expected.albums.count, "\(comment())", sourceLocation: location)
  for (found, expected) in zip(found.albums, expected.albums) where found != expected {
    Issue.record(
      "\(comment()): \(found) is where \(expected) was", sourceLocation: location)
    return
  }
}
