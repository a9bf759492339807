import LibraryModel
import Platform

/// Checks whether the music folder is present.
extension WatchCore {
  /// Checks the root. Called before every round, and again before files are reported as vanished.
  @discardableResult
  mutating func checkRoot() -> Bool {
    if let hang = hang() {
      follow(rootWatch.hangs(hang, at: now), hangs: true)
      kernel.tryAgain { tree.anyFile(besides: $0) }
      return false
    }
    let (known, kernel) = (tree, kernel)
    let transition = rootWatch.checked(
      kernel.root(), isOnline: isOnline, at: now, name: known.root.display
    ) { Self.sample(of: known, kernel) }
    follow(transition)
    return isOnline
  }

  /// Returns why the folder must not be accessed any more, whatever the kernel still has cached.
  private mutating func hang() -> String? { kernel.hang { tree.readSong(besides: $0) } }

  /// Checks whether a read or call is stuck in the folder, or has come back.
  mutating func checkHang() {
    let hang = hang()
    follow(rootWatch.noteHang(hang, isOnline: isOnline, at: now), hangs: hang != nil)
  }

  mutating func follow(_ transition: RootWatch.Transition, hangs: Bool = false) {
    switch transition {
    case .stays: break
    case .came: comeOnline(because: .cameBack)
    case .away(let reason): goOffline(reason, hangs: hangs)
    case .replaced:
      goOffline("", hangs: false)
      comeOnline(because: .replaced)
    }
  }

  private mutating func comeOnline(because reason: ScanReason) {
    let isStart = if case .unknown = presence { true } else { false }
    presence = .online
    session = Session(settings, because: isStart ? .start : reason)
    if let real = kernel.resolved(tree.root), real != rootWatch.resolved {
      rootWatch.resolved = real
      readMounts()
    }
    session.watching.opened(kernel.openEvents())
  }

  private mutating func goOffline(_ reason: String, hangs: Bool) {
    defer { presence = .offline(reason: reason) }
    guard isOnline else { return }
    dropBatch()
    tree.folderWent()
    reads.forgetAll(hangs: hangs)
    emit(.forgetReads)
    kernel.closeEvents()
    session = Session(settings, because: .cameBack)
  }

  /// Counts how many of up to a hundred known paths, evenly spread, exist.
  static func sample(of tree: Tree, _ kernel: any FolderKernel) -> (tried: Int, there: Int) {
    let sample = tree.sampleOfSongs()
    return (sample.count, sample.count { kernel.status(of: $0) != nil })
  }

  /// Handles a wake-up of the machine: another one may have changed a drive meanwhile.
  mutating func wokeUp() {
    scanAll(because: .wokeUp)
    rootWatch.probeNow()
  }

  /// Requests a full scan. A folder that is offline is fully scanned when it returns anyway.
  mutating func scanAll(because reason: ScanReason) {
    if isOnline { session.agenda.scanAll(because: reason) }
  }
}

/// The reason for a folder from which a call doesn't come back.
let noAnswer = "it doesn't answer: the drive or server behind it hangs"
