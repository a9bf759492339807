import Glibc
import Platform
import TestSupport
import Testing

@testable import VarlinkServer

@Suite("The watch over the socket's file", .limited)
struct SocketWatchTests {
  private let folder: TemporaryFolder

  init() throws { folder = try TemporaryFolder() }

  @Test("it looks at the beginning and after something was taken out, and not otherwise")
  func looks() throws {
    let looks = Monitor(0)
    let files = ["one", "two"].map { "\(folder.path)/\($0)" }
    for file in files { close(open(file, O_CREAT | O_WRONLY, 0o644)) }
    let watch = try SocketWatch(directory: folder.path, retryMilliseconds: .max) {
      looks.withLock { $0 += 1 }
      return true
    }
    #expect(reaches(1, looks))
    for (number, file) in files.enumerated() {
      unlink(file)
      #expect(reaches(number + 2, looks))
    }
    watch.stop()
    // Who is woken for the end may look once more.
    #expect(looks.withLock { $0 } <= 4)
  }

  @Test("a directory that is made by the look is watched at once")
  func makesDirectory() throws {
    let directory = "\(folder.path)/made"
    let looks = Monitor(0)
    let watch = try SocketWatch(directory: directory, retryMilliseconds: .max) {
      mkdir(directory, 0o700)
      looks.withLock { $0 += 1 }
      return true
    }
    #expect(reaches(2, looks))
    rmdir(directory)
    #expect(reaches(4, looks))
    watch.stop()
  }

  @Test("what could not be made again is tried again after a while, until it is there")
  func tries() throws {
    let looks = Monitor(0)
    let watch = try SocketWatch(directory: folder.path, retryMilliseconds: 1) {
      looks.withLock { looks in
        looks += 1
        return looks > 5
      }
    }
    #expect(reaches(6, looks))
    watch.stop()
    #expect(looks.withLock { $0 } <= 7)
  }

  @Test("a directory that cannot be watched is looked at again after a while")
  func unwatched() throws {
    let looks = Monitor(0)
    let missing = "\(folder.path)/missing"
    let watch = try SocketWatch(directory: missing, retryMilliseconds: 1) {
      looks.withLock { $0 += 1 }
      return true
    }
    #expect(reaches(10, looks))
    watch.stop()
  }

  @Test("stopping waits for a look that has begun, and none begins after it")
  func stops() throws {
    let (hasBegun, mayEnd, ended) = (Happening(), Happening(), Monitor(0))
    let watch = try SocketWatch(directory: folder.path, retryMilliseconds: 1) {
      hasBegun.happen()
      _ = mayEnd.wait()
      takeAMoment(calls: 10_000)
      ended.withLock { $0 += 1 }
      return false
    }
    #expect(hasBegun.wait())
    mayEnd.happen()
    watch.stop()
    let looks = ended.withLock { $0 }
    #expect(looks > 0)
    watch.stop()
    #expect(ended.withLock { $0 } == looks)
  }

  private func reaches(_ number: Int, _ looks: Monitor<Int>) -> Bool {
    looks.wait(until: Patience.end) { $0 >= number ? true : nil } ?? false
  }
}
