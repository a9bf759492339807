import Glibc
import LibraryModel
import Platform
import TagReading
import TestSupport

/// The reader that was built together with these tests.
let builtReader: BytePath = {
  var buffer = [CChar](repeating: 0, count: 4096)
  let count = readlink("/proc/self/exe", &buffer, buffer.count)
  let path = buffer.prefix(max(0, count)).map { UInt8(bitPattern: $0) }
  return BytePath(path).parent.appending("crate-tag-reader".utf8)
}()

/// Outcomes as they come in, by any key.
final class Outcomes: Sendable {
  private let arrived = Monitor<[Int: ReadOutcome]>([:])

  func note(_ outcome: ReadOutcome, for key: Int) {
    arrived.withLock { arrived in
      precondition(arrived[key] == nil, "each file has one outcome")
      arrived[key] = outcome
    }
  }

  var count: Int { arrived.withLock { $0.count } }

  /// Waits for so many; fewer if they don't come in time.
  func wait(for count: Int) -> [Int: ReadOutcome] {
    arrived.wait(until: Patience.end) { $0.count >= count ? $0 : nil } ?? arrived.withLock { $0 }
  }
}

extension ReaderShare {
  /// Takes over the file, which is closed when it was read.
  func read(
    _ file: consuming OpenFile, stamp: FileStamp, pathExtension: String,
    completion: @escaping @Sendable (ReadOutcome) -> Void
  ) {
    let descriptor = file.release()
    read(descriptor, stamp: stamp, pathExtension: pathExtension) { outcome in
      close(descriptor)
      completion(outcome)
    }
  }
}

extension ReaderPool {
  /// The share of one folder, whichever.
  var share: ReaderShare { share(of: BytePath("/music")) }

  func read(
    _ file: consuming OpenFile, stamp: FileStamp, pathExtension: String,
    completion: @escaping @Sendable (ReadOutcome) -> Void
  ) {
    share.read(file, stamp: stamp, pathExtension: pathExtension, completion: completion)
  }

  func readPicture(
    _ file: consuming OpenFile, pathExtension: String,
    completion: @escaping @Sendable (PictureOutcome) -> Void
  ) {
    let descriptor = file.release()
    share.readPicture(descriptor, stamp: stamp(0), pathExtension: pathExtension) { picture in
      close(descriptor)
      completion(picture)
    }
  }

  /// Hands in files by their paths, with their names' extensions.
  func read(_ paths: [String], into outcomes: Outcomes) {
    // One for all: a share that nobody has is forgotten, and the next one counts as another folder.
    let share = share
    for (index, path) in paths.enumerated() {
      share.read(
        OpenFile(owning: open(path, O_RDONLY | O_CLOEXEC)), stamp: stamp(index),
        pathExtension: BytePath(path).pathExtension
      ) { outcome in outcomes.note(outcome, for: index) }
    }
  }

  /// The outcomes in the order of the paths; nil for those that never came.
  func read(_ paths: [String]) -> [ReadOutcome?] {
    let outcomes = Outcomes()
    read(paths, into: outcomes)
    let arrived = outcomes.wait(for: paths.count)
    return paths.indices.map { arrived[$0] }
  }
}

/// A stamp that tells where a file stood in the list.
func stamp(_ index: Int) -> FileStamp {
  FileStamp(
    identity: FileIdentity(fileSystem: 1, inode: UInt64(index), birth: 0), size: 0, modified: 0,
    changed: 0)
}

extension ReadOutcome {
  var facts: FileFacts? {
    if case .facts(let facts) = self { return facts }
    return nil
  }

  var problem: FileProblem? {
    if case .problem(let problem) = self { return problem }
    return nil
  }
}

/// The facts of one file, read by a pool of its own.
func facts(of path: String) throws -> FileFacts {
  let pool = try ReaderPool(program: builtReader, count: 1)
  defer { pool.shutDown() }
  let outcome = pool.read([path])[0]
  guard let facts = outcome?.facts else { throw NoFacts(path: path, outcome: outcome) }
  return facts
}

/// The covers of files, by one reader; nil for those that have none.
func pictures(in paths: [String]) throws -> [[UInt8]?] {
  let pool = try ReaderPool(program: builtReader, count: 1)
  defer { pool.shutDown() }
  let found = Monitor<[Int: [UInt8]?]>([:])
  for (index, path) in paths.enumerated() {
    let file = OpenFile(owning: open(path, O_RDONLY | O_CLOEXEC))
    pool.readPicture(file, pathExtension: BytePath(path).pathExtension) { picture in
      let bytes: [UInt8]? = if case .found(let bytes) = picture { bytes } else { nil }
      found.withLock { $0[index] = .some(bytes) }
    }
  }
  let all = found.wait { $0.count == paths.count ? $0 : nil }
  return paths.indices.map { all[$0] ?? nil }
}

/// The problem that one file is.
func problem(of path: String) throws -> FileProblem {
  let pool = try ReaderPool(program: builtReader, count: 1)
  defer { pool.shutDown() }
  let outcome = pool.read([path])[0]
  guard let problem = outcome?.problem else { throw NoFacts(path: path, outcome: outcome) }
  return problem
}

/// Names of files that the linked TagLib reads.
func readableExtensions() throws -> [String] {
  let result = try run(builtReader.display, ["--extensions"])
  guard result.status == 0 else { throw NoFacts(path: result.errors, outcome: nil) }
  return result.output.split(separator: "\n").map(String.init)
}

struct NoFacts: Error {
  var path: String
  var outcome: ReadOutcome?
}

/// A reader that no other test has: readers of several tests run at once.
func copyOfReader(in folder: TemporaryFolder, named name: String) throws -> BytePath {
  let path = try folder.write(try readFile(builtReader.display), to: name)
  chmod(path, 0o755)
  return BytePath(path)
}

/// The processes that this one started and that are called so.
func childProcesses(named name: String) -> [pid_t] {
  var found: [pid_t] = []
  for number in (try? names(in: "/proc"))?.compactMap({ pid_t($0) }) ?? [] {
    guard let bytes = try? readFile("/proc/\(number)/stat") else { continue }
    let text = String(decoding: bytes, as: UTF8.self)
    guard let end = text.lastIndex(of: ")"), let start = text.firstIndex(of: "(") else {
      continue
    }
    let fields = text[end...].split(separator: " ")
    guard fields.count > 2, fields[2] == "\(getpid())", fields[1] != "Z" else { continue }
    if text[text.index(after: start)..<end] == name { found.append(number) }
  }
  return found
}
