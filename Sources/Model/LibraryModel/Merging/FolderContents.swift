/// What a scan of a music folder found that differs from what was known: the input of a merge.
package struct FolderContents: Sendable {
  package struct Found: Sendable {
    package var path: BytePath
    package var facts: FileFacts

    package init(path: BytePath, facts: FileFacts) {
      self.path = path
      self.facts = facts
    }
  }

  package struct Rename: Hashable, Sendable {
    package var from: BytePath
    package var to: BytePath

    package init(from: BytePath, to: BytePath) {
      self.from = from
      self.to = to
    }
  }

  /// The music folder.
  package var root: BytePath
  /// The number of the scan that found these files: the milliseconds since 1970 at which it began,
  /// or more where the clock was ahead once. All that one scan found has one number, in however
  /// many pieces it is told; a first scan is one, also where a restart cuts it in two. A later scan
  /// always has a greater number, so that what is equal was found together.
  package var seen: Int64
  /// Milliseconds since 1970: what the clock shows at the merge. No song gets a later date.
  package var now = Int64.max
  /// Whether the music folder is being scanned for the first time: songs are then as old as their
  /// files.
  package var isFirstScan: Bool
  /// The last piece of a first scan.
  package var endsFirstScan: Bool
  /// Files that are new at their path, or changed there. Absolute paths, each once.
  package var found: [Found]
  /// Files that were known and are not there. A directory that could not be read lists none.
  package var vanished: [BytePath]
  /// Known files that are missing since this scan: songs may be recognised elsewhere by them, but
  /// the wait for that is not over, so they are not gone yet. `Merge.Memory` holds them until they
  /// are found, vanish or return.
  package var absent: [BytePath]
  /// Absent files that are waited for no longer, though they did not vanish: they are there again
  /// as they were, or what they lie on went offline.
  package var returned: [BytePath]
  /// Known files of songs that have several, since one of them went offline or came back.
  package var turned: [BytePath]
  /// Renames that the kernel reported.
  package var renames: [Rename]

  package init(root: BytePath, seen: Int64) {
    self.root = root
    self.seen = seen
    self.isFirstScan = false
    self.endsFirstScan = false
    self.found = []
    self.vanished = []
    self.absent = []
    self.returned = []
    self.turned = []
    self.renames = []
  }

  package var isEmpty: Bool {
    found.isEmpty && vanished.isEmpty && absent.isEmpty && returned.isEmpty && turned.isEmpty
      && renames.isEmpty && !endsFirstScan
  }
}
