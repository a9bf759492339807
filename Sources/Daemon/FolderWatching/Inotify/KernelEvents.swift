import Platform

/// The kernel's events of the directories that are watched, which are hints to look. `Inotify` asks
/// the kernel; a test puts something in between that loses, repeats and delays what it tells.
protocol KernelEvents: AnyObject {
  /// Readable when there are events.
  var descriptor: Int32 { get }

  /// Watches the very directory that is open, whatever its path leads to meanwhile. A directory
  /// that is watched already keeps its number.
  func add(openDirectory: Int32) throws(SystemCallError) -> Int32

  /// Watches a directory of ours for the files we make there; nil where that is impossible.
  func add(cookies path: UnsafePointer<CChar>) -> Int32?

  func remove(_ watch: Int32)

  /// The next events as the kernel wrote them; false when there are none.
  func read(_ body: (UnsafeRawBufferPointer) -> Void) -> Bool
}
