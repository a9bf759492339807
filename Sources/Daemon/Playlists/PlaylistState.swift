import LibraryModel
import Platform

/// The daemon's state of one crate's list between two scans. Lost at a restart.
struct PlaylistState {
  var crate: Crate
  var file: BytePath
  /// The file when it was last compared or written; nil if it has to be compared again.
  var status: FileStatus?
  var problems: [PlaylistProblem] = []
  /// The answer to the last edit, until the next one or a change of the crate.
  var answer: Answer?
  var timing = EditTiming()
  /// The time at which the list has to be scanned again even if nothing changes; `.max` for never.
  var scanDue = Int64.max
  /// The digest of an edit that was decided on and differs from the crate: it may be overwritten.
  var overwritable: TextDigest?
  /// Edits that were overwritten, the oldest first: their digest, that of the crate's songs, and
  /// the time.
  var overwritten: [(digest: TextDigest, songs: TextDigest, at: Int64)] = []
  /// An edit that came again, which stays until the crate's songs change: its digest and theirs.
  var tolerated: (digest: TextDigest, songs: TextDigest)?

  struct Answer {
    var problem: PlaylistProblem
    /// The digest of the crate's songs at that time.
    var songs: TextDigest
  }

  init(crate: Crate, file: BytePath) {
    self.crate = crate
    self.file = file
  }

  /// Returns whether the list was made from this crate. Compares names by bytes: `==` would take
  /// two normalisations for one name.
  func isOf(_ crate: Crate) -> Bool {
    self.crate.name.utf8.elementsEqual(crate.name.utf8) && self.crate.albums == crate.albums
  }
}
