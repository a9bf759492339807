import Glibc
import LibraryModel
import Platform

/// A reader that was ended, until it is gone.
struct LeavingReader {
  let process: pid_t
  /// Whose file it had.
  let share: ShareID?
  let since: Int64
  /// A file gave nothing in time: it may take long to be gone, or for ever.
  let wasLate: Bool
  /// The file that it was with, as far as the pool knows; nil: none.
  var file: FileStamp?
  /// Whether it was certainly that file which gave nothing.
  var isSure = false
  /// The files of which one keeps it, where that is not sure; those that were read since are none.
  var suspects: Set<FileStamp> = []
  /// Those of them that gave another reader nothing, either.
  var found: Set<FileStamp> = []
  /// Whether that file was to show whether others can be read.
  var isTrial = false
  /// Whether another file of its folder was read since: then it is its file alone that hangs.
  var isOutlived = false

  /// Whether it speaks against its folder: a file gave nothing, and no other one has since.
  var isLost: Bool { wasLate && !isOutlived }

  /// A file of its folder was read.
  mutating func note(read file: FileStamp) {
    isOutlived = true
    suspects.remove(file)
    found.remove(file)
  }

  /// A file of its folder certainly gave another reader nothing.
  mutating func note(late file: FileStamp) {
    if suspects.remove(file) != nil { found.insert(file) }
  }

  /// Whether the kernel doesn't let it go, as where it waits for a server that is away: signals
  /// reach it when the call returns that it is in.
  func isStuck(_ now: Int64, after wait: Int64) -> Bool {
    now - since >= wait && ProcessStatus(process)?.isInCall == true
  }

  /// After which it is worth asking again whether it is gone: soon at first.
  func nextLook(_ now: Int64) -> Int64 {
    min(max((now - since) / 4, 10_000_000), 5_000_000_000)
  }
}

/// What proc(5) says of a process.
struct ProcessStatus {
  /// In a call that no signal ends: its state is D.
  let isInCall: Bool
  /// Nanoseconds of processor time.
  let computed: Int64

  /// Nil where it is gone.
  init?(_ process: pid_t) {
    let descriptor = open("/proc/\(process)/stat", O_RDONLY | O_CLOEXEC)
    guard descriptor >= 0 else { return nil }
    let file = OpenFile(owning: descriptor)
    var room = [UInt8](repeating: 0, count: 1_024)
    let count = retrying { read(file.descriptor, &room, room.count) }
    self.init(room.prefix(max(0, count)), ticksPerSecond: Int64(sysconf(Int32(_SC_CLK_TCK))))
  }

  /// - Parameter text: of its file `stat`.
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
