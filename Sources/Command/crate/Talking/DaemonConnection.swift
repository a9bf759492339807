import CratesInterface
import Glibc
import VarlinkClient

/// The connection of one command, with its failures in words for people.
final class DaemonConnection {
  private var client: VarlinkClient

  /// A person who waits this long for the beginning of an answer is told, in milliseconds.
  private static let lateAfter: Int32 = 3_000

  /// - Parameter isPersonWaiting: whether there is somebody to tell that crated takes its time.
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

  /// Where crated listens.
  ///
  /// - Parameters:
  ///   - given: what the command line says of it.
  ///   - interface: the socket's name, that of the interface that is spoken there.
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

  /// The reply to a call, as it came.
  ///
  /// - Parameter wording: what a refusal means here, where that is not what it usually means.
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

  /// The replies to calls, each of which is sent before the answer to the one before it is read, so
  /// that the daemon need not wait for the next.
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

  /// Each reply to a call with "more", as it came.
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

  /// Each object of a list that comes in any number of replies, as it came.
  func eachObject(
    of call: Call, in list: String, _ body: (JSON) throws(Failure) -> Void
  ) throws(Failure) {
    try eachReply(to: call) { parameters throws(Failure) in
      for object in parameters[list]?.array ?? [] { try body(object) }
    }
  }

  /// The ids of a listing, in its order.
  func ids(of call: Call, in list: String) throws(Failure) -> [String] {
    var ids: [String] = []
    try eachObject(of: call, in: list) { object throws(Failure) in
      ids += [object["id"]?.string].compactMap(\.self)
    }
    return ids
  }

  /// How many albums or songs are listed inside it, in words.
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

  /// The crate; without a position where nothing is listed in it.
  func crate(_ name: String) throws(Failure) -> Interface.Crate {
    guard case .crates(let crates, _) = try reply(to: .listCrates) else {
      throw Failure(.unreadable("it lists no crates"))
    }
    return crates.first { $0.name == name }
      ?? Interface.Crate(name: name, position: nil, albums: 0, songs: 0, seconds: 0)
  }

  /// The album, wherever it is; nil where it went meanwhile.
  func album(_ id: String) throws(Failure) -> Interface.Album? {
    let call = Call.listAlbums(crate: nil, albums: [id], gone: true, first: nil, count: nil)
    guard case .albums(let albums, _, _) = try reply(to: call) else { return nil }
    return albums.first
  }

  /// The song, wherever it is.
  func song(_ id: String) throws(Failure) -> Interface.Song {
    let call = Call.listSongs(
      crate: nil, album: nil, songs: [id], gone: true, first: nil, count: nil)
    guard case .songs(let songs, _, _) = try reply(to: call), let song = songs.first else {
      throw .refused(InterfaceError.noSuchSong(id: id).message)
    }
    return song
  }

  /// The crates, and the albums that are listed, whose names begin so.
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
  /// `nil` where the variable is not set or empty.
  static subscript(name: String) -> String? {
    guard let value = getenv(name), value.pointee != 0 else { return nil }
    return String(cString: value)
  }
}
