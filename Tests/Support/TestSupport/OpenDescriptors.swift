import Glibc

/// The files below a folder that this process has open, also those that were removed.
package func openFiles(below folder: String) throws -> [String] {
  try names(in: "/proc/self/fd").compactMap { name in
    var target = [CChar](repeating: 0, count: 4_096)
    let count = readlink("/proc/self/fd/\(name)", &target, target.count)
    let path = String(
      decoding: target.prefix(max(0, count)).map { UInt8(bitPattern: $0) }, as: UTF8.self)
    return path.hasPrefix(folder) ? path : nil
  }
}
