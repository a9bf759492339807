import Glibc
import LibraryModel
import Platform

/// A reader that was killed, until its process is gone.
struct LeavingReader {
  let process: pid_t
  /// The folder of the file that it had.
  let share: ShareID?
  let since: Int64
  /// Whether a file timed out: the process may then take long to be gone, or forever.
  let wasLate: Bool
  /// The file that it was reading, as far as the pool knows; nil if none.
  var file: FileStamp?
  /// Whether that file is certain to have timed out.
  var isSure = false
  /// The files of which one keeps it, if that is uncertain. Files that were read since are not
  /// among them.
  var suspects: Set<FileStamp> = []
  /// The suspects that were found to time out in another reader, too.
  var found: Set<FileStamp> = []
  /// Whether that file was a probe.
  var isProbe = false
  /// Whether another file of its folder was read since. If so, only its own file hangs.
  var isOutlived = false

  /// Whether it counts against its folder: a file timed out, and no other one was read since.
  var isLost: Bool { wasLate && !isOutlived }

  /// Records that a file of its folder was read.
  mutating func note(read file: FileStamp) {
    isOutlived = true
    suspects.remove(file)
    found.remove(file)
  }

  /// Records that a file of its folder is certain to have timed out in another reader.
  mutating func note(late file: FileStamp) {
    if suspects.remove(file) != nil { found.insert(file) }
  }

  /// Whether it is stuck in the kernel, for example waiting for a server that is gone. Signals
  /// reach it when the call returns that it is in.
  func isStuck(_ now: Int64, after wait: Int64) -> Bool {
    now - since >= wait && ProcessStatus(process)?.isInCall == true
  }

  /// Returns the delay before the next check whether it is gone: short at first.
  func nextLook(_ now: Int64) -> Int64 {
    min(max((now - since) / 4, 10_000_000), 5_000_000_000)
  }
}

/// The status of a process, from proc(5).
struct ProcessStatus {
  /// Whether it is in a call that no signal ends: its state is D.
  let isInCall: Bool
  /// The processor time that it has used, in nanoseconds.
  let computed: Int64

  /// Returns nil if the process is gone.
  init?(_ process: pid_t) {
    let descriptor = open("/proc/\(process)/stat", O_RDONLY | O_CLOEXEC)
    guard descriptor >= 0 else { return nil }
    let file = OpenFile(owning: descriptor)
    var room = [UInt8](repeating: 0, count: 1_024)
    let count = retrying { read(file.descriptor, &room, room.count) }
    self.init(room.prefix(max(0, count)), ticksPerSecond: Int64(sysconf(Int32(_SC_CLK_TCK))))
  }

  /// - Parameter text: the contents of its file `stat`.
  init?(_ text: ArraySlice<UInt8>, ticksPerSecond: Int64) {
    guard let name = text.lastIndex(of: UInt8(ascii: ")")) else { return nil }
    // The state is the third field, and the name, which may have anything in it, the second.
    let fields = text[name...].dropFirst().split(separator: UInt8(ascii: " "))
    guard fields.count > 12 else { return nil }
    isInCall = fields[0].elementsEqual([UInt8(ascii: "D")])
    let ticks = fields[11...12].compactMap { Int64(String(decoding: $0, as: UTF8.self)) }
    computed = ticks.reduce(0, +) * 1_000_000_000 / ticksPerSecond
  }
}
