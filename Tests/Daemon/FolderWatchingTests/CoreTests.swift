import Glibc
import LibraryModel
import Platform
import TestSupport
import Testing

@testable import FolderWatching

/// Inputs and effects alone: there is neither a folder nor a thread.
@Suite("The core of a watcher", .limited) struct CoreTests {
  private let kernel = StandInKernel()
  private var core: WatchCore
  private let root = BytePath("/music")

  init() {
    core = WatchCore(
      root: root, settings: WatchSettings(cookies: BytePath("/cookies")),
      memory: FolderMemory(isFirstScan: true), known: [], kernel: kernel, name: "1")
  }

  private func listing(_ names: [String] = []) -> FolderListing {
    var listing = FolderListing()
    listing.status = FolderStatus(device: 1, inode: StandInKernel.identity.inode)
    for name in names {
      Array(name.utf8).withUnsafeBufferPointer { listing.append($0, .folder, isLink: false) }
    }
    listing.sort()
    return listing
  }

  /// What is opened, listed or taken in by these effects, in a word each.
  private func steps(_ effects: [WatchCore.Effect]) -> [String] {
    effects.compactMap { effect in
      switch effect {
      case .open(let path, _): "open \(path.display)"
      case .list(let listing): "list \(listing.path.display)"
      case .takeAll: "take all"
      case .takeEvents: "take events"
      case .makeCookie: "make a cookie"
      case .willScan(let reason): "full scan: \(reason)"
      case .tell(let state): "\(state.mode)"
      case .merge(let contents): contents.endsFirstScan ? "the first scan ends" : "merge"
      case .answer(let numbers): "answer \(numbers)"
      case .forgetReads: "forget reads"
      default: nil
      }
    }
  }

  private mutating func handle(_ input: WatchCore.Input, at now: Int64 = 0) -> [String] {
    steps(core.handle(input, at: now))
  }

  private mutating func scan(_ names: [String] = [], watch: Int32 = 2) -> [String] {
    handle(.opened(.success(listing().status)))
      + handle(.listed(watch: .success(watch), .success(listing(names))))
  }

  @Test("a turn is effects, each of which is answered before the next is wanted")
  mutating func turn() {
    #expect(handle(.turn) == ["full scan: the daemon has started", "open /music"])
    let watching = "\(WatchState.Mode.watching)"
    #expect(scan() == ["list ", watching, "the first scan ends", watching])
    // There is nothing to do for an hour.
    #expect(core.nextTime(at: 0) == 3_600 * seconds && handle(.turn, at: 1) == [])
    #expect(core.handle(.turn, at: 3_600 * seconds).count > 0)
  }

  @Test("what comes is taken in after 16 directories, and the walk goes on")
  mutating func between() {
    _ = handle(.turn)
    let names = (10..<40).map { "\($0)" }
    #expect(scan(names).last == "open /music/10")
    for number in 10..<24 {
      var status = FolderStatus(device: 1)
      status.inode = UInt64(number)
      #expect(handle(.opened(.success(status))) == ["list \(number)"])
      var found = FolderListing()
      found.status = status
      let next = handle(.listed(watch: .success(Int32(number)), .success(found)))
      #expect(next == ["open /music/\(number + 1)"])
    }
    #expect(handle(.opened(.failure(SystemCallError("open", "", code: EACCES)))) == ["take all"])
    #expect(handle(.request(.sync(7))) == [])
    #expect(handle(.tookIn).last == "open /music/25")
  }

  @Test("a folder that goes leaves nothing of its session behind, and is looked for")
  mutating func going() {
    _ = handle(.turn)
    _ = scan()
    #expect(kernel.hasEvents)
    kernel.isThere = false
    let event = InotifyEvent(watch: 2, mask: UInt32(IN_DELETE_SELF), cookie: 0, name: [])
    #expect(handle(.events([event]), at: 1) == [])
    #expect(
      handle(.turn, at: 1) == [
        "forget reads", "\(WatchState.Mode.offline(reason: "it is not there"))",
      ])
    #expect(!core.isOnline && !kernel.hasEvents)
    #expect(core.nextTime(at: 1) == 5 * seconds + 1)
    // A client that waits is answered: nothing can be seen.
    _ = handle(.request(.sync(7)), at: 2)
    #expect(handle(.turn, at: 2) == ["answer [7]"])
    kernel.isThere = true
    #expect(
      handle(.turn, at: 6 * seconds) == ["full scan: it is there again", "open /music"])
  }

  @Test("a sync is a cookie, the events before it, and a scan of what they made dirty")
  mutating func sync() {
    _ = handle(.turn)
    _ = scan()
    _ = handle(.request(.sync(7)), at: 1)
    #expect(handle(.turn, at: 1) == ["make a cookie"])
    #expect(handle(.cookie(isMade: true), at: 1) == ["take events"])
    let events = [
      InotifyEvent(watch: 2, mask: UInt32(IN_DELETE), cookie: 0, name: Array("1.mp3".utf8)),
      InotifyEvent(watch: 1, mask: UInt32(IN_CREATE), cookie: 0, name: core.waiters.cookie),
    ]
    #expect(handle(.events(events), at: 1) == [])
    #expect(handle(.tookIn, at: 1) == ["open /music"])
    #expect(scan() == ["list ", "answer [7]"])
  }
}
