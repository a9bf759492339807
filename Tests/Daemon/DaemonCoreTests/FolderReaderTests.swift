import FolderWatching
import Glibc
import LibraryModel
import Platform
import TestSupport
import Testing

@testable import DaemonCore
@testable import TagReading

@Suite("A music folder's reader", .limited)
struct FolderReaderTests {
  private let queue = Monitor(ReaderQueue())
  private let folder = BytePath("/music")
  private let stamp = FileStamp(
    identity: FileIdentity(fileSystem: 1, inode: 1, birth: 1), size: 1, modified: 1, changed: 1)

  /// One with a part in a pool that reads nothing.
  private func reader() throws -> FolderReader {
    FolderReader(share: ReaderShare(in: queue, of: folder, try WakeUp(), waitingMost: 8))
  }

  @Test("says of its files how they have answered, and forgets the late ones alone")
  func health() throws {
    let reader = try reader()
    #expect(reader.health == ReadingHealth())
    queue.withLock { [stamp, folder] queue in
      var health = ShareHealth()
      (health.stuckReaders, health.isHeld, health.hasNoReader) = (2, true, true)
      for _ in 0..<3 { health.noteTimeout(of: stamp) }
      queue.setHealth(health, of: queue.share(of: folder))
    }
    #expect(
      reader.health
        == ReadingHealth(
          timeouts: 3, late: [stamp], stuckReaders: 2, isHeld: true, hasNoReader: true))
    reader.forgetTimeouts()
    #expect(
      reader.health == ReadingHealth(stuckReaders: 2, isHeld: true, hasNoReader: true))
  }

  @Test("answers what waits when it gives up")
  func givingUp() throws {
    let reader = try reader()
    let answers = Monitor<[FileProblem]>([])
    let file = OpenFile(owning: open("/dev/null", O_RDONLY | O_CLOEXEC))
    for _ in 0..<2 {
      reader.read(file.descriptor, stamp, "flac", isProbe: false) { outcome in
        if case .problem(let problem) = outcome { answers.withLock { $0.append(problem) } }
      }
    }
    #expect(answers.withLock { $0.isEmpty })
    reader.giveUp()
    #expect(answers.withLock { $0.map(\.kind) } == [.unreadable, .unreadable])
    reader.giveUp()
    #expect(answers.withLock { $0.count } == 2)
  }
}
