/// Merges the findings of a scan of a music folder into the library, with the fewest changes to the
/// crates. A pure function of its inputs: no clock, randomness or hash order affects the result.
///
/// # How it works
///
/// There are five values. Each is computed from those before it, and never changed afterwards:
///
/// 1. `Observation`: the findings of the scan, beside what was known. It answers which files exist
///    now.
/// 2. `JudgedGroups`: the group of each file in the affected folders, judged over whole folders
///    (`Grouping` has the rules).
/// 3. `Neighbourhood`: the `Cluster`s that may matter, with the songs that may be theirs. Files of
///    one sound in one group are one cluster and one song. It is complete before the first
///    song is recognised. Songs are searched for by their keys (`SongKey`) in `Lookups`, never by
///    iterating over the library.
/// 4. `Recognised`: the song of each cluster. `Recognition` performs the steps of merge-rules.md,
///    section 3, in their order, each for all songs and all clusters, in `+Sounds` and `+Evidence`.
/// 5. The outcome: `Placing` turns recognised songs into changes. First songs follow their
///    files. Then each goes to the album of its group. Last, albums that all songs have left, and
///    for none of which a file is waited for, are handed over, and empty ones are removed.
///
/// Stages 1 to 4 use the library before the merge (`observation.before`). Stage 5 uses its present
/// value (`Placing.now`), or the one before the first song was placed (`Placing.former`).
///
/// The cost is proportional to what has changed, times the files of its albums. It does not depend
/// on the size of the library, nor on that of a large folder, whose files are grouped by kinds
/// (`FolderFiles`), nor on the number of files that were absent before (`Memory`), which are
/// searched for by the found files.
package enum Merge {
  /// The result of a merge.
  package struct Outcome: Sendable {
    package var decision: Decision
    /// The owners of the files, as far as the merge has determined them.
    package var files: [BytePath: FileOwner] = [:]
    /// Songs and albums that may have changed.
    package var songs: Set<SongID> = []
    package var albums: Set<AlbumID> = []
    /// The state to pass to the next merge.
    package var memory: Memory

    /// Returns the offline files that no longer belong to a song. They are new when they come back.
    package func strangers(in away: Away) -> [BytePath] {
      files.filter { $0.value.song == nil && away.covers($0.key) }.keys.sorted()
    }
  }

  /// Merges the contents of a music folder.
  ///
  /// - Parameters:
  ///   - newAlbums: the crate for new albums. Nil: the first listed one.
  ///   - memory: the state after the last merge of any folder.
  package static func merge(
    _ contents: FolderContents, into library: Library, lookups: Lookups, newAlbums: String?,
    memory: Memory = Memory()
  ) -> Outcome {
    let scan = Observation(contents, library, lookups, memory[contents.root].absent)
    // Assumes that moved songs will be found by their sounds, as most are. The assumption is
    // verified below.
    let moved = scan.movedSongs
    var observation = scan.giving(up: Set(moved.map(\.path).filter(scan.isAwaited)))
    var recognised = recognise(observation, finding: Set(moved.map(\.id)))
    if !recognised.hasFound(moved) {
      observation = scan
      recognised = recognise(observation)
    }
    while case let left = filesLeftBehind(recognised, observation), !left.isEmpty {
      observation = observation.giving(up: left)
      recognised = recognise(observation)
    }
    let outcome = Placing.place(recognised, observation, newAlbums: newAlbums, memory)
    #if DEBUG
      let fault = outcome.decision.library.brokenInvariant(
        albums: outcome.albums, songs: outcome.songs)
      precondition(fault == nil, "a merge leaves the library whole: \(fault ?? "")")
    #endif
    return outcome
  }

  /// - Parameter certain: songs that are assumed to be found by their sounds.
  private static func recognise(
    _ observation: Observation, finding certain: Set<SongID> = []
  ) -> Recognised {
    Recognition.recognise(
      Neighbourhood(observation, JudgedGroups(observation), finding: certain))
  }

  /// Returns absent files whose song was recognised elsewhere. They are no longer waited for, and
  /// their folders have to be judged without them.
  private static func filesLeftBehind(
    _ recognised: Recognised, _ observation: Observation
  ) -> Set<BytePath> {
    var left: Set<BytePath> = []
    if observation.absent.isEmpty { return left }
    for piece in recognised.pieces where !piece.isNew {
      guard let song = observation.before.songs[piece.song] else { continue }
      left.formUnion(observation.files(of: song).filter(observation.isAwaited))
    }
    return left
  }
}
