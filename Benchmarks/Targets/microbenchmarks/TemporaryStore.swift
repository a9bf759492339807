import Glibc
import LibraryModel
import LibraryStore
import Platform

/// A directory for a store, beside where the benchmarks are run, so that it is on a disk.
struct TemporaryStore {
  let path: BytePath

  init() throws {
    var name = Array(".microbenchmarks-XXXXXX".utf8CString)
    guard mkdtemp(&name) != nil else { throw Failure(operation: "mkdtemp", error: errno) }
    path = BytePath(name.dropLast().map { UInt8(bitPattern: $0) })
  }

  struct Failure: Error {
    var operation: String
    var error: Int32
  }

  /// The bytes of its file of that name with the highest number.
  func newest(_ kind: String) throws -> [UInt8] {
    let files = try DiskFiles(directory: path)
    let names = try files.names(in: .store).filter { $0.hasPrefix(kind + ".") }
    guard let name = names.max(by: { ($0.count, $0) < ($1.count, $1) }),
      let bytes = try files.read(StoreName(name))
    else { throw Failure(operation: "read \(kind)", error: ENOENT) }
    return bytes
  }

  func remove() {
    for folder in ["/backups", ""] {
      let directory = path.display + folder
      guard let names = opendir(directory) else { continue }
      while let entry = readdir(names) {
        let name = withUnsafePointer(to: &entry.pointee.d_name) { pointer in
          pointer.withMemoryRebound(to: CChar.self, capacity: 256) { String(cString: $0) }
        }
        if name != ".", name != ".." { unlink("\(directory)/\(name)") }
      }
      closedir(names)
      rmdir(directory)
    }
  }
}
