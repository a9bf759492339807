import LibraryModel
import Synchronization

/// The result of a search through all songs, cached until the library changes.
final class OnceForLibrary<Key: Equatable & Sendable, Value: Sendable>: Sendable {
  private struct Found {
    var sequence: Int
    var away: Away
    var key: Key
    var value: Value
  }

  private let last = Mutex<Found?>(nil)

  /// - Parameters:
  ///   - key: The subject of the search.
  ///   - find: Computes the value if it is not the cached one.
  func found(in library: Library, for key: Key, _ find: () -> Value) -> Value {
    let known = last.withLock { $0 }
    if let known, known.sequence == library.sequence, known.away == library.away, known.key == key {
      return known.value
    }
    let value = find()
    last.withLock {
      $0 = Found(sequence: library.sequence, away: library.away, key: key, value: value)
    }
    return value
  }
}
