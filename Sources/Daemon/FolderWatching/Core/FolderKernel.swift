import LibraryModel
import Platform

/// The system calls that the core makes in the middle of a decision. Paths are absolute. Tests may
/// answer instead of the kernel.
protocol FolderKernel: AnyObject {
  /// Returns whether the music folder is present, and its identity.
  func root() -> RootStatus
  /// Returns the status of what the path leads to; nil if it doesn't exist.
  func status(of path: BytePath) -> FileStatus?
  /// Returns the stamp of what the path leads to; nil if it doesn't exist.
  func stamp(of path: BytePath) -> FileStamp?
  /// Returns the path without symbolic links; nil if it doesn't exist.
  func resolved(_ path: BytePath) -> BytePath?
  /// Returns the path without symbolic links as far as it exists, and the rest unchanged.
  func target(of path: BytePath) -> BytePath
  /// Returns the text of `/proc/self/mountinfo`; nil if it can't be read.
  func mountTable() -> [UInt8]?
  /// Returns whether the mount table has changed since the last call.
  func haveMountsChanged() -> Bool
  /// Opens an inotify instance, in place of any former one, and watches the cookie directory.
  func openEvents() -> KernelInstance
  func closeEvents()
  /// Watches a directory outside of those that are scanned. Returns nil if that is impossible.
  func watch(_ directory: BytePath) -> TargetWatch?
  /// Returns the number of a new scan, greater than all before, in milliseconds since 1970.
  func nextScan() -> Int64
  /// Returns why the folder's files can't be read; nil if at most single ones can't.
  ///
  /// - Parameter probe: returns a file that was read before and has none of the given stamps; nil
  ///   if there is none.
  func hang(probe: (Set<FileStamp>) -> BytePath?) -> String?
  /// Probes a file of a hung folder, to find out whether files can be read again.
  ///
  /// - Parameter probe: returns any file, preferably with none of the given stamps; nil if there is
  ///   none.
  func tryAgain(probe: (Set<FileStamp>) -> BytePath?)
}

struct KernelInstance {
  /// The error number for which there is no instance; nil if there is one.
  var failure: Int32?
  var cookieWatch: Int32?
}

struct TargetWatch {
  var number: Int32
  /// Whether other machines or the kernel itself may change the directory without events.
  var isUntold: Bool
}
