import CratesInterface
import Glibc
import LibraryModel
import Platform
import ProgramSupport
import TestSupport
import Testing

@testable import DaemonCore

@Suite("What a daemon takes over at its start", .serialized, .limited)
struct OwnershipTests {
  private let home: Home
  private var store: BytePath { BytePath(home.store) }

  init() throws {
    home = try Home()
    try makeDirectories(Array(home.store.utf8))
  }

  @Test("A socket that was passed to it is listened at, and stays behind it")
  func passedSocket() throws {
    try home.folder.makeFolder("run/crated")
    let type = Int32(SOCK_STREAM.rawValue) | Int32(SOCK_CLOEXEC.rawValue)
    let socket = OpenFile(owning: Glibc.socket(AF_UNIX, type, 0))
    let bound = withSocketAddress(home.socket) { bind(socket.descriptor, $0, $1) }
    try #require(bound == 0 && listen(socket.descriptor, 16) == 0)
    try SmallLibrary.write(albums: 1, to: home.music)
    let living = try LivingDaemon(home, socket: fcntl(socket.descriptor, F_DUPFD_CLOEXEC, 0))
    let client = try CratesClient(home)
    try client.sync()
    #expect(try client.albums().map(\.title) == ["Album 0"])
    try living.stop()
    // Clients wait in it for the next daemon.
    _ = try RawClient(home)
  }

  /// Locks of the store whose owner is dead, and which another program holds until it is told to
  /// let go; and the owner.
  private func orphanedLocks() throws -> (holder: RunningProgram, owner: String) {
    let script = """
      import fcntl, os, sys
      owner = os.fork()
      if owner == 0:
          lock = os.open(sys.argv[1] + "/lock", os.O_RDWR | os.O_CREAT)
          folder = os.open(sys.argv[1], os.O_RDONLY)
          for file in (lock, folder): fcntl.flock(file, fcntl.LOCK_EX)
          os.write(lock, b"%d\\n" % os.getpid())
          if os.fork() == 0:
              sys.stdin.readline()
              for file in (lock, folder): os.close(file)
          os._exit(0)
      os.waitpid(owner, 0)
      print(owner, flush=True)
      """
    let holder = try RunningProgram(
      "/usr/bin/python3", ["-c", script, home.store], environment: home.environment,
      errors: home.log,
      takesInput: true)
    return (holder, try #require(try holder.nextLine()))
  }

  @Test("A dead owner's lock is waited for as long as a second, and then somebody owns the store")
  func heldOn() throws {
    let (holder, owner) = try orphanedLocks()
    let readings = Monitor<[Int64]>([1_000, 1_000_000_999, 1_000_001_000, 7])
    let clock = Clock(
      monotonic: { readings.withLock { $0.isEmpty ? .max : $0.removeFirst() } },
      wall: Clock.system.wall)
    let refused = try #require(throws: DaemonFailure.self) { _ = try Daemon.claim(store, clock) }
    #expect(refused.status == DaemonFailure.owned)
    #expect(
      refused.description
        == "the crated with process id \(owner) owns the store \(home.store): use that one, or stop"
        + " it first")
    // Nobody asks for the time again.
    #expect(readings.withLock { $0 } == [7])
    withExtendedLifetime(holder) {}
  }

  @Test("A dead owner's lock that is let go is taken")
  func letGo() throws {
    let holder = try orphanedLocks().holder
    let tries = Monitor(0)
    let taken = Monitor<FileLock?>(nil)
    let clock = Clock(
      monotonic: {
        tries.withLock { $0 += 1 }
        return 0
      }, wall: Clock.system.wall)
    let claiming = BlockingThread("claiming") { [store] in
      let lock = try? Daemon.claim(store, clock)
      taken.withLock { $0 = lock }
    }
    tries.wait { $0 < 3 ? nil : () }
    #expect(taken.withLock { $0 == nil })
    try holder.tell("")
    #expect(try holder.end() == 0)
    claiming.join()
    #expect(taken.withLock { $0?.isIntact } == true)
  }

  @Test("What lies where the lock file ought to be is no other crated")
  func noLockFile() throws {
    try home.folder.makeFolder("data/crated/lock")
    let refused = try #require(throws: DaemonFailure.self) { _ = try Daemon.claim(store) }
    #expect(refused.status == DaemonFailure.unusableStore)
    #expect(refused.description.hasPrefix("the store can't be locked ("))
    #expect(refused.description.hasSuffix("): check the directory and the disk"))
  }
}
