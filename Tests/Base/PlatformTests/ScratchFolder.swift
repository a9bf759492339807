import Foundation
import Glibc
import Testing

/// A folder for one test, removed at its end.
final class ScratchFolder {
  let path: String

  init() throws {
    var template = Array("/tmp/crated-platform-XXXXXX".utf8CString)
    let made = try #require(mkdtemp(&template))
    path = String(cString: made)
  }

  deinit {
    _ = Result { try FileManager.default.removeItem(atPath: path) }
  }
}

/// A Unix socket that a test reads from or passes on.
final class ScratchSocket {
  let descriptor: Int32

  /// `@` begins an abstract name; no address leaves the socket unbound.
  init(_ type: __socket_type, boundTo path: String? = nil) throws {
    descriptor = socket(AF_UNIX, Int32(type.rawValue | SOCK_NONBLOCK.rawValue), 0)
    try #require(descriptor >= 0)
    guard let path else { return }
    var address = sockaddr_un()
    address.sun_family = sa_family_t(AF_UNIX)
    var bytes = Array(path.utf8)
    if bytes.first == UInt8(ascii: "@") { bytes[0] = 0 }
    withUnsafeMutableBytes(of: &address.sun_path) { $0.copyBytes(from: bytes) }
    let length = socklen_t(2 + bytes.count + (bytes.first == 0 ? 0 : 1))
    let result = withUnsafePointer(to: &address) { pointer in
      pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) { bind(descriptor, $0, length) }
    }
    try #require(result == 0)
  }

  deinit { close(descriptor) }

  /// The next datagram; nil where none has come.
  func next() -> String? {
    var bytes = [UInt8](repeating: 0, count: 4096)
    let count = recv(descriptor, &bytes, bytes.count, 0)
    return count < 0 ? nil : String(decoding: bytes[..<count], as: UTF8.self)
  }
}
