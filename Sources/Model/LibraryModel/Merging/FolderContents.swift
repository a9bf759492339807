/// The differences between a scan of a music folder and what was known: the input of a merge.
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
  /// The number of the scan that found these files: the time at which it began in milliseconds
  /// since 1970, or more if the clock was ahead before. All pieces of one scan have the same
  /// number. A first scan is one scan, even if a restart interrupts it. A later scan always has a
  /// greater number, so equal numbers mean that files were found together.
  package var seen: Int64
  /// The current time in milliseconds since 1970. No song gets a later date.
  package var now = Int64.max
  /// Whether the music folder is being scanned for the first time. Songs are then as old as their
  /// files.
  package var isFirstScan: Bool
  /// Whether this is the last piece of a first scan.
  package var endsFirstScan: Bool
  /// Files that are new at their path, or have changed. Absolute paths, without repetitions.
  package var found: [Found]
  /// Known files that no longer exist. Does not include the files of a directory that could not be
  /// read.
  package var vanished: [BytePath]
  /// Known files that have been missing since this scan. Songs may be recognised elsewhere by them,
  /// but their wait is not over, so they are not gone yet. `Merge.Memory` holds them until they are
  /// found, vanish or return.
  package var absent: [BytePath]
  /// Absent files that are no longer waited for, although they did not vanish: they exist again
  /// unchanged, or their file system went offline.
  package var returned: [BytePath]
  /// Known files of songs that have several, after one of them went offline or came back.
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
