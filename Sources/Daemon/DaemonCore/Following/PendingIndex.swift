import LibraryIndex
import LibraryModel

/// The pending writes of the index, and when they are due. Times are monotonic nanoseconds.
struct PendingIndex {
  /// The delay from a change to writing the order. Changes within it are written together;
  /// otherwise a first scan would write rows thousands of times.
  static let orderLag: Int64 = 1_000_000_000
  /// The delay from a part of a first scan to the write. Each part postpones it, since reading has
  /// priority.
  static let scanLag: Int64 = 2_000_000_000
  /// The maximum number of files held back.
  static let mostHeld = 100_000
  /// The delay after an order that could not be written.
  static let retryDelay: Int64 = 60_000_000_000

  /// The facts by path, which bounds them by the library; nil for a file that is no longer known.
  private(set) var files: [BytePath: IndexedFile?] = [:]
  /// The newest library. Those in between are not written.
  private(set) var library: Library?
  /// The albums whose songs changed since the written order.
  private(set) var albums: Set<AlbumID> = []
  /// The time at which the library is due.
  private(set) var orderDue = Int64.max
  /// The earliest time for a retry after a failure.
  private(set) var notBefore = Int64.min
  /// The time until which nothing is written during a first scan.
  private(set) var heldUntil = Int64.min
  var isStopping = false
  /// The number of requests to write everything, and how many of them were answered.
  var asked = 0
  var answered = 0
  /// The index as it was written last, if it is usable.
  var index: LibraryIndex?

  /// The time at which something is to be done if nothing else comes in.
  var due: Int64 { heldUntil == .min ? orderDue : heldUntil }

  /// Records facts about files; nil for a file that is not known any more.
  mutating func note(_ files: some Sequence<(BytePath, IndexedFile?)>) {
    for (path, file) in files { self.files[path] = .some(file) }
  }

  static func byPath(_ files: [IndexedFile]) -> [BytePath: IndexedFile?] {
    Dictionary(files.lazy.map { ($0.path, $0) }) { $1 }
  }

  /// Records facts that are older than all recorded ones.
  mutating func note(older: consuming [BytePath: IndexedFile?]) {
    for (path, file) in files { older[path] = .some(file) }
    files = older
  }

  /// Holds files back while a first scan goes on; releases them at its end.
  mutating func hold(_ isScanning: Bool, now: Int64) {
    heldUntil = isScanning ? now + Self.scanLag : .min
  }

  /// Records a new order. These albums differ in their songs, or in what is above those.
  mutating func note(_ library: Library, _ albums: Set<AlbumID>, now: Int64) {
    self.library = library
    self.albums.formUnion(albums)
    orderDue = min(orderDue, max(now + Self.orderLag, notBefore))
  }

  /// Records that all of the library may differ. A newer library that is recorded already stays.
  ///
  /// - Parameter lag: The delay of the write, unless a retry comes later.
  mutating func follow(_ library: Library, lag: Int64 = orderLag, now: Int64) {
    self.library = self.library ?? library
    orderDue = min(orderDue, max(now + lag, notBefore))
  }

  /// Schedules a retry after the index could not be opened or written.
  mutating func fail(_ library: Library, now: Int64) {
    notBefore = now + Self.retryDelay
    self.library = self.library ?? library
    orderDue = notBefore
  }

  /// Removes and returns what is due. Returns nil if nothing is, and the time to wait for is the
  /// same.
  mutating func take(due: Int64, now: Int64) -> PendingIndex? {
    let isAsked = asked > answered
    if heldUntil <= now || isAsked || isStopping || files.count >= Self.mostHeld {
      heldUntil = .min
    }
    let isOrderDue = orderDue <= now || isStopping || (isAsked && notBefore <= now)
    var taken = self
    if heldUntil != .min {
      if self.due == due { return nil }
      (taken.files, taken.library, taken.albums) = ([:], nil, [])
      return taken
    }
    if files.isEmpty, !isOrderDue, !isAsked, orderDue == due { return nil }
    files = [:]
    if isOrderDue {
      (library, albums, orderDue) = (nil, [], .max)
    } else {
      (taken.library, taken.albums) = (nil, [])
    }
    return taken
  }
}
