import CLinuxShims
import Glibc
import Platform

/// A file, with what the pool has learned about it.
struct ReaderJob {
  /// A file whose reader ended is retried with more and more care, so that in the end only the file
  /// that is the cause gets a problem.
  enum Care {
    /// In a batch that is answered as a whole: if its reader ends, any file of it may be the cause.
    case none
    /// In a batch in which each is answered at once: the first without an answer is the cause.
    case oneByOne
    /// In a fresh reader of its own, for the second and last time.
    case alone
  }

  let file: FileToRead
  /// The generation of its folder when the file was taken.
  let generation: Int
  var care = Care.none
  /// Whether this is a probe, which is read at once or not at all.
  private(set) var isProbe = false
  var batch = 0

  init(_ file: FileToRead, generation: Int) {
    self.file = file
    self.generation = generation
    // Covers are few and large, and each may end its reader.
    if case .thumbnail = file.wants { care = .oneByOne }
    if file.isProbe { makeProbe() }
  }

  mutating func makeProbe() {
    isProbe = true
    care = .alone
  }
}

/// A running reader: its requests, and its answers so far.
final class ReaderConnection {
  enum News {
    case nothing
    /// The reader closed its socket, or its process has ended.
    case gone
    /// The reader sent something invalid.
    case nonsense
  }

  let process: pid_t
  private let socket: OpenFile
  let started: Int64
  /// The jobs, in the order in which answers are due.
  private(set) var jobs: [ReaderJob] = []
  private(set) var jobsTaken = 0
  /// Since when its present first file, or none, has been the first. Nanoseconds.
  private(set) var headSince: Int64 { didSet { computedWhenSlow = nil } }
  /// The processor time that it had used when its first file was found to be slow, in nanoseconds.
  var computedWhenSlow: Int64?
  private(set) var hasGreeted = false
  /// The growth of its memory since its start, in bytes, as of its last batch.
  private(set) var growth = 0
  /// The protections that it could not apply. Known when it has greeted.
  private(set) var missing = ReaderProtections()
  /// Whether it is reserved for one file that is tried alone.
  var isReserved = false

  private var batches = 0
  private var memoryAtStart = 0
  private var parser = ReplyParser()
  private var received: [UInt8]
  private var receivedCount = 0

  init(_ reader: consuming LaunchedReader, now: Int64) {
    process = reader.process
    socket = reader.takeSocket()
    started = now
    headSince = now
    received = [UInt8](repeating: 0, count: 64 << 10)
  }

  var descriptor: Int32 { socket.descriptor }

  /// Whether it has reached its limit of files or of memory, and is to end when it has answered.
  func isWornOut(by limits: ReaderLimits) -> Bool {
    jobsTaken >= limits.filesPerReader || growth > limits.growthPerReader
  }

  /// The folder of its files, which is the same for all at one time; nil if it has none.
  var share: ShareID? { jobs.first?.file.share }

  /// Whether nothing but its first file can keep it: each file is answered at once, or this is the
  /// only one of its batch.
  var isSureOfFirst: Bool {
    guard let first = jobs.first else { return false }
    return first.care != .none || jobs.count == 1 || jobs[1].batch != first.batch
  }

  /// Sends a batch of equal care. Returns false if the reader is gone; the jobs are added anyway.
  func send(_ batch: [ReaderJob], now: Int64) -> Bool {
    batches += 1
    if jobs.isEmpty { headSince = now }
    for var job in batch {
      job.batch = batches
      jobs.append(job)
    }
    jobsTaken += batch.count
    growth = residentMemory(of: process) - memoryAtStart
    let request = ReaderRequest(
      answersOneByOne: batch.contains { $0.care != .none },
      wants: batch.first?.file.wants ?? .tags,
      pathExtensions: batch.map(\.file.pathExtension)
    ).encoded()
    let descriptors = batch.map { $0.file.descriptor }
    let sent = retrying {
      crated_send_descriptors(
        socket.descriptor, request, request.count, descriptors, descriptors.count)
    }
    // A socket accepts so little as a whole or not at all, and always has room for it.
    return sent == request.count
  }

  /// Receives what the reader has sent. Passes on its greeting, and each answer with its job.
  func receive(
    now: Int64, greeted: () -> Void, answer: (ReaderJob, ReaderReply) -> Void
  ) -> News {
    while true {
      let count = received.withUnsafeMutableBytes { buffer in
        retrying {
          recv(
            socket.descriptor, buffer.baseAddress?.advanced(by: receivedCount),
            buffer.count - receivedCount, 0)
        }
      }
      if count < 0 { return errno == EAGAIN ? .nothing : .gone }
      if count == 0 { return .gone }
      receivedCount += count
      let wasFull = receivedCount == received.count
      guard takeRecords(now: now, greeted: greeted, answer: answer) else { return .nonsense }
      if receivedCount == received.count {
        // One record fills the buffer: make room, up to the longest allowed.
        let most = ReaderReply.bytesMost + ReaderReply.lengthBytes
        received += [UInt8](repeating: 0, count: min(received.count, most - received.count))
      }
      if !wasFull { return .nothing }
    }
  }

  private func takeRecords(
    now: Int64, greeted: () -> Void, answer: (ReaderJob, ReaderReply) -> Void
  ) -> Bool {
    var place = 0
    var answered = 0
    defer {
      jobs.removeFirst(answered)
      if answered > 0 { headSince = now }
      if place > 0 {
        received.withUnsafeMutableBytes { buffer in
          guard let start = buffer.baseAddress else { return }
          memmove(start, start + place, receivedCount - place)
        }
        receivedCount -= place
      }
    }
    if !hasGreeted {
      let count = ReaderReply.greeting.count
      guard receivedCount > count else { return true }
      guard received.starts(with: ReaderReply.greeting) else { return false }
      hasGreeted = true
      missing = ReaderProtections(rawValue: received[count])
      headSince = now
      memoryAtStart = residentMemory(of: process)
      place = count + 1
      greeted()
    }
    return received.withUnsafeBytes { buffer in
      let bytes = UnsafeRawBufferPointer(rebasing: buffer[..<receivedCount])
      while true {
        let rest = UnsafeRawBufferPointer(rebasing: bytes[place...])
        guard let length = ReplyParser.recordLength(rest) else { return true }
        let record = ReaderReply.lengthBytes
        guard length >= 0, answered < jobs.count,
          let reply = parser.parse(
            UnsafeRawBufferPointer(rebasing: rest[record..<(record + length)]))
        else { return false }
        let job = jobs[answered]
        answered += 1
        place += record + length
        answer(job, reply)
      }
    }
  }
}

/// Returns the resident memory of a child process in bytes; 0 if the system doesn't say.
private func residentMemory(of process: pid_t) -> Int {
  let file = open("/proc/\(process)/statm", O_RDONLY | O_CLOEXEC)
  guard file >= 0 else { return 0 }
  defer { close(file) }
  var text = [UInt8](repeating: 0, count: 128)
  let count = read(file, &text, text.count)
  // The second number is in pages.
  let words = text.prefix(max(0, count)).split(separator: UInt8(ascii: " "))
  guard words.count > 1, let pages = Int(String(decoding: words[1], as: UTF8.self)) else {
    return 0
  }
  return pages * sysconf(Int32(_SC_PAGESIZE))
}
