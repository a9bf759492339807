import CratesInterface
import LibraryIndex
import LibraryModel
import Logging
import Platform
import Synchronization

/// Searches the index, and may wait for its disk.
final class Searching: Sendable {
  /// The time that a search waits for the index to catch up, in nanoseconds, before it searches the
  /// index as it is. Clients expect to find what an earlier answer reported.
  private static let waitsFor: Int64 = 5_000_000_000
  /// The same during a scan, when more changes always follow.
  private static let waitsForInScan: Int64 = 50_000_000

  private struct Request {
    var query: SearchQuery
    /// The name of the crate to search; nil for all.
    var crate: String?
    var limit: Int
    var found: @Sendable (SearchResult?, PlacedLibrary) -> Void
  }

  /// The state that one search leaves to the next.
  private struct Known {
    /// An index in memory, in place of one that can't be used for now.
    var substitute: LibraryIndex?
    /// The places computed last. Their library is not stored, which would retain it.
    var counted: (sequence: Int, places: AlbumPlaces)?
  }

  private let lane: WorkPool.Lane
  private let index: IndexService
  private let published: PublishedLibrary
  private let isScanning: @Sendable () -> Bool
  private let logger: Logger
  /// Accessed only by the lane's work, one item at a time.
  private let known = Mutex(Known())

  /// - Parameter lane: A lane of one thread.
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

  /// A library and the places of its albums.
  struct PlacedLibrary: Sendable {
    let library: Library
    let places: AlbumPlaces
  }

  /// Calls back with the result and the library that was searched; not at all if searching fails.
  ///
  /// - Parameters:
  ///   - isWanted: Whether the client still waits. Without it the search is skipped.
  ///   - found: Called with nil if there is no such crate.
  func find(
    _ query: SearchQuery, in crate: String? = nil, limit: Int,
    isWanted: @escaping @Sendable () -> Bool = { true },
    found: @escaping @Sendable (SearchResult?, PlacedLibrary) -> Void
  ) {
    let request = Request(query: query, crate: crate, limit: limit, found: found)
    lane.add { [self] in
      if !isWanted() { return }
      // Taken out meanwhile.
      var last = known.withLock { known in
        defer { known = Known() }
        return known
      }
      answer(request, &last)
      known.withLock { [last] in $0 = last }
    }
  }

  private func answer(_ request: Request, _ known: inout Known) {
    let library = published.library
    // Libraries of one sequence differ at most in tags and in what is offline.
    let isCounted = known.counted?.sequence == library.sequence
    let places = (isCounted ? known.counted?.places : nil) ?? AlbumPlaces(in: library)
    known.counted = (library.sequence, places)
    let placed = PlacedLibrary(library: library, places: places)
    if let name = request.crate, library.crate(named: name) == nil {
      return request.found(nil, placed)
    }
    // Without a result the answer is released, which closes the connection.
    if let result = search(request, placed, &known.substitute) { request.found(result, placed) }
  }

  private func search(
    _ request: Request, _ placed: PlacedLibrary, _ substitute: inout LibraryIndex?
  ) -> SearchResult? {
    if request.query.isEmpty { return SearchResult() }
    let crate = request.crate.flatMap { placed.library.crate(named: $0)?.id }
    switch index.written(within: isScanning() ? Self.waitsForInScan : Self.waitsFor) {
    case .wholly(let index), .late(let index):
      do {
        let result = try index.search(
          request.query, in: placed.library, placed.places, crate: crate, limit: request.limit)
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
        request.query, in: placed.library, placed.places, crate: crate, limit: request.limit)
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
