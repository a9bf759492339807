import CratesInterface
import Glibc
import VarlinkClient

/// The connection of a command to the daemon, with error messages for the user.
final class DaemonConnection {
  private var client: VarlinkClient

  /// The time without a reply after which the user is told to wait, in milliseconds.
  private static let lateAfter: Int32 = 3_000

  /// - Parameter isPersonWaiting: Whether to tell the user if the daemon is slow.
  init(_ options: CommonOptions, isPersonWaiting: Bool = true) throws(Failure) {
    let path = try Self.path(ofSocket: options.socket)
    let lateness = VarlinkClient.Lateness(milliseconds: Self.lateAfter) {
      Output.complain("crate: crated does not answer yet")
    }
    do throws(ClientError) {
      client = try VarlinkClient(path: path, lateness: isPersonWaiting ? lateness : nil)
    } catch {
      throw Failure(error)
    }
  }

  /// Returns the path of the daemon's socket.
  ///
  /// - Parameters:
  ///   - given: The path given on the command line.
  ///   - interface: The name of the socket, which is that of its interface.
  static func path(
    ofSocket given: String?, interface: String = Interface.name
  ) throws(Failure) -> String {
    if let given { return given }
    guard let directory = Environment["XDG_RUNTIME_DIR"], directory.first == "/" else {
      throw Failure(
        status: .notRunning,
        message: "XDG_RUNTIME_DIR is not set, so crated cannot be found; "
          + "log in with a session of your own")
    }
    return "\(directory)/crated/\(interface)"
  }

  /// Returns the reply to a call, as it came.
  ///
  /// - Parameter wording: Returns the message for a refusal that has a special meaning here.
  func parameters(
    of call: Call, wording: (InterfaceError) -> String? = { _ in nil }
  ) throws(Failure) -> JSON {
    do throws(ClientError) {
      return try client.parameters(to: call)
    } catch {
      var failure = Failure(error)
      if case .refused(let error) = error { failure.message = wording(error) ?? failure.message }
      throw failure
    }
  }

  func reply(to call: Call) throws(Failure) -> Reply {
    try Self.read(try parameters(of: call), to: call)
  }

  /// Returns the replies to calls. Each call is sent before the reply to the previous one is read,
  /// so that the daemon need not wait.
  func replies(to calls: [Call]) throws(Failure) -> [Reply] {
    do throws(ClientError) {
      var replies: [Reply] = []
      if let first = calls.first { try client.begin(first) }
      for (number, call) in calls.enumerated() {
        if number + 1 < calls.count { try client.begin(calls[number + 1]) }
        replies.append(try VarlinkClient.read(try client.receive().parameters, to: call))
      }
      return replies
    } catch {
      throw Failure(error)
    }
  }

  /// Passes each reply to a call with "more" to `body`, as it came.
  func eachReply(to call: Call, _ body: (JSON) throws(Failure) -> Void) throws(Failure) {
    var refusal: Failure?
    do throws(ClientError) {
      try client.eachReply(to: call) { parameters throws(ClientError) in
        do throws(Failure) {
          try body(parameters)
          return true
        } catch {
          refusal = error
          return false
        }
      }
    } catch {
      throw Failure(error)
    }
    if let refusal { throw refusal }
  }

  /// Passes each object of a list to `body`, as it came in any number of replies.
  func eachObject(
    of call: Call, in list: String, _ body: (JSON) throws(Failure) -> Void
  ) throws(Failure) {
    try eachReply(to: call) { parameters throws(Failure) in
      for object in parameters[list]?.array ?? [] { try body(object) }
    }
  }

  /// Returns the ids of a listing, in order.
  func ids(of call: Call, in list: String) throws(Failure) -> [String] {
    var ids: [String] = []
    try eachObject(of: call, in: list) { object throws(Failure) in
      ids += [object["id"]?.string].compactMap(\.self)
    }
    return ids
  }

  /// Returns the number of albums or songs listed inside a thing, in words.
  func count(inside thing: Interface.Thing) throws(Failure) -> String {
    if let crate = thing.crate {
      let call = Call.listAlbums(crate: crate, gone: false, first: nil, count: 0)
      guard case .albums(_, let total?, _) = try reply(to: call) else { return "" }
      return Shown.count(total, "album")
    }
    let call = Call.listSongs(
      crate: nil, album: thing.album, gone: false, first: nil, count: 0)
    guard case .songs(_, let total?, _) = try reply(to: call) else { return "" }
    return Shown.count(total, "song")
  }

  func status() throws(Failure) -> Interface.LibraryStatus {
    guard case .status(let status) = try reply(to: .status) else {
      throw Failure(.unreadable("it has no status"))
    }
    return status
  }

  /// Returns the crate; without a position if nothing is listed in it.
  func crate(_ name: String) throws(Failure) -> Interface.Crate {
    guard case .crates(let crates, _) = try reply(to: .listCrates) else {
      throw Failure(.unreadable("it lists no crates"))
    }
    return crates.first { $0.name == name }
      ?? Interface.Crate(name: name, position: nil, albums: 0, songs: 0, seconds: 0)
  }

  /// Returns the album, whether listed or gone; nil if it no longer exists.
  func album(_ id: String) throws(Failure) -> Interface.Album? {
    let call = Call.listAlbums(crate: nil, albums: [id], gone: true, first: nil, count: nil)
    guard case .albums(let albums, _, _) = try reply(to: call) else { return nil }
    return albums.first
  }

  /// Returns the song, whether listed or gone.
  func song(_ id: String) throws(Failure) -> Interface.Song {
    let call = Call.listSongs(
      crate: nil, album: nil, songs: [id], gone: true, first: nil, count: nil)
    guard case .songs(let songs, _, _) = try reply(to: call), let song = songs.first else {
      throw .refused(InterfaceError.noSuchSong(id: id).message)
    }
    return song
  }

  /// Returns the crates and listed albums whose names begin with a text.
  func names(beginning: String, _ kinds: [Interface.Kind]) throws(Failure) -> KnownNames {
    let call = Call.resolve(
      words: [[beginning]], wanted: kinds, beginning: true, count: Offer.candidatesMost)
    guard case .meanings(let meanings, _) = try reply(to: call) else { return KnownNames() }
    let things = meanings.flatMap(\.candidates)
    var names = KnownNames(crates: things.compactMap(\.crate))
    let ids = things.compactMap(\.album)
    if ids.isEmpty { return names }
    let listing = Call.listAlbums(crate: nil, albums: ids, gone: false, first: nil, count: nil)
    guard case .albums(let albums, _, _) = try reply(to: listing) else { return names }
    names.albums = albums
    return names
  }

  static func structure<Value: WireStructure>(_ json: JSON) throws(Failure) -> Value {
    do throws(FieldError) {
      return try Value(json: json)
    } catch {
      throw Failure(.unreadable(error.description))
    }
  }

  static func read(_ parameters: JSON, to call: Call) throws(Failure) -> Reply {
    do throws(ClientError) {
      return try VarlinkClient.read(parameters, to: call)
    } catch {
      throw Failure(error)
    }
  }
}

enum Environment {
  /// Nil if the variable is not set or empty.
  static subscript(name: String) -> String? {
    guard let value = getenv(name), value.pointee != 0 else { return nil }
    return String(cString: value)
  }
}
