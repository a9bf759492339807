/// Folds what was found in a music folder into the library, with the fewest changes to the crates.
/// A pure function of its inputs: no clock, no randomness, and no hash order reaches the result.
///
/// # How it works
///
/// Five values, each made from those before it, and none changed afterwards:
///
/// 1. `Observation`: what the scan found, beside what was known. It answers what is there now.
/// 2. `JudgedGroups`: the group of each file in the folders concerned, judged over whole folders
///    (`Grouping` has the rules of 1.2).
/// 3. `Neighbourhood`: the `Cluster`s that may matter, with the songs that may be theirs. Files of
///    one sound in one group are one cluster and one song (1.2.5). It is closed before the first
///    song is recognised; a song is asked for by what it is known by (`SongKey`) in `Lookups`,
///    never by walking the library.
/// 4. `Recognised`: which song each cluster is (1.4). `Recognition` goes through the steps of the
///    specification in their order, each for all songs and all clusters: `+Sounds` and `+Evidence`
///    have them.
/// 5. The outcome: `Placing` turns what was recognised into changes (1.3). Songs follow their files
///    first; then each goes to the album of its group; last, albums whose songs have all left, and
///    of which none is waited for, hand themselves over, and those that hold nothing go.
///
/// Stages 1 to 4 ask the library as it was (`observation.before`), stage 5 the library as it is by
/// now (`Placing.now`), or as it was before the first song was placed (`Placing.former`).
///
/// Cost: what is news, times the files of its albums; not the size of the library, nor that of a
/// large folder, whose files are asked for by their kinds (`FolderFiles`), nor the number of files
/// that were absent before (`Memory`): those are looked for by what is found.
package enum Merge {
  /// What a merge comes to, besides its changes.
  package struct Outcome: Sendable {
    package var decision: Decision
    /// Whose the files are of which a merge can say so.
    package var files: [BytePath: FileOwner] = [:]
    /// Songs and albums that may differ from before.
    package var songs: Set<SongID> = []
    package var albums: Set<AlbumID> = []
    /// What the next merge has to be given.
    package var memory: Memory

    /// Files that are offline, and no song's any longer: they are new when they are back.
    package func strangers(in away: Away) -> [BytePath] {
      files.filter { $0.value.song == nil && away.covers($0.key) }.keys.sorted()
    }
  }

  /// Merges the contents of a music folder.
  ///
  /// - Parameters:
  ///   - newAlbums: the crate for new albums; nil: the first listed one.
  ///   - memory: what the last merge left, of whichever folder.
  package static func merge(
    _ contents: FolderContents, into library: Library, lookups: Lookups, newAlbums: String?,
    memory: Memory = Memory()
  ) -> Outcome {
    let scan = Observation(contents, library, lookups, memory[contents.root].absent)
    // Most that are moved are found by their sounds: that is taken for granted until it is seen.
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

  /// - Parameter certain: songs that are certain to be found by their sounds.
  private static func recognise(
    _ observation: Observation, finding certain: Set<SongID> = []
  ) -> Recognised {
    Recognition.recognise(
      Neighbourhood(observation, JudgedGroups(observation), finding: certain))
  }

  /// Absent files whose song was recognised elsewhere: nobody waits for those any longer, and their
  /// folders have to be judged without them.
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
