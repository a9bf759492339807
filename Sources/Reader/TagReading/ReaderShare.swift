package import LibraryModel
import Platform

/// One folder's part in a pool: its files wait in a queue of their own, and are read as the other
/// folders' are, however many they have, and whether their files answer or not.
package final class ReaderShare: Sendable {
  private let queue: Monitor<ReaderQueue>
  private let wakeUp: WakeUp
  private let waitingMost: Int
  private let id: ShareID

  init(
    in queue: Monitor<ReaderQueue>, of folder: BytePath, _ wakeUp: WakeUp, waitingMost: Int
  ) {
    self.queue = queue
    self.wakeUp = wakeUp
    self.waitingMost = waitingMost
    id = queue.withLock { $0.share(of: folder) }
  }

  deinit { queue.withLock { $0.leave(id) } }

  /// Has the file's tags and sound read. Waits while `limits.waitingMost` files of the folder wait.
  ///
  /// The completion is called exactly once, on the pool's thread: it must be quick, must not close
  /// the file, which may hang, and must not call `read`, which could wait for itself. The pool
  /// doesn't ask whether the file changed while it was read: compare stamps afterwards. After
  /// `shutDown` a file is a problem at once.
  ///
  /// - Parameters:
  ///   - descriptor: has to stay open until the completion.
  ///   - stamp: the file's, by which one that keeps its reader is known again.
  ///   - pathExtension: in lower case, without a dot; only a hint.
  ///   - isTrial: whether it is only to show whether the folder's files can be read. It goes before
  ///     all others, is tried once, and doesn't wait for room: the caller has one at a time.
  package func read(
    _ descriptor: Int32, stamp: FileStamp, pathExtension: String, isTrial: Bool = false,
    completion: @escaping @Sendable (ReadOutcome) -> Void
  ) {
    enter(
      FileToRead(
        descriptor, .song(completion), stamp: stamp, pathExtension: pathExtension, id,
        isTrial: isTrial))
  }

  /// Has the file's front cover read, or the first of its pictures. Like `read` in everything else.
  /// One that takes more than 6 MB, or ends its reader, is none.
  package func readPicture(
    _ descriptor: Int32, stamp: FileStamp, pathExtension: String,
    completion: @escaping @Sendable (PictureOutcome) -> Void
  ) {
    enter(
      FileToRead(descriptor, .picture(completion), stamp: stamp, pathExtension: pathExtension, id))
  }

  /// Has the cover shrunk: that of a song file, or the file itself where it is a JPEG or a PNG.
  /// Like `read` in everything else. One that takes its reader too long, or ends it, is none.
  ///
  /// - Parameter side: of `Thumbnail.sides`; neither side of the outcome is longer.
  package func readThumbnail(
    _ descriptor: Int32, stamp: FileStamp, side: Int, form: Thumbnail.Form = .pixels,
    pathExtension: String, completion: @escaping @Sendable (ThumbnailOutcome) -> Void
  ) {
    precondition(Thumbnail.sides.contains(side), "a thumbnail has a side of 16 to 512")
    enter(
      FileToRead(
        descriptor, .thumbnail(side: side, form: form, completion), stamp: stamp,
        pathExtension: pathExtension, id))
  }

  private func enter(_ file: FileToRead) {
    precondition(file.descriptor >= 0, "a file to read is open")
    let entry = queue.wait { queue -> ReaderQueue.Entry? in
      queue.enter(file, most: waitingMost)
    }
    switch entry {
    case .waiting: break
    case .waitingForSleeper: wakeUp.wake()
    case .refused: file.fail(.interrupted)
    }
  }

  package var health: ShareHealth { queue.withLock { $0.health(of: id) } }

  /// Completes all that waits for a reader, here or on the pool's thread: it was interrupted. What
  /// is being read goes on until it is answered or late, and is not tried again.
  package func giveUp() {
    let files = queue.withLock { $0.giveUp(id) }
    wakeUp.wake()
    for file in files { file.fail(.interrupted) }
  }

  /// A file of the folder was opened, or has told an error, in time.
  package func forgetTimeouts() {
    queue.withLock { queue in
      var health = queue.health(of: id)
      health.forgetTimeouts()
      queue.setHealth(health, of: id)
    }
  }
}
