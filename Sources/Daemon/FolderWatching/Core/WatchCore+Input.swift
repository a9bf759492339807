import LibraryModel
import Platform

extension WatchCore {
  /// An input to the core.
  enum Input {
    /// Everything that is due must be done.
    case turn
    case events([InotifyEvent])
    case answers([ReadAnswer])
    case request(Request)
    /// A read or a call may be stuck in the folder, or have come back.
    case checkHang
    /// The watcher itself was stuck in a call, and is back.
    case cameBack
    /// The machine slept, and another one may have changed a drive meanwhile.
    case wokeUp
    case mountsChanged
    /// The directory to be scanned was opened. The value is its status.
    case opened(Result<FolderStatus, SystemCallError>)
    /// The opened directory was watched, if it was to be, and listed.
    case listed(watch: Result<Int32, SystemCallError>?, Result<FolderListing, SystemCallError>)
    /// Whether the requested cookie was made.
    case cookie(isMade: Bool)
    /// The files that the library knows in the folder.
    case library([KnownFile])
    /// All input that had arrived has been taken in.
    case tookIn
  }
}

/// A request from another thread to the watcher's thread.
enum Request: Sendable {
  case stop
  /// A sync, with the number of its completion.
  case sync(Int)
  case rescan(BytePath?, Int)
  case forget([BytePath])
  case remember([KnownFile])
}

extension Request: CustomStringConvertible {
  var description: String {
    switch self {
    case .stop: "stop"
    case .sync: "sync"
    case .rescan(nil, _): "rescan"
    case .rescan(let path?, _): "rescan of \(path.display)"
    case .forget(let paths): "forget \(paths.count) files"
    case .remember(let files): "remember \(files.count) files"
    }
  }
}
