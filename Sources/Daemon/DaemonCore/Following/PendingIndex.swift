import LibraryIndex
import LibraryModel

/// What the index has yet to be told, and when. Times are nanoseconds of the monotonic clock.
struct PendingIndex {
  /// From a change to the writing of the order. Changes within it are written together: during a
  /// first scan, rows would else be written thousands of times.
  static let orderLag: Int64 = 1_000_000_000
  /// From a piece of a first scan to the writing, which is put off with every piece: reading goes
  /// before.
  static let scanLag: Int64 = 2_000_000_000
  /// Files that are held back at most.
  static let mostHeld = 100_000
  /// After an order that could not be written.
  static let retryDelay: Int64 = 60_000_000_000

  /// By path, so that it can't grow past the library; nil: the file is not known any longer.
  private(set) var files: [BytePath: IndexedFile?] = [:]
  /// The newest: what came between is not written.
  private(set) var library: Library?
  /// Whose songs changed on the way to it.
  private(set) var albums: Set<AlbumID> = []
  /// When the library is to be written.
  private(set) var orderDue = Int64.max
  /// After a failure.
  private(set) var notBefore = Int64.min
  /// During a first scan: until then nothing is written.
  private(set) var heldUntil = Int64.min
  var isStopping = false
  /// How often somebody asked for all to be written, and which of them have been answered.
  var asked = 0
  var answered = 0
  /// What was written last, as far as it can be used.
  var index: LibraryIndex?

  /// When there is something to do, if nothing comes in till then.
  var due: Int64 { heldUntil == .min ? orderDue : heldUntil }

  /// What is told of files; nil: one is not known any longer.
  mutating func note(_ files: some Sequence<(BytePath, IndexedFile?)>) {
    for (path, file) in files { self.files[path] = .some(file) }
  }

  static func byPath(_ files: [IndexedFile]) -> [BytePath: IndexedFile?] {
    Dictionary(files.lazy.map { ($0.path, $0) }) { $1 }
  }

  /// What was to be told before all that has been.
  mutating func note(older: consuming [BytePath: IndexedFile?]) {
    for (path, file) in files { older[path] = .some(file) }
    files = older
  }

  /// More of a first scan is to follow at once, or is not.
  mutating func hold(_ isScanning: Bool, now: Int64) {
    heldUntil = isScanning ? now + Self.scanLag : .min
  }

  /// The order is another one, in the songs of these albums and in what is above them.
  mutating func note(_ library: Library, _ albums: Set<AlbumID>, now: Int64) {
    self.library = library
    self.albums.formUnion(albums)
    orderDue = min(orderDue, max(now + Self.orderLag, notBefore))
  }

  /// All of the library differs, or may: what is newer than it was noted already.
  ///
  /// - Parameter lag: until it is to be written, but after a failure.
  mutating func follow(_ library: Library, lag: Int64 = orderLag, now: Int64) {
    self.library = self.library ?? library
    orderDue = min(orderDue, max(now + lag, notBefore))
  }

  /// The index could not be written, or opened: that is tried again later.
  mutating func fail(_ library: Library, now: Int64) {
    notBefore = now + Self.retryDelay
    self.library = self.library ?? library
    orderDue = notBefore
  }

  /// What is to be written now; nil as long as there is nothing and the time to wait for is the
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
