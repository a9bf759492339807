import LibraryModel
import Synchronization

/// What was found by going through all songs, for as long as the library stays the same.
final class OnceForLibrary<Key: Equatable & Sendable, Value: Sendable>: Sendable {
  private struct Found {
    var sequence: Int
    var away: Away
    var key: Key
    var value: Value
  }

  private let last = Mutex<Found?>(nil)

  /// - Parameters:
  ///   - key: what is asked for.
  ///   - find: finds it where it was not the last that was asked for.
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
