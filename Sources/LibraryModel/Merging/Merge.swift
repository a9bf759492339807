/// Folds what was found in a music folder into the library, with the fewest changes to the crates.
/// A pure function of its inputs: no clock, no randomness, and no hash order reaches the result.
package struct Merge {
  /// What a merge comes to, besides its changes.
  package struct Outcome: Sendable {
    package var decision: Decision
    /// Which file belongs to which song now; nil: the file is not known any longer.
    package var files: [BytePath: (song: SongID, facts: FileFacts?)?] = [:]
    /// Songs and albums that may differ from before.
    package var songs: Set<SongID> = []
    package var albums: Set<AlbumID> = []

    /// Files that are offline, and no song's any longer: they are new when they are back.
    package func strangers(in away: Away) -> [BytePath] {
      files.filter { $0.value == nil && away.covers($0.key) }.keys.sorted()
    }
  }

  let before: Library
  let lookups: Lookups
  let contents: FolderContents
  /// The crate for new albums; nil: the first listed one.
  let newAlbums: String?

  var outcome: Outcome
  /// Files that are new at their path or changed.
  var found: [BytePath: FileFacts] = [:]
  /// Those with a sound, by it.
  var foundBySound: [AudioDigest: [BytePath]] = [:]
  /// Where the kernel says that a file was before.
  var renamed: [BytePath: [BytePath]] = [:]
  /// Files that were known and are not there.
  var missing: Set<BytePath> = []
  var vanished: Set<BytePath> = []
  /// The group of every file whose group the merge had to judge.
  var groups: [BytePath: GroupKey] = [:]
  var clusters: [Cluster] = []
  /// Songs that a cluster was recognised as.
  var claimed: Set<SongID> = []
  /// Younger songs whose file became that of a song that vanished: their places are dropped.
  var givenWay: [SongID] = []

  /// Milliseconds by which two files of one recording may differ in length.
  static let sameLength = 2000

  /// Files with the same sound in the same group: one song. The first path is its file.
  struct Cluster {
    var group: GroupKey
    var digest: AudioDigest?
    /// In byte order, those that are offline last.
    var paths: [BytePath]
    var facts: FileFacts?
    /// None of its files can be looked at now.
    var isAway = false
    var song: SongID?
    var evidence = Evidence.path
    var isNew = false

    var path: BytePath { paths[0] }
    var orderDisc: Int { LibraryModel.orderDisc(facts?.disc, path) }
  }

  /// Merges the contents of a music folder.
  package static func merge(
    _ contents: FolderContents, into library: Library, lookups: Lookups, newAlbums: String?
  ) -> Outcome {
    var merge = Merge(contents, library, lookups, newAlbums)
    merge.recognise()
    while case let left = merge.filesLeftBehind(), !left.isEmpty {
      var contents = merge.contents
      contents.vanished += left.sorted()
      contents.absent.removeAll(where: left.contains)
      merge = Merge(contents, library, lookups, newAlbums)
      merge.recognise()
    }
    merge.letYoungerGiveWay()
    merge.followFiles()
    merge.noteGone()
    merge.dropGivenWay()
    merge.placeInAlbums()
    merge.dropEmptyAlbums()
    if contents.endsFirstScan { merge.endFirstScan() }
    merge.outcome.decision.dropEmptyCrates(except: newAlbums, by: .folder)
    merge.summarize()
    return merge.outcome
  }

  private init(
    _ contents: FolderContents, _ library: Library, _ lookups: Lookups, _ newAlbums: String?
  ) {
    self.before = library
    self.lookups = lookups
    self.contents = contents
    self.newAlbums = newAlbums
    self.outcome = Outcome(decision: Decision(library: library))
    for file in contents.found { found[file.path] = file.facts }
    for (path, facts) in found {
      if let digest = facts.digest { foundBySound[digest, default: []].append(path) }
    }
    for rename in contents.renames { renamed[rename.to, default: []].append(rename.from) }
    vanished = Set(contents.vanished.filter { found[$0] == nil && song(at: $0) != nil })
    missing = vanished.union(contents.absent.filter { found[$0] == nil })
  }

  mutating func make(_ change: Change) {
    outcome.decision.make(change, by: .folder)
  }

  /// What is known of a file after the merge; nil where it is not there.
  func facts(at path: BytePath) -> FileFacts? {
    if let facts = found[path] { return facts }
    return vanished.contains(path) ? nil : knownFacts(at: path)
  }

  /// The song that a known file belonged to before the merge.
  func song(at path: BytePath) -> Song? { lookups.song(at: path, in: before) }

  /// What was known of a file before the merge.
  private func knownFacts(at path: BytePath) -> FileFacts? {
    song(at: path).flatMap { lookups.facts(of: $0, at: path) }
  }

  /// Whether a file was found, or was there before and is not missing.
  func isThere(_ path: BytePath) -> Bool {
    found[path] != nil || (!missing.contains(path) && song(at: path) != nil)
  }

  private mutating func summarize() {
    let changes = outcome.decision.changes
    func count(_ isMeant: (Change) -> Bool) -> Int { changes.count(where: isMeant) }
    let parts = [
      (count { if case .songAdded = $0 { true } else { false } }, "added"),
      (count { if case .songReturned = $0 { true } else { false } }, "returned"),
      (count { if case .songGone = $0 { true } else { false } }, "gone"),
      (count { if case .songFollowed = $0 { true } else { false } }, "followed"),
      (
        count {
          switch $0 {
          case .songRegrouped, .albumRegrouped: true
          default: false
          }
        }, "retagged"
      ),
    ]
    let words = parts.filter { $0.0 > 0 }.map { "\($0.0) \($0.1)" }
    outcome.decision.summary =
      "merge: " + (words.isEmpty ? "reordered" : words.joined(separator: ", "))
  }
}
