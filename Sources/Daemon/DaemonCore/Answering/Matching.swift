import CratesInterface
import LibraryModel
import Platform
import Synchronization
import VarlinkServer

/// Finds the songs that other programs describe. Building the lookup tables takes some tenths of a
/// second in a large library.
final class Matching: Sendable {
  /// The time after a call at which the tables are dropped, in nanoseconds. Importing a list takes
  /// several calls, and the user may look at a dry run first.
  private static let keptFor: Int64 = 10_000_000_000

  /// The lookup tables and their library.
  private struct Tables {
    var library: Library
    /// The number of the library, as published.
    var number: Int
    var lookup: SongLookup
  }

  private let lane: WorkPool.Lane
  private let published: PublishedLibrary
  private let clock: Clock
  /// Accessed only by the lane's work, one item at a time.
  private let tables = Mutex<Tables?>(nil)

  /// - Parameter lane: A lane of one thread.
  init(on lane: WorkPool.Lane, published: PublishedLibrary, clock: Clock) {
    (self.lane, self.published, self.clock) = (lane, published, clock)
  }

  func add(_ request: Request) {
    lane.add { [self] in
      answer(request)
      lane.add(at: clock.monotonic() + Self.keptFor) { [self] in
        tables.withLock { $0 = nil }
        returnFreeMemory()
      }
    }
  }

  private func answer(_ request: Request) {
    guard case .match(let wanted, let folder, let roots) = request.call else {
      preconditionFailure("no other call is matched")
    }
    let (library, number) = published.numbered
    let lookup = lookup(library, number)
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

  private func lookup(_ library: Library, _ number: Int) -> SongLookup {
    // Old tables are dropped before new ones are made, which need as much memory.
    let known = tables.withLock { tables in
      if tables?.number != number { tables = nil }
      return tables?.lookup
    }
    let lookup = known ?? SongLookup(library)
    tables.withLock { $0 = Tables(library: library, number: number, lookup: lookup) }
    return lookup
  }
}

extension Wanted {
  /// The longest possible length in milliseconds, which is days. More can only be a mistake.
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
