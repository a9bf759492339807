import LibraryModel
import Synchronization

/// Places in music folders that are not there now, and that songs are missed from: of a drive whose
/// songs were copied elsewhere before it went, nothing is. Looked for once for each value of the
/// library, and only while such places are away.
final class MissedPlaces: Sendable {
  private struct Found {
    var sequence: Int
    var away: [BytePath]
    var missed: Set<BytePath>
  }

  private let last = Mutex<Found?>(nil)

  /// - Parameter away: drives, folders and single files.
  func places(of away: [BytePath], in library: Library) -> Set<BytePath> {
    // Until its songs are known, any of them may be missed.
    if away.isEmpty || library.isOutline { return Set(away) }
    let known = last.withLock { $0 }
    if let known, known.sequence == library.sequence, known.away == away { return known.missed }
    let missed = Self.look(Set(away), library)
    last.withLock { $0 = Found(sequence: library.sequence, away: away, missed: missed) }
    return missed
  }

  private static func look(_ away: Set<BytePath>, _ library: Library) -> Set<BytePath> {
    var missed: Set<BytePath> = []
    library.songs.forEach { _, song in
      if song.isGone { return }
      var place = song.path
      while !place.isEmpty {
        if away.contains(place) { missed.insert(place) }
        place = place.parent
      }
    }
    return missed
  }
}
