import Glibc
import LibraryModel
import Platform

/// The system calls for one music folder, and the detection of those that hang.
final class Kernel: FolderKernel {
  private let path: BytePath
  private let cookies: BytePath
  private let clock: Clock
  private let scanTimes: ScanTimes
  private let reading: FileReading
  private let stuckCalls: StuckCalls
  private let openInstance: () throws(SystemCallError) -> any KernelEvents
  /// Nil if there is no inotify instance.
  private(set) var events: (any KernelEvents)?
  private var mounts: OpenFile?

  init(
    root: BytePath, cookies: BytePath, clock: Clock, scanTimes: ScanTimes, reading: FileReading,
    stuckCalls: StuckCalls,
    openInstance: @escaping () throws(SystemCallError) -> any KernelEvents
  ) {
    path = root
    self.cookies = cookies
    self.clock = clock
    self.scanTimes = scanTimes
    self.reading = reading
    self.stuckCalls = stuckCalls
    self.openInstance = openInstance
  }

  // MARK: Files

  func root() -> RootStatus { RootStatus(path) }

  func status(of path: BytePath) -> FileStatus? {
    path.withCPath { FileStatus(name: $0, followsLinks: true) }
  }

  func stamp(of path: BytePath) -> FileStamp? { path.stamp }

  func resolved(_ path: BytePath) -> BytePath? { path.resolved() }

  func target(of path: BytePath) -> BytePath { BytePath(resolvedPathWaiting(Array(path.bytes))) }

  func makeCookie(_ name: [UInt8]) -> Bool {
    cookies.appending(name).withCPath { path in
      let descriptor = open(path, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0o600)
      guard descriptor >= 0 else { return false }
      close(descriptor)
      unlink(path)
      return true
    }
  }

  // MARK: Mounts

  func openMounts() {
    let descriptor = open("/proc/self/mountinfo", O_RDONLY | O_CLOEXEC)
    if descriptor >= 0 { mounts = OpenFile(owning: descriptor) }
  }

  var mountsDescriptor: Int32 {
    switch mounts {
    case .some(let file): file.descriptor
    case .none: .min
    }
  }

  func haveMountsChanged() -> Bool { isReady(mountsDescriptor, for: POLLPRI | POLLERR, within: 0) }

  func mountTable() -> [UInt8]? {
    let descriptor = open("/proc/self/mountinfo", O_RDONLY | O_CLOEXEC)
    guard descriptor >= 0 else { return nil }
    let file = OpenFile(owning: descriptor)
    var text: [UInt8] = []
    var room = [UInt8](repeating: 0, count: 32 << 10)
    // Bounded: a longer table is cut off, and changes beyond that are found by the next full scan.
    while text.count < 4 << 20 {
      let count = retrying { read(file.descriptor, &room, room.count) }
      guard count > 0 else { break }
      text.append(contentsOf: room.prefix(count))
    }
    return text
  }

  // MARK: Events

  func openEvents() -> KernelInstance {
    do throws(SystemCallError) {
      let events = try openInstance()
      self.events = events
      return KernelInstance(cookieWatch: cookies.withCPath { events.add(cookies: $0) })
    } catch {
      events = nil
      return KernelInstance(failure: error.code)
    }
  }

  func closeEvents() { events = nil }

  /// Returns the events that have arrived. Reads at most as much as the kernel's queue holds; if a
  /// program goes on writing, further events are read the next time.
  func nextEvents() -> [InotifyEvent] {
    var found: [InotifyEvent] = []
    guard let events else { return found }
    for _ in 0..<64 {
      let isMore = events.read { found.append(contentsOf: InotifyEvents(buffer: $0)) }
      if !isMore { break }
    }
    return found
  }

  /// Watches an open directory. Returns nil if there is no instance.
  func watch(_ directory: Int32) -> Result<Int32, SystemCallError>? {
    guard let events else { return nil }
    do throws(SystemCallError) {
      return .success(try events.add(openDirectory: directory))
    } catch {
      return .failure(error)
    }
  }

  func watch(_ directory: BytePath) -> TargetWatch? {
    guard let events else { return nil }
    let flags = O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_NONBLOCK | O_CLOEXEC
    let descriptor = directory.withCPath { path in retrying { open(path, flags) } }
    guard descriptor >= 0 else { return nil }
    let opened = OpenFile(owning: descriptor)
    guard let system = FileSystemStatus(descriptor: opened.descriptor),
      let watch = try? events.add(openDirectory: opened.descriptor)
    else { return nil }
    return TargetWatch(number: watch, isUntold: system.isRemote || system.isOfKernel)
  }

  // MARK: Time and reading

  func nextScan() -> Int64 { scanTimes.next(clock.wall()) }

  func hang(probe: (Set<FileStamp>) -> BytePath?) -> String? {
    if stuckCalls.isStuck(.opener) { return noAnswer }
    return reading.hang(probe: probe)
  }

  func tryAgain(probe: (Set<FileStamp>) -> BytePath?) { reading.tryAgain(probe) }
}
