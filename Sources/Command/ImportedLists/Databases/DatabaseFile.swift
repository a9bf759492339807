import Databases
import Glibc
import Platform

/// The database of a program that may be running. It is opened read-only. If SQLite would have to
/// write beside it even so (a write-ahead log that no program has open, a journal of a crashed
/// program), a copy of the database and its journal is read instead.
package enum DatabaseFile {
  /// The time to wait for a program that has locked its database, in seconds.
  private static let patience = 2.0
  /// The most bytes of a database, and of its log, to copy.
  private static let mostCopied = 1 << 30

  /// Reads the lists in a database.
  ///
  /// - Parameters:
  ///   - folder: The folder for a temporary copy, which is made in a folder of its own and removed.
  ///   - seal: Called when all files are open, before the content is read.
  /// - Throws: A `ListFault`. No copy is left then.
  package static func read(
    _ path: String, copyingTo folder: String, sealing seal: () -> Void = {}
  ) throws(ListFault) -> ListFile {
    if isLeft(path) { return try readCopy(of: path, in: folder, seal) }
    let database: Database
    do throws(DatabaseError) {
      database = try Database(path, canWrite: false, busySeconds: patience)
    } catch {
      throw ProgramDatabase.fault(error)
    }
    return try ProgramDatabase.file(database, sealing: seal)
  }

  /// Whether the database has a log or a journal that no running program has open.
  private static func isLeft(_ path: String) -> Bool {
    let header = OpenFile(owning: open(path, O_RDONLY | O_CLOEXEC))
    var bytes = [UInt8](repeating: 0, count: 100)
    guard header.descriptor >= 0, Glibc.read(header.descriptor, &bytes, bytes.count) == 100 else {
      return false
    }
    if ProgramDatabase.hasLog(bytes) { return access("\(path)-shm", R_OK) != 0 }
    return access("\(path)-journal", R_OK) == 0
  }

  private static func readCopy(
    of path: String, in folder: String, _ seal: () -> Void
  ) throws(ListFault) -> ListFile {
    // mkdtemp(3) replaces these six letters.
    let free = String(repeating: "X", count: 6)
    var template = Array("\(folder)/crate-import-\(free)".utf8CString)
    guard mkdtemp(&template) != nil else {
      throw ListFault(
        .file, "no folder for a copy can be made in \(folder): \(String(cString: strerror(errno)))",
        isUnreadable: true)
    }
    let copies = String(decoding: template.dropLast().map(UInt8.init(bitPattern:)), as: UTF8.self)
    let endings = ["", "-wal", "-journal"]
    func remove() {
      for ending in endings + ["-shm"] { unlink("\(copies)/database\(ending)") }
      rmdir(copies)
    }
    defer { remove() }
    for ending in endings {
      try copy(path + ending, to: "\(copies)/database\(ending)", isNeeded: ending.isEmpty)
    }
    let database: Database
    do throws(DatabaseError) {
      // Opening it rolls the journal back in the copy.
      database = try Database("\(copies)/database", canWrite: true, busySeconds: patience)
    } catch {
      throw ProgramDatabase.fault(error)
    }
    return try ProgramDatabase.file(database) {
      // The open files are enough, and nothing can be removed after `seal`.
      remove()
      seal()
    }
  }

  /// Copies a file; without `isNeeded`, a missing one is no error.
  ///
  /// - Parameter most: the most bytes to copy.
  /// - Throws: a `ListFault`; a part of the copy may be there then.
  static func copy(
    _ path: String, to copy: String, isNeeded: Bool, most: Int = mostCopied
  ) throws(ListFault) {
    func failure(_ words: String, _ code: Int32 = errno) -> ListFault {
      ListFault(.file, "\(words): \(String(cString: strerror(code)))", isUnreadable: true)
    }
    let source = OpenFile(owning: open(path, O_RDONLY | O_CLOEXEC))
    if source.descriptor < 0, errno == ENOENT, !isNeeded { return }
    guard source.descriptor >= 0 else { throw failure("\(path) can't be read") }
    let target = OpenFile(owning: open(copy, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0o600))
    guard target.descriptor >= 0 else { throw failure("\(copy) can't be written") }
    var buffer = [UInt8](repeating: 0, count: 1 << 20)
    var copied = 0
    while true {
      let count = retrying { Glibc.read(source.descriptor, &buffer, buffer.count) }
      if count == 0 { return }
      guard count > 0 else { throw failure("\(path) can't be read") }
      copied += count
      guard copied <= most else {
        throw ListFault(
          .file,
          "it has more than 1 GiB, and its program left it open: start and"
            + " stop the program, then try again")
      }
      do throws(SystemCallError) {
        try writeAll(buffer[..<count], to: target.descriptor)
      } catch {
        throw failure("\(copy) can't be written", error.code)
      }
    }
  }
}
