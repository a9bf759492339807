import LibraryModel
import Platform

@testable import FolderWatching

/// Answers the core instead of the kernel: nothing is mounted, and no path leads anywhere but the
/// music folder's.
final class StandInKernel: FolderKernel {
  static let identity = FileIdentity(fileSystem: 1, inode: 2, birth: 3)

  var isThere = true
  var watchFailure: Int32?
  private(set) var hasEvents = false
  private var scanCount: Int64 = 0

  func root() -> RootStatus { isThere ? .there(Self.identity) : .away(reason: "it is not there") }
  func status(of path: BytePath) -> FileStatus? { nil }
  func stamp(of path: BytePath) -> FileStamp? { nil }
  func resolved(_ path: BytePath) -> BytePath? { nil }
  func target(of path: BytePath) -> BytePath { path }
  func mountTable() -> [UInt8]? { nil }
  func haveMountsChanged() -> Bool { false }

  func openEvents() -> KernelInstance {
    hasEvents = watchFailure == nil
    return KernelInstance(failure: watchFailure, cookieWatch: hasEvents ? 1 : nil)
  }

  func closeEvents() { hasEvents = false }
  func watch(_ directory: BytePath) -> TargetWatch? { nil }

  func nextScan() -> Int64 {
    scanCount += 1
    return scanCount
  }

  func hang(probe: (Set<FileStamp>) -> BytePath?) -> String? { nil }
  func tryAgain(probe: (Set<FileStamp>) -> BytePath?) {}
}
