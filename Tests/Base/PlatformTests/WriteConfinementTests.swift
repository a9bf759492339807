import Glibc
import Platform
import TestSupport
import Testing

@Suite("Giving up writing", .limited)
struct WriteConfinementTests {
  let folder: ScratchFolder
  let ours: String
  let other: String

  init() throws {
    folder = try ScratchFolder()
    ours = folder.path + "/ours"
    other = folder.path + "/other"
    for path in [ours, other] { #expect(mkdir(path, 0o700) == 0) }
    #expect(makes(other + "/there"))
  }

  /// On a thread of its own, which alone is confined.
  private func confined<Result: Sendable>(
    _ body: @escaping @Sendable () throws -> Result
  ) throws -> Result {
    let ours = ours
    let outcome = Monitor<Swift.Result<Result, any Error>?>(nil)
    let thread = BlockingThread("confined") {
      let result = Swift.Result {
        try WriteConfinement.enter(writingBelow: [Array(ours.utf8), Array("/nowhere/at/all".utf8)])
        return try body()
      }
      outcome.withLock { $0 = result }
    }
    thread.join()
    return try #require(outcome.withLock { $0 }).get()
  }

  @Test("below the directories everything can be done, files moved between them too")
  func inside() throws {
    let ours = ours
    let done = try confined {
      [
        mkdir(ours + "/a", 0o700) == 0, mkdir(ours + "/b", 0o700) == 0, makes(ours + "/a/file"),
        rename(ours + "/a/file", ours + "/b/file") == 0, truncate(ours + "/b/file", 0) == 0,
        link(ours + "/b/file", ours + "/a/linked") == 0, unlink(ours + "/b/file") == 0,
        rmdir(ours + "/b") == 0, makesSocket(ours + "/socket"),
      ]
    }
    #expect(done == Array(repeating: true, count: 9))
  }

  @Test("elsewhere nothing is made, changed, moved or removed, through no link either")
  func outside() throws {
    let (ours, other) = (ours, other)
    #expect(symlink(other, ours + "/link") == 0)
    let refused = try confined {
      [
        fails { makes(other + "/file") }, fails { makes(ours + "/link/file") },
        fails { opens(other + "/there", O_WRONLY) }, fails { truncate(other + "/there", 1) == 0 },
        fails { mkdir(other + "/folder", 0o700) == 0 }, fails { unlink(other + "/there") == 0 },
        fails { rename(other + "/there", ours + "/there") == 0 },
        fails { link(other + "/there", ours + "/there") == 0 },
        fails { symlink("there", other + "/link") == 0 }, fails { makesSocket(other + "/socket") },
        fails { mkfifo(other + "/pipe", 0o600) == 0 },
      ]
    }
    #expect(refused == Array(repeating: true, count: 11))
    #expect(opens(other + "/there", O_WRONLY), "the other threads are free")
  }

  @Test("reading stays free, and programs that are started are confined too")
  func readingAndPrograms() throws {
    let other = other
    let (isRead, status) = try confined {
      (opens(other + "/there", O_RDONLY), runs("/bin/sh", "-c", "echo >\(other)/there"))
    }
    #expect(isRead)
    #expect(status != 0)
    #expect(runs("/bin/sh", "-c", "echo >\(other)/there") == 0)
  }
}

private func opens(_ path: String, _ flags: Int32) -> Bool {
  let descriptor = open(path, flags | O_CLOEXEC, 0o600)
  if descriptor >= 0 { close(descriptor) }
  return descriptor >= 0
}

private func makes(_ path: String) -> Bool { opens(path, O_WRONLY | O_CREAT | O_EXCL) }

/// For want of permission, and not for another reason.
private func fails(_ body: () -> Bool) -> Bool {
  errno = 0
  return !body() && (errno == EACCES || errno == EXDEV)
}

private func makesSocket(_ path: String) -> Bool {
  let descriptor = socket(AF_UNIX, Int32(SOCK_STREAM.rawValue), 0)
  defer { close(descriptor) }
  var address = sockaddr_un()
  address.sun_family = sa_family_t(AF_UNIX)
  withUnsafeMutableBytes(of: &address.sun_path) { $0.copyBytes(from: path.utf8) }
  return withUnsafePointer(to: address) { address in
    address.withMemoryRebound(to: sockaddr.self, capacity: 1) {
      bind(descriptor, $0, socklen_t(MemoryLayout<sockaddr_un>.size)) == 0
    }
  }
}

/// The exit status.
private func runs(_ words: String...) -> Int32 {
  var process: pid_t = 0
  let arguments = words.map { strdup($0) } + [nil]
  defer { for argument in arguments { free(argument) } }
  guard posix_spawn(&process, words[0], nil, nil, arguments, [nil]) == 0 else { return -1 }
  var status: Int32 = 0
  waitpid(process, &status, 0)
  return status >> 8
}
