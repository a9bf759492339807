import FolderWatching
import LibraryModel
import TagReading

/// Reads the files of one music folder with its share of the readers.
struct FolderReader: FileReader {
  let share: ReaderShare

  func read(
    _ descriptor: Int32, _ stamp: FileStamp, _ pathExtension: String, isProbe: Bool,
    _ answer: @escaping @Sendable (ReadOutcome) -> Void
  ) {
    share.read(
      descriptor, stamp: stamp, pathExtension: pathExtension, isProbe: isProbe, completion: answer)
  }

  var health: ReadingHealth {
    let health = share.health
    return ReadingHealth(
      timeouts: health.timeouts, late: health.late, lost: health.lost,
      suspects: health.suspects, stuckReaders: health.stuckReaders, isHeld: health.isHeld,
      hasNoReader: health.hasNoReader)
  }

  func giveUp() { share.giveUp() }
  func forgetTimeouts() { share.forgetTimeouts() }
}
