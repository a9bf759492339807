import CLinuxShims
import Glibc
import Platform

/// A file with what the pool has learned of it.
struct ReaderJob {
  /// A file whose reader ended is tried with more and more care, so that in the end it alone pays.
  enum Care {
    /// In a batch that is answered as one: when its reader ends, any file of it may be the cause.
    case none
    /// In a batch, each answered at once: the first without an answer is the cause.
    case oneByOne
    /// In a fresh reader of its own, for the second and last time.
    case alone
  }

  let file: FileToRead
  /// The generation of its folder when it was taken.
  let generation: Int
  var care = Care.none
  /// Whether it shows whether files of its folder can be read: at once, or not at all.
  private(set) var isTrial = false
  var batch = 0

  init(_ file: FileToRead, generation: Int) {
    self.file = file
    self.generation = generation
    // Covers are few and large, and each may be the end of its reader.
    if case .thumbnail = file.wants { care = .oneByOne }
    if file.isTrial { makeTrial() }
  }

  mutating func makeTrial() {
    isTrial = true
    care = .alone
  }
}

/// One running reader: what it was asked, and what it has said of it so far.
final class ReaderConnection {
  enum News {
    case nothing
    /// The reader closed its socket, or its process has ended.
    case gone
    /// The reader said what no reader says.
    case nonsense
  }

  let process: pid_t
  private let socket: OpenFile
  let started: Int64
  /// In the order in which answers are due.
  private(set) var jobs: [ReaderJob] = []
  private(set) var jobsTaken = 0
  /// Since when it has had its present first file, or none. Nanoseconds.
  private(set) var headSince: Int64 { didSet { computedWhenSlow = nil } }
  /// How long it had computed when its first file was found to be slow, in nanoseconds.
  var computedWhenSlow: Int64?
  private(set) var hasGreeted = false
  /// How many bytes it holds more than when it had started, as of its last batch.
  private(set) var growth = 0
  /// What it could not put on itself. Known when it has greeted.
  private(set) var missing = ReaderProtections()
  /// Kept for one file that is tried alone.
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

  /// Whether it has had its share of files or of memory, and is to leave when it has answered.
  func isWornOut(by limits: ReaderLimits) -> Bool {
    jobsTaken >= limits.filesPerReader || growth > limits.growthPerReader
  }

  /// Whose files it has: at one time those of one folder. Nil: it has none.
  var share: ShareID? { jobs.first?.file.share }

  /// Whether nothing but its first file keeps it: each is answered at once, or it is the only one
  /// of its batch.
  var isSureOfFirst: Bool {
    guard let first = jobs.first else { return false }
    return first.care != .none || jobs.count == 1 || jobs[1].batch != first.batch
  }

  /// Sends a batch of equal care. False if the reader is gone; the jobs are due all the same.
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
    // A socket takes so little whole or not at all, and there is always room for it.
    return sent == request.count
  }

  /// Takes what the reader has said, and passes on its greeting and each answer with its job.
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
        // One record fills it: make room up to the longest that may be.
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

/// What a process of ours has in memory, in bytes; 0 where the system doesn't say.
private func residentMemory(of process: pid_t) -> Int {
  let file = open("/proc/\(process)/statm", O_RDONLY | O_CLOEXEC)
  guard file >= 0 else { return 0 }
  defer { close(file) }
  var text = [UInt8](repeating: 0, count: 128)
  let count = read(file, &text, text.count)
  // The second of the numbers, in pages.
  let words = text.prefix(max(0, count)).split(separator: UInt8(ascii: " "))
  guard words.count > 1, let pages = Int(String(decoding: words[1], as: UTF8.self)) else {
    return 0
  }
  return pages * sysconf(Int32(_SC_PAGESIZE))
}
