import Platform

/// The kernel's events for watched directories, which are hints to scan. `Inotify` asks the kernel;
/// tests insert a layer that loses, repeats and delays events.
protocol KernelEvents: AnyObject {
  /// Readable when there are events.
  var descriptor: Int32 { get }

  /// Watches the open directory itself, whatever its path leads to meanwhile. A directory that is
  /// already watched keeps its number.
  func add(openDirectory: Int32) throws(SystemCallError) -> Int32

  /// Watches the cookie directory for new files. Returns nil if that is impossible.
  func add(cookies path: UnsafePointer<CChar>) -> Int32?

  func remove(_ watch: Int32)

  /// Reads the next events as the kernel wrote them. Returns false if there are none.
  func read(_ body: (UnsafeRawBufferPointer) -> Void) -> Bool
}
