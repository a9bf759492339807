import LibraryModel
import Synchronization

/// Passes on what the watcher's threads say until they are left behind: one that hung in the kernel
/// when the watching was stopped may come back at any time, and has nothing to say any more.
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
