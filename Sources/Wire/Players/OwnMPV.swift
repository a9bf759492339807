import Glibc
import Platform

/// The mpv that Crated starts. At most one runs.
///
/// The mpv inherits a lock, which the kernel releases when mpv ends in any way. A process that gets
/// the lock may start an mpv. A process that doesn't finds the running one by its socket, even if
/// the process that started it has crashed.
package struct OwnMPV {
  let socket: String
  private let folder: String
  private let lock: String
  /// The pause between two attempts, in milliseconds.
  private static let pause: Int32 = 20
  /// The time that an mpv has to start or to end, in nanoseconds.
  private static let patience: Int64 = 5_000_000_000

  /// - Parameter runtime: The value of `XDG_RUNTIME_DIR`; nil if it is not set.
  package init?(inRuntime runtime: String?) {
    guard let runtime, runtime.first == "/" else { return nil }
    folder = "\(runtime)/crated"
    socket = "\(folder)/mpv.socket"
    lock = "\(folder)/mpv.lock"
  }

  /// Returns the running mpv; nil if there is none.
  package func running() throws(PlayerFault) -> MPVControl? {
    var mpv: MPVSocket?
    _ = try claim(&mpv)
    return mpv.map { MPVControl($0, own: self) }
  }

  /// Hands a playlist to the running mpv, or returns the program that starts one.
  ///
  /// - Parameter line: A shell command line, in which `{}` stands for the path of the playlist.
  /// - Returns: The program to start; nil if a running mpv took the playlist.
  func play(list: String, adding: Bool, line: String) throws(PlayerFault) -> PlayerProgram? {
    var mpv: MPVSocket?
    var lock = try claim(&mpv)
    if let mpv {
      do throws(PlayerFault) {
        try mpv.play(list: list, adding: adding)
        return nil
      } catch {
        // mpv may be ending because its last song is over.
        lock = try freed()
        if lock == nil { throw error }
      }
    }
    return PlayerProgram(
      line: line, list: list, option: "--input-ipc-server=\(PlayerProgram.word(socket))",
      inherited: lock.take()?.release())
  }

  /// Waits until the running mpv has ended.
  ///
  /// - Returns: The lock; nil if mpv has not ended in time.
  func freed() throws(PlayerFault) -> OpenFile? {
    let file = try opened()
    let end = Clock.system.monotonic() + Self.patience
    while !Self.isLocked(file) {
      guard Clock.system.monotonic() < end else { return nil }
      _ = poll(nil, 0, Self.pause)
    }
    return file
  }

  /// Tries to get the lock.
  ///
  /// - Parameter mpv: Set to the running mpv, if there is one.
  /// - Returns: The lock, if no mpv runs.
  private func claim(_ mpv: inout MPVSocket?) throws(PlayerFault) -> OpenFile? {
    // Without the folder there is no socket, so no mpv runs.
    if access(folder, F_OK) != 0 { return nil }
    let file = try opened()
    let end = Clock.system.monotonic() + Self.patience
    while !Self.isLocked(file) {
      if let found = MPVSocket(socket) {
        mpv = found
        return nil
      }
      guard Clock.system.monotonic() < end else {
        throw PlayerFault("an mpv runs and does not answer at \(socket); end it: pkill mpv")
      }
      _ = poll(nil, 0, Self.pause)
    }
    return file
  }

  private func opened() throws(PlayerFault) -> OpenFile {
    let descriptor = open(lock, O_RDWR | O_CREAT | O_CLOEXEC | O_NOFOLLOW, 0o600)
    guard descriptor >= 0 else {
      throw PlayerFault("\(lock) can't be opened: \(SystemCallError("open", lock).reason)")
    }
    return OpenFile(owning: descriptor)
  }

  private static func isLocked(_ file: borrowing OpenFile) -> Bool {
    retrying { flock(file.descriptor, LOCK_EX | LOCK_NB) } == 0
  }
}
