import Glibc
import Platform
import TestSupport

@testable import FolderWatching

/// Stands between the kernel's queue and the watcher: takes every event as soon as there is one,
/// and hands them on as a schedule wants. What it holds back, it holds back in the kernel's order,
/// but for events of different directories, and never overtakes a cookie or an overflow.
final class ScheduledKernel: KernelEvents {
  struct Rules {
    /// Events that are kept; beyond it they are lost, as the kernel loses them.
    var capacity = Int.max
    var repeats = 0.0
    var shuffles = 0.0
    /// How often an event comes that belongs to no watch of ours.
    var strangers = 0.0
    /// Watches that there are.
    var limit = Int.max
    var hasInstance = true
  }

  struct Counts {
    var told = 0
    var lost = 0
    var repeated = 0
    var shuffled = 0
    var strange = 0
    var refused = 0
    var looks = 0

    static func += (left: inout Counts, right: Counts) {
      left.told += right.told
      left.lost += right.lost
      left.repeated += right.repeated
      left.shuffled += right.shuffled
      left.strange += right.strange
      left.refused += right.refused
      left.looks += right.looks
    }
  }

  var rules = Rules()
  var counts = Counts()
  /// How many events are told before the next change of this.
  var allowance = Int.max
  /// Called while a directory is looked at, before or after it is watched.
  var interrupt: () -> Void = {}
  private let kernel: Inotify
  private var numbers: SeededGenerator
  var queue: [InotifyEvent] = []
  private var watches: Set<Int32> = []
  private var cookieWatch: Int32?

  init(_ kernel: Inotify, numbers: SeededGenerator) {
    self.kernel = kernel
    self.numbers = numbers
  }

  /// The kernel as if it were new: nothing is watched, and there are no events.
  func open() throws(SystemCallError) -> ScheduledKernel {
    for watch in watches { kernel.remove(watch) }
    if let cookieWatch { kernel.remove(cookieWatch) }
    take()
    watches = []
    cookieWatch = nil
    queue = []
    guard rules.hasInstance else { throw SystemCallError("inotify_init1", "", code: EMFILE) }
    return self
  }

  var hasNews: Bool {
    take()
    return !queue.isEmpty
  }

  /// Takes over what the kernel has to tell.
  func take(leavingOut refused: Int32? = nil) {
    var isMore = true
    while isMore {
      isMore = kernel.read { buffer in
        for event in InotifyEvents(buffer: buffer) where event.watch != refused { keep(event) }
      }
    }
  }

  /// Now and then there is an event that means nothing.
  func addStranger() {
    guard rules.strangers > 0, isTime(rules.strangers) else { return }
    counts.strange += 1
    keep(stranger())
  }

  private func keep(_ event: InotifyEvent) {
    if event.has(Int32(IN_IGNORED)) { watches.remove(event.watch) }
    guard queue.count >= rules.capacity else { return queue.append(event) }
    counts.lost += 1
    // One event of an overflow stays where it is in the queue until it is read.
    if !queue.contains(where: \.isOverflow) {
      queue.append(InotifyEvent(watch: -1, mask: UInt32(IN_Q_OVERFLOW), cookie: 0, name: []))
    }
  }

  private func stranger() -> InotifyEvent {
    let masks = [IN_CREATE, IN_DELETE, IN_MOVED_FROM, IN_MOVED_TO, IN_CLOSE_WRITE, IN_IGNORED]
    let mask = UInt32(masks.randomElement(using: &numbers) ?? IN_CREATE)
    let isOfItself = mask == UInt32(IN_IGNORED)
    return InotifyEvent(
      watch: 1 << 30, mask: mask, cookie: 0, name: isOfItself ? [] : Array("1.mp3".utf8))
  }

  private func isTime(_ probability: Double) -> Bool {
    Double.random(in: 0..<1, using: &numbers) < probability
  }

  // MARK: The watcher's side

  var descriptor: Int32 { kernel.descriptor }

  func add(openDirectory: Int32) throws(SystemCallError) -> Int32 {
    counts.looks += 1
    interrupt()
    let watch = try kernel.add(openDirectory: openDirectory)
    if !watches.contains(watch), watches.count >= rules.limit {
      counts.refused += 1
      kernel.remove(watch)
      take(leavingOut: watch)
      throw SystemCallError("inotify_add_watch", "", code: ENOSPC)
    }
    watches.insert(watch)
    interrupt()
    return watch
  }

  func add(cookies path: UnsafePointer<CChar>) -> Int32? {
    cookieWatch = kernel.add(cookies: path)
    return cookieWatch
  }

  func remove(_ watch: Int32) {
    watches.remove(watch)
    kernel.remove(watch)
  }

  func read(_ body: (UnsafeRawBufferPointer) -> Void) -> Bool {
    take()
    let most = min(allowance, queue.count, Int.random(in: 1...8, using: &numbers))
    guard most > 0 else { return false }
    var bytes: [UInt8] = []
    for _ in 0..<most { append(nextEvent(), to: &bytes) }
    allowance -= most
    counts.told += most
    bytes.withUnsafeBytes(body)
    return true
  }

  private func nextEvent() -> InotifyEvent {
    let barrier = queue.firstIndex { $0.isOverflow || $0.watch == cookieWatch } ?? queue.count
    var place = 0
    if barrier > 1, rules.shuffles > 0, isTime(rules.shuffles) {
      // The first event of some directory.
      let watch = queue[Int.random(in: 0..<barrier, using: &numbers)].watch
      place = queue.firstIndex { $0.watch == watch } ?? 0
      if place > 0 { counts.shuffled += 1 }
    }
    let event = queue.remove(at: place)
    if place < barrier, rules.repeats > 0, isTime(rules.repeats) {
      counts.repeated += 1
      queue.insert(event, at: Int.random(in: 0..<barrier, using: &numbers))
    }
    return event
  }

  private func append(_ event: InotifyEvent, to bytes: inout [UInt8]) {
    let room = event.name.isEmpty ? 0 : (event.name.count / 16 + 1) * 16
    let head = [
      UInt32(bitPattern: event.watch), event.mask, event.cookie, UInt32(room),
    ]
    head.withUnsafeBytes { bytes.append(contentsOf: $0) }
    bytes.append(contentsOf: event.name)
    bytes.append(contentsOf: repeatElement(0, count: room - event.name.count))
  }
}
