import CratesInterface
import LibraryModel
import Platform
import Synchronization
import VarlinkServer

/// Answers which songs are meant by what other programs know of them, on a thread of its own: to
/// make the tables for it takes some tenths of a second in a large library.
final class Matching: Sendable {
  /// How long the tables are kept after the last call, in nanoseconds: a list is several calls, and
  /// a person looks at what an import would do before it is done.
  private static let keptFor: Int64 = 10_000_000_000

  private struct State {
    // Bounded by the clients, who have one call each in work.
    var waiting: [Request] = []
    var isStopping = false
  }

  /// The tables, and the library that they are of.
  private struct Tables {
    var library: Library
    /// Which of those that were published it is.
    var number: Int
    var lookup: SongLookup
  }

  private enum Next {
    case answer(Request)
    case end
  }

  private let published: PublishedLibrary
  private let clock: Clock
  private let state = Monitor(State())
  private let thread = Mutex<BlockingThread?>(nil)

  init(published: PublishedLibrary, clock: Clock) {
    self.published = published
    self.clock = clock
  }

  func start() {
    let started = BlockingThread("matching") { [self] in work() }
    thread.withLock { $0 = started }
  }

  /// Answers what waits.
  func stop() {
    state.withLock { $0.isStopping = true }
    thread.withLock { $0.take() }?.join()
  }

  func add(_ request: Request) {
    state.change { state in
      state.waiting.append(request)
      return .one
    }
  }

  private func work() {
    var tables: Tables?
    while true {
      let end = tables.map { _ in clock.monotonic() + Self.keptFor } ?? .max
      switch state.wait(until: end, for: Self.next) {
      case .answer(let request): answer(request, &tables)
      case .end: return
      case nil:
        tables = nil
        returnFreeMemory()
      }
    }
  }

  private static func next(_ state: inout State) -> Next? {
    if !state.waiting.isEmpty { return .answer(state.waiting.removeFirst()) }
    return state.isStopping ? .end : nil
  }

  private func answer(_ request: Request, _ tables: inout Tables?) {
    guard case .match(let wanted, let folder, let roots) = request.call else {
      preconditionFailure("no other call is matched")
    }
    let (library, number) = published.numbered
    if tables?.number != number {
      // Before the new ones, which need as much room.
      tables = nil
    }
    let lookup = tables?.lookup ?? SongLookup(library)
    tables = Tables(library: library, number: number, lookup: lookup)
    var ours: [(theirs: [UInt8], ours: BytePath)] = []
    for root in roots {
      guard let path = BytePath(uriOrPath: root.ours) else {
        return request.answer.fail(.invalidParameter(parameter: "roots"))
      }
      ours.append((Array(root.theirs.utf8), path))
    }
    var list: BytePath?
    if let folder {
      guard let path = BytePath(uriOrPath: folder) else {
        return request.answer.fail(.invalidParameter(parameter: "relativeTo"))
      }
      list = path
    }
    let matches = ListMatching(lookup, list: list, roots: ours).matches(of: wanted.map(Wanted.init))
    let matched = matches.map { match in
      switch match {
      case .found(let song, let step):
        Interface.Matched(
          song: "\(song)", album: library.songs[song].map { "\($0.album)" }, by: step.rawValue)
      case .missing(let tried): Interface.Matched(tried: tried)
      }
    }
    request.answer.reply(.matches(matched, sequence: library.sequence))
  }
}

extension Wanted {
  /// Milliseconds of the longest song there can be: days. More would only be a mistake.
  private static let longest = 1e9

  init(_ wanted: Interface.Wanted) {
    self.init()
    song = wanted.song.flatMap { SongID($0) }
    path = Array((wanted.path ?? "").utf8)
    title = wanted.title ?? ""
    artist = wanted.artist ?? ""
    album = wanted.album ?? ""
    albumArtist = wanted.albumArtist ?? ""
    disc = wanted.disc
    track = wanted.track
    milliseconds = Int(min((wanted.seconds ?? 0) * 1_000, Self.longest).rounded())
    recording = wanted.recording ?? ""
    release = wanted.release ?? ""
  }
}
