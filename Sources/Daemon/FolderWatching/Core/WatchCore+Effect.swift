import LibraryModel

extension WatchCore {
  /// What the core wants done, in this order.
  enum Effect {
    // After these the core waits for an input.

    /// Opens a directory, by its absolute path: `Input.opened`.
    case open(BytePath, isLink: Bool)
    /// Watches and lists the directory that was opened: `Input.listed`.
    case list(Listing)
    /// Makes a file in the directory of cookies: `Input.cookie`.
    case makeCookie([UInt8])
    /// Takes in the kernel's events: `Input.events`, then `Input.tookIn`.
    case takeEvents
    /// Takes in all that came: events, hangs, answers and requests, then `Input.tookIn`.
    case takeAll
    /// Asks the library what it knows: `Input.library`.
    case askLibrary

    // These are just done.

    case unwatch(Int32)
    case read(ReadRequest)
    /// What was asked to be read is wanted no longer.
    case forgetReads
    case report([BytePath: FileProblem?])
    case merge(FolderContents)
    case tell(WatchState)
    case willScan(ScanReason)
    case cover(CoverDigest?, BytePath)
    /// Tells clients, by the numbers of their completions, how far a full scan has come.
    case progress([Int], WatchState.Progress)
    case answer([Int])
    case trace(Trace.Step)
  }
}

/// How a directory is to be listed.
struct Listing {
  /// In the music folder.
  var path: BytePath
  /// Nil: it gets no watch.
  var isWatched: Bool
  var ignoring: Ignoring
}
