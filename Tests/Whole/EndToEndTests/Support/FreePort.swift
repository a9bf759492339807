import Glibc
import Platform
import Testing

/// A TCP port of this machine that nothing listened on just now.
func freePort() throws -> Int {
  let socket = OpenFile(
    owning: socket(AF_INET, Int32(SOCK_STREAM.rawValue) | Int32(SOCK_CLOEXEC.rawValue), 0))
  var address = sockaddr_in()
  address.sin_family = sa_family_t(AF_INET)
  address.sin_addr.s_addr = in_addr_t(0x7F00_0001).bigEndian
  var size = socklen_t(MemoryLayout<sockaddr_in>.size)
  let isBound = withUnsafeMutablePointer(to: &address) {
    $0.withMemoryRebound(to: sockaddr.self, capacity: 1) {
      bind(socket.descriptor, $0, size) == 0 && getsockname(socket.descriptor, $0, &size) == 0
    }
  }
  try #require(isBound)
  return Int(UInt16(bigEndian: address.sin_port))
}
