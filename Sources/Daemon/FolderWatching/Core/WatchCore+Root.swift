import LibraryModel
import Platform

/// Whether the music folder is there.
extension WatchCore {
  /// Asked before every round, and again before anything is told to have vanished.
  @discardableResult
  mutating func checkRoot() -> Bool {
    if let hang = hang() {
      follow(rootWatch.hangs(hang, at: now), hangs: true)
      kernel.tryAgain { tree.anyFile(besides: $0) }
      return false
    }
    let (known, kernel) = (tree, kernel)
    let turn = rootWatch.checked(
      kernel.root(), isOnline: isOnline, at: now, name: known.root.display
    ) { Self.sample(of: known, kernel) }
    follow(turn)
    return isOnline
  }

  /// Why nothing more is asked of the folder, whatever the kernel still knows of it.
  private mutating func hang() -> String? { kernel.hang { tree.readSong(besides: $0) } }

  /// A read or a call may be stuck in the folder, or have come back.
  mutating func checkHang() {
    let hang = hang()
    follow(rootWatch.noteHang(hang, isOnline: isOnline, at: now), hangs: hang != nil)
  }

  mutating func follow(_ turn: RootWatch.Turn, hangs: Bool = false) {
    switch turn {
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

  /// Up to a hundred known paths, evenly spread: how many of them are there.
  static func sample(of tree: Tree, _ kernel: any FolderKernel) -> (tried: Int, there: Int) {
    let sample = tree.sampleOfSongs()
    return (sample.count, sample.count { kernel.status(of: $0) != nil })
  }

  /// The machine slept, and another one may have changed a drive meanwhile.
  mutating func wokeUp() {
    scanAll(because: .wokeUp)
    rootWatch.probeNow()
  }

  /// A folder that is away is scanned as a whole when it comes.
  mutating func scanAll(because reason: ScanReason) {
    if isOnline { session.agenda.scanAll(because: reason) }
  }
}

/// Of a folder from which a call doesn't come back.
let noAnswer = "it doesn't answer: the drive or server behind it hangs"
