import LibraryModel

extension WatchCore {
  /// An action that the core requests. Effects are carried out in order.
  enum Effect {
    // After these effects, the core waits for an input.

    /// Opens a directory by its absolute path. Answered by `Input.opened`.
    case open(BytePath, isLink: Bool)
    /// Watches and lists the directory that was opened. Answered by `Input.listed`.
    case list(Listing)
    /// Makes a file in the cookie directory. Answered by `Input.cookie`.
    case makeCookie([UInt8])
    /// Takes in the kernel's events as `Input.events`, then sends `Input.tookIn`.
    case takeEvents
    /// Takes in everything: events, hangs, answers and requests. Then sends `Input.tookIn`.
    case takeAll
    /// Asks the library which files it knows. Answered by `Input.library`.
    case askLibrary

    // These effects need no answer.

    case unwatch(Int32)
    case read(ReadRequest)
    /// Drops the requested reads.
    case forgetReads
    case report([BytePath: FileProblem?])
    case merge(FolderContents)
    case tell(WatchState)
    case willScan(ScanReason)
    case cover(CoverDigest?, BytePath)
    /// Reports the progress of a full scan to clients, by the numbers of their completions.
    case progress([Int], WatchState.Progress)
    case answer([Int])
    case trace(Trace.Step)
  }
}

/// How a directory is to be listed.
struct Listing {
  /// The path in the music folder.
  var path: BytePath
  /// Whether the directory gets a watch.
  var isWatched: Bool
  var ignoring: Ignoring
}
