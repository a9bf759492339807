import Glibc
import Platform

/// The mpv that this program starts, of which at most one runs.
///
/// The mpv inherits a lock, which the kernel frees when it ends, in whatever way. So whoever gets
/// the lock may start one, and whoever doesn't finds the one that runs by its socket, also where
/// the program that started it has crashed.
package struct OwnMPV {
  let socket: String
  private let folder: String
  private let lock: String
  /// Between two attempts, in milliseconds.
  private static let pause: Int32 = 20
  /// For one that is starting or ending, in nanoseconds.
  private static let patience: Int64 = 5_000_000_000

  /// - Parameter runtime: `XDG_RUNTIME_DIR`; nil where there is none.
  package init?(inRuntime runtime: String?) {
    guard let runtime, runtime.first == "/" else { return nil }
    folder = "\(runtime)/crated"
    socket = "\(folder)/mpv.socket"
    lock = "\(folder)/mpv.lock"
  }

  /// The one that runs; nil where none does.
  package func running() throws(PlayerFault) -> MPVControl? {
    var mpv: MPVSocket?
    _ = try claim(&mpv)
    return mpv.map { MPVControl($0, own: self) }
  }

  /// Hands a list to the one that runs, or says how one is started.
  ///
  /// - Parameter line: for a shell, in which `{}` is the place of the list.
  /// - Returns: the program that is to be started; nil: one runs and has taken the list.
  func play(list: String, adding: Bool, line: String) throws(PlayerFault) -> PlayerProgram? {
    var mpv: MPVSocket?
    var lock = try claim(&mpv)
    if let mpv {
      do throws(PlayerFault) {
        try mpv.play(list: list, adding: adding)
        return nil
      } catch {
        // Its last song may just have been over.
        lock = try freed()
        if lock == nil { throw error }
      }
    }
    return PlayerProgram(
      line: line, list: list, option: "--input-ipc-server=\(PlayerProgram.word(socket))",
      inherited: lock.take()?.release())
  }

  /// Waits until the one that runs has ended.
  ///
  /// - Returns: the lock; nil where it has not ended in time.
  func freed() throws(PlayerFault) -> OpenFile? {
    let file = try opened()
    let end = Clock.system.monotonic() + Self.patience
    while !Self.isLocked(file) {
      guard Clock.system.monotonic() < end else { return nil }
      _ = poll(nil, 0, Self.pause)
    }
    return file
  }

  /// - Parameter mpv: the one that runs.
  /// - Returns: the lock, where none runs.
  private func claim(_ mpv: inout MPVSocket?) throws(PlayerFault) -> OpenFile? {
    // Without the folder there is no socket.
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
