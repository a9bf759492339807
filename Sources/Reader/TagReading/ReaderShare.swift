package import LibraryModel
import Platform

/// One folder's share of a pool. Its files wait in a queue of their own. The folders are served
/// equally, however many files they have, and whether or not their files answer.
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

  /// Requests the tags and the sound of a file. Blocks while `limits.waitingMost` files of the
  /// folder wait.
  ///
  /// The completion is called exactly once, on the pool's thread. It must be quick, must not close
  /// the file, which may hang, and must not call `read`, which could wait for itself. The pool
  /// doesn't check whether the file changed while it was read: compare stamps afterwards. After
  /// `shutDown`, a file gets a problem at once.
  ///
  /// - Parameters:
  ///   - descriptor: must stay open until the completion.
  ///   - stamp: the file's stamp, by which a file that keeps its reader is recognized.
  ///   - pathExtension: in lower case, without a dot; only a hint.
  ///   - isProbe: whether this is a probe, which only shows whether the folder's files can be read.
  ///     It goes before all others, is tried once, and doesn't wait for room. The caller has one at
  ///     a time.
  package func read(
    _ descriptor: Int32, stamp: FileStamp, pathExtension: String, isProbe: Bool = false,
    completion: @escaping @Sendable (ReadOutcome) -> Void
  ) {
    enter(
      FileToRead(
        descriptor, .song(completion), stamp: stamp, pathExtension: pathExtension, id,
        isProbe: isProbe))
  }

  /// Requests the file's front cover, or the first of its pictures. Otherwise like `read`. A
  /// picture that is larger than 6 MB, or that ends its reader, counts as none.
  package func readPicture(
    _ descriptor: Int32, stamp: FileStamp, pathExtension: String,
    completion: @escaping @Sendable (PictureOutcome) -> Void
  ) {
    enter(
      FileToRead(descriptor, .picture(completion), stamp: stamp, pathExtension: pathExtension, id))
  }

  /// Requests a shrunk cover: that of a song file, or the file itself if it is a JPEG or a PNG.
  /// Otherwise like `read`. A picture that takes its reader too long, or ends it, counts as none.
  ///
  /// - Parameter side: one of `Thumbnail.sides`; neither side of the result is longer.
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

  /// Completes all files that wait for a reader, here or on the pool's thread, as interrupted. A
  /// file that is being read goes on until it is answered or late, and is not tried again.
  package func giveUp() {
    let files = queue.withLock { $0.giveUp(id) }
    wakeUp.wake()
    for file in files { file.fail(.interrupted) }
  }

  /// Resets the timeouts. Called when a file of the folder was opened, or failed to open, in time.
  package func forgetTimeouts() {
    queue.withLock { queue in
      var health = queue.health(of: id)
      health.forgetTimeouts()
      queue.setHealth(health, of: id)
    }
  }
}
