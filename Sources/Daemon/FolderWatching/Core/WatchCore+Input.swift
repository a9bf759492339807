import LibraryModel
import Platform

extension WatchCore {
  /// What the core hears.
  enum Input {
    /// All that is due by now is to be done.
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
    /// The directory was opened that is to be scanned; what it is.
    case opened(Result<FolderStatus, SystemCallError>)
    /// That directory was watched, if it was to be, and listed.
    case listed(watch: Result<Int32, SystemCallError>?, Result<FolderListing, SystemCallError>)
    /// Whether the cookie was made that was to be.
    case cookie(isMade: Bool)
    /// What the library knows of the folder's files.
    case library([KnownFile])
    /// What had come meanwhile has been taken in.
    case tookIn
  }
}

/// What other threads ask of the watcher's.
enum Request: Sendable {
  case stop
  /// By the number of its completion.
  case sync(Int)
  case rescan(BytePath?, Int)
  case forget([BytePath])
}

extension Request: CustomStringConvertible {
  var description: String {
    switch self {
    case .stop: "stop"
    case .sync: "sync"
    case .rescan(nil, _): "rescan"
    case .rescan(let path?, _): "rescan of \(path.display)"
    case .forget(let paths): "forget \(paths.count) files"
    }
  }
}
