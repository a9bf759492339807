import Glibc
package import LibraryModel
import Platform

/// The latest events, actions and results of a watcher, for finding out why a file was missed. A
/// repeated step, such as each write to a file, takes one entry.
package struct Trace: Sendable {
  /// The maximum number of entries. Further ones replace the oldest.
  package static let mostEntries = 512

  package struct Entry: Sendable, Hashable {
    /// Milliseconds since 1970; for several equal steps, the time of the first.
    package var time: Int64
    package var step: Step
    package var count = 1
  }

  /// A step of the watcher. Paths are relative to the music folder.
  package enum Step: Sendable, Hashable {
    case event(mask: UInt32, folder: BytePath, name: [UInt8])
    case overflow
    case request(String)
    /// The number of clients answered that waited for a sync or a rescan.
    case answered(Int)
    case fullScan(ScanReason)
    case scanned(BytePath, new: Int, changed: Int, missing: Int)
    case scanFailed(BytePath, code: Int32)
    case read(BytePath, Outcome)
    case merged(found: Int, vanished: Int, absent: Int)
    case mode(WatchState.Mode)
  }

  package enum Outcome: Sendable, Hashable {
    case tags, problem, mayBeWritten, gone
    case failed(code: Int32)
  }

  /// A ring buffer. Once it is full, the entry at `next` is the oldest.
  private var ring: [Entry] = []
  private var next = 0

  /// The entries, oldest first.
  package var entries: [Entry] { Array(ring[next...] + ring[..<next]) }

  /// - Parameter time: in nanoseconds since 1970.
  mutating func note(_ step: Step, at time: Int64) {
    let last = ring.isEmpty ? 0 : (next + ring.count - 1) % ring.count
    if !ring.isEmpty, ring[last].step == step {
      ring[last].count += 1
      return
    }
    let entry = Entry(time: time / milliseconds, step: step)
    guard ring.count == Self.mostEntries else { return ring.append(entry) }
    ring[next] = entry
    next = (next + 1) % ring.count
  }
}

extension Trace.Entry: CustomStringConvertible {
  package var description: String { count == 1 ? "\(step)" : "\(step) (\(count) times)" }
}

extension Trace.Step: CustomStringConvertible {
  package var description: String {
    switch self {
    case .event(let mask, let folder, let name):
      "event: \(Self.names(of: mask)) \(Self.shown(name.isEmpty ? folder : folder.appending(name)))"
    case .overflow: "event: the kernel's queue was full, so events are lost"
    case .request(let what): "request: \(what)"
    case .answered(let count): count == 1 ? "1 client is answered" : "\(count) clients are answered"
    case .fullScan(let reason): "full scan: \(reason)"
    case .scanned(let path, let new, let changed, let missing):
      "scanned \(Self.shown(path)): \(new) new, \(changed) changed, \(missing) missing"
    case .scanFailed(let path, let code):
      "\(Self.shown(path)) can't be scanned: \(String(cString: strerror(code)))"
    case .read(let path, let outcome): "read \(Self.shown(path)): \(outcome)"
    case .merged(let found, let vanished, let absent):
      "merged: \(found) found, \(vanished) vanished, \(absent) absent"
    case .mode(.watching): "the folder is watched"
    case .mode(.polling(let reason)): "the folder is polled: \(reason)"
    case .mode(.offline(let reason)): "the folder is offline: \(reason)"
    }
  }

  private static func shown(_ path: BytePath) -> String { path.isEmpty ? "." : path.display }

  private static func names(of mask: UInt32) -> String {
    let names: [(Int32, String)] = [
      (Int32(IN_CREATE), "create"), (Int32(IN_DELETE), "delete"),
      (Int32(IN_CLOSE_WRITE), "close"), (Int32(IN_MODIFY), "modify"),
      (Int32(IN_ATTRIB), "attributes of"), (Int32(IN_MOVED_FROM), "move from"),
      (Int32(IN_MOVED_TO), "move to"), (Int32(IN_DELETE_SELF), "delete"),
      (Int32(IN_MOVE_SELF), "move"), (Int32(IN_IGNORED), "no longer watched:"),
      (Int32(IN_UNMOUNT), "unmount"),
    ]
    let said = names.filter { mask & UInt32(bitPattern: $0.0) != 0 }.map(\.1)
    return said.isEmpty ? "of kind \(mask):" : said.joined(separator: ", ")
  }
}

extension Trace.Outcome: CustomStringConvertible {
  package var description: String {
    switch self {
    case .tags: "its tags are known"
    case .problem: "it has a problem"
    case .mayBeWritten: "it may still be written, and is asked for again"
    case .gone: "it is not there"
    case .failed(let code): "it can't be opened: \(String(cString: strerror(code)))"
    }
  }
}

extension Trace.Outcome {
  init(_ result: ReadAnswer.Result) {
    self =
      switch result {
      case .read(.facts): .tags
      case .read(.problem): .problem
      case .notReady: .mayBeWritten
      case .notThere: .gone
      case .failed(let error): .failed(code: error.code)
      }
  }
}
