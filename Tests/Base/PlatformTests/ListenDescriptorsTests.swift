import Glibc
import Platform
import TestSupport
import Testing

@Suite("A socket passed by the service manager", .limited)
struct ListenDescriptorsTests {
  let folder: ScratchFolder
  let path: String

  init() throws {
    folder = try ScratchFolder()
    path = "\(folder.path)/socket"
  }

  /// A copy that the call may take over.
  func passed(_ socket: ScratchSocket) -> Int32 { dup(socket.descriptor) }

  func take(
    _ descriptor: Int32, pid: String = "42", count: String = "1"
  ) throws(ListenDescriptors.Refusal) -> Int32? {
    try ListenDescriptors.socket(
      boundTo: Array(path.utf8), environment: ["LISTEN_PID": pid, "LISTEN_FDS": count],
      processIdentifier: 42, first: descriptor
    )?.release()
  }

  func refusal(_ descriptor: Int32, count: String = "1") -> ListenDescriptors.Refusal? {
    do {
      _ = try take(descriptor, count: count)
      return nil
    } catch {
      return error
    }
  }

  @Test("A listening socket at the right path is taken over, and no child gets it")
  func taken() throws {
    // SD_LISTEN_FDS_START of sd_listen_fds(3).
    #expect(ListenDescriptors.first == 3)
    let socket = try ScratchSocket(SOCK_STREAM, boundTo: path)
    try #require(listen(socket.descriptor, 1) == 0)
    let descriptor = passed(socket)
    defer { close(descriptor) }
    #expect(try take(descriptor) == descriptor)
    #expect(fcntl(descriptor, F_GETFD) & FD_CLOEXEC != 0)
  }

  @Test("What is meant for another process, or for nobody, is left alone")
  func notForUs() throws {
    #expect(try take(-1, pid: "43") == nil)
    #expect(try take(-1, pid: "") == nil)
    #expect(try take(-1, count: "0") == nil)
    let none = try ListenDescriptors.socket(boundTo: [], environment: [:])?.release()
    #expect(none == nil)
  }

  @Test("A wrong number is refused")
  func numbers() {
    #expect(refusal(-1, count: "two") == .malformed("two"))
    #expect(refusal(-1, count: "-1") == .malformed("-1"))
    #expect(refusal(-1, count: "2") == .several(2))
    #expect(refusal(-1) == .notOpen)
  }

  @Test("A socket of another kind is refused")
  func kinds() throws {
    var ends: [Int32] = [-1, -1]
    try #require(pipe(&ends) == 0)
    defer { ends.forEach { close($0) } }
    #expect(refusal(ends[0]) == .notListening)
    let datagram = try ScratchSocket(SOCK_DGRAM, boundTo: path)
    #expect(refusal(datagram.descriptor) == .notListening)
    let deaf = try ScratchSocket(SOCK_STREAM, boundTo: path + "2")
    #expect(refusal(deaf.descriptor) == .notListening)
    let internet = Glibc.socket(AF_INET, Int32(SOCK_STREAM.rawValue), 0)
    defer { close(internet) }
    try #require(listen(internet, 1) == 0)
    #expect(refusal(internet) == .notListening)
  }

  @Test("A socket at another path is refused")
  func elsewhere() throws {
    let socket = try ScratchSocket(SOCK_STREAM, boundTo: path + "2")
    try #require(listen(socket.descriptor, 1) == 0)
    #expect(refusal(socket.descriptor) == .elsewhere(found: path + "2", wanted: path))
  }
}
