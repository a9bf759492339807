import LibraryModel
import Synchronization

/// Forwards the reports of the watcher's threads until these are left behind. A thread that was
/// stuck in the kernel when watching was stopped may return at any time; its reports are dropped.
final class LeavableReceiver: ContentsReceiver {
  private let receiver: any ContentsReceiver
  private let isLeft = Atomic(false)

  init(_ receiver: any ContentsReceiver) { self.receiver = receiver }

  func leave() { isLeft.store(true, ordering: .releasing) }

  private var isHeard: Bool { !isLeft.load(ordering: .acquiring) }

  func merge(_ contents: FolderContents) {
    if isHeard { receiver.merge(contents) }
  }

  func report(_ problems: [BytePath: FileProblem?]) {
    if isHeard { receiver.report(problems) }
  }

  func willScan(because reason: ScanReason) {
    if isHeard { receiver.willScan(because: reason) }
  }

  func cover(_ cover: CoverDigest?, in folder: BytePath) {
    if isHeard { receiver.cover(cover, in: folder) }
  }

  func folderState(_ state: WatchState) {
    if isHeard { receiver.folderState(state) }
  }
}
