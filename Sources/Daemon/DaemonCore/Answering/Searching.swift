import CratesInterface
import LibraryIndex
import LibraryModel
import Logging
import Platform
import Synchronization

/// Searches. It may wait for the disk: the index is there.
final class Searching: Sendable {
  /// How long the index may take to catch up before it is searched as it is: what an answer told of
  /// is to be found.
  private static let waitsFor: Int64 = 5_000_000_000
  /// The same during a scan, when there is always more to come.
  private static let waitsForInScan: Int64 = 50_000_000

  private struct Wish {
    var query: SearchQuery
    /// The name of the one in which is searched; nil: all.
    var crate: String?
    var limit: Int
    var found: @Sendable (SearchResult?, PlacedLibrary) -> Void
  }

  /// What one search leaves to the next.
  private struct Known {
    /// Instead of an index that can't be used, for as long as it can't.
    var substitute: LibraryIndex?
    /// The last ones, without their library, which would be kept in memory.
    var counted: (sequence: Int, places: AlbumPlaces)?
  }

  private let lane: WorkPool.Lane
  private let index: IndexService
  private let published: PublishedLibrary
  private let isScanning: @Sendable () -> Bool
  private let logger: Logger
  /// Touched by the lane's work alone, one piece at a time.
  private let known = Mutex(Known())

  /// - Parameter lane: of one thread at a time.
  init(
    on lane: WorkPool.Lane, index: IndexService, published: PublishedLibrary,
    isScanning: @escaping @Sendable () -> Bool, logger: Logger
  ) {
    self.lane = lane
    self.index = index
    self.published = published
    self.isScanning = isScanning
    self.logger = logger
  }

  /// A library, and where its albums stand.
  struct PlacedLibrary: Sendable {
    let library: Library
    let places: AlbumPlaces
  }

  /// Calls back with what was found, and the library in which; not at all where searching fails.
  ///
  /// - Parameter found: is called with nil where there is no such crate.
  func find(
    _ query: SearchQuery, in crate: String? = nil, limit: Int,
    found: @escaping @Sendable (SearchResult?, PlacedLibrary) -> Void
  ) {
    let wish = Wish(query: query, crate: crate, limit: limit, found: found)
    lane.add { [self] in
      // One that fails is not taken again.
      var last = known.withLock { known in
        defer { known = Known() }
        return known
      }
      answer(wish, &last)
      known.withLock { [last] in $0 = last }
    }
  }

  private func answer(_ wish: Wish, _ known: inout Known) {
    let library = published.library
    // Libraries of the same sequence differ at most in tags and in what is offline.
    let isCounted = known.counted?.sequence == library.sequence
    let places = (isCounted ? known.counted?.places : nil) ?? AlbumPlaces(in: library)
    known.counted = (library.sequence, places)
    let placed = PlacedLibrary(library: library, places: places)
    if let name = wish.crate, library.crate(named: name) == nil { return wish.found(nil, placed) }
    // Without a result the answer is let go of, which closes the connection.
    if let result = search(wish, placed, &known.substitute) { wish.found(result, placed) }
  }

  private func search(
    _ wish: Wish, _ placed: PlacedLibrary, _ substitute: inout LibraryIndex?
  ) -> SearchResult? {
    if wish.query.isEmpty { return SearchResult() }
    let crate = wish.crate.flatMap { placed.library.crate(named: $0)?.id }
    switch index.written(within: isScanning() ? Self.waitsForInScan : Self.waitsFor) {
    case .wholly(let index), .late(let index):
      do {
        let result = try index.search(
          wish.query, in: placed.library, placed.places, crate: crate, limit: wish.limit)
        substitute = nil
        return result
      } catch {
        logger.debug("the index could not be searched: \(error)")
      }
    case .unusable: break
    }
    do {
      let index = try inMemory(placed.library, substitute.take())
      let result = try index.search(
        wish.query, in: placed.library, placed.places, crate: crate, limit: wish.limit)
      substitute = index
      return result
    } catch {
      logger.error("a search failed in memory, too: \(error)")
      return nil
    }
  }

  private func inMemory(_ library: Library, _ known: LibraryIndex?) throws -> LibraryIndex {
    if let known {
      try known.rebuild(from: library)
      return known
    }
    logger.notice("searching without the index, which can't be used now")
    return try LibraryIndex.inMemory(library)
  }
}
