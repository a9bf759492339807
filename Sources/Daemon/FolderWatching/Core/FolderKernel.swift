import LibraryModel
import Platform

/// What the core asks in the midst of a decision. Paths are absolute. Tests may answer instead of
/// the kernel.
protocol FolderKernel: AnyObject {
  /// Whether the music folder is there, and which one it is.
  func root() -> RootStatus
  /// What the path leads to; nil: nothing.
  func status(of path: BytePath) -> FileStatus?
  /// The same as a stamp.
  func stamp(of path: BytePath) -> FileStamp?
  /// The path without symbolic links; nil where it leads nowhere.
  func resolved(_ path: BytePath) -> BytePath?
  /// The same, as far as it leads somewhere, and the rest as it is.
  func target(of path: BytePath) -> BytePath
  /// The text of `/proc/self/mountinfo`; nil where it can't be read.
  func mountTable() -> [UInt8]?
  /// Whether that has changed since it was asked last.
  func haveMountsChanged() -> Bool
  /// Opens an inotify instance in place of the one that there may be, and watches the directory of
  /// cookies.
  func openEvents() -> KernelInstance
  func closeEvents()
  /// Watches a directory outside of those that are scanned; nil where that is impossible.
  func watch(_ directory: BytePath) -> TargetWatch?
  /// A number for a scan, which is later than all before, in milliseconds since 1970.
  func nextScan() -> Int64
  /// Why the folder's files can't be read; nil: they can, but for single ones.
  ///
  /// - Parameter probe: a file that was read before, and is none of those; nil: there is none.
  func hang(probe: (Set<FileStamp>) -> BytePath?) -> String?
  /// Reads a file of a folder that hangs, to see whether files can be read by now.
  ///
  /// - Parameter probe: any file, and rather none of those; nil: there is none.
  func tryAgain(probe: (Set<FileStamp>) -> BytePath?)
}

struct KernelInstance {
  /// Why there is none, as an error number.
  var failure: Int32?
  var cookieWatch: Int32?
}

struct TargetWatch {
  var number: Int32
  /// Whether other machines or the kernel itself may change the directory unheard.
  var isUntold: Bool
}
