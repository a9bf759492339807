import CLinuxShims
import Glibc
import LibraryModel
import Platform
import TagReading
import TestSupport
import Testing

@Suite("What a reader gives up", .limited)
struct ConfinementTests {
  @Test(
    "Broken into, it can do none of what it could before",
    .enabled(if: !isSanitized, "no reader is confined under a sanitizer"))
  func escape() throws {
    let trial = try run(builtReader.parent.appending("reader-escape-trial".utf8).display, [])
    let lines = trial.output.split(separator: "\n")
    #expect(trial.status == 0, "\(trial.output)\(trial.errors)")
    #expect(lines.count == 16)
    for line in lines { #expect(line.contains(": refused ("), "\(line)") }
  }

  @Test("Without seccomp, Landlock alone keeps files, networks and other processes from it")
  func landlock() throws {
    let folder = try TemporaryFolder()
    let file = try folder.write("text", to: "file")
    let version = crated_landlock_version()
    try #require(version >= 1, "this kernel has no Landlock")
    let other = try Socket()
    let found = Monitor<[String: Bool]>([:])
    BlockingThread("confined") {
      guard crated_no_new_privileges() == 0, crated_landlock_forbid_all() == 0 else { return }
      found.withLock {
        $0 = [
          "open": opens(file), "list": opens("/"), "make": makes(folder.path("new")),
          "remove": unlink(file) == 0,
          "connect": other.isReached(),
        ]
      }
    }.join()
    let expected = ["open", "list", "make", "remove"] + (version >= 4 ? ["connect"] : [])
    let done = found.withLock { $0 }
    for what in expected { #expect(done[what] == false, "\(what)") }
    #expect(opens(file) && other.isReached(), "other threads can")
  }

  @Test(
    "seccomp and the limits are in force in a reader of the pool, and nothing is missing",
    .enabled(if: !isSanitized, "no reader is confined under a sanitizer"))
  func pool() throws {
    let folder = try TemporaryFolder()
    let pool = try ReaderPool(program: try copyOfReader(in: folder, named: "confined"), count: 1)
    defer { pool.shutDown() }
    _ = pool.read([try folder.write("text", to: "a.mp3")])
    let reader = try #require(childProcesses(named: "confined").first)
    let status = String(decoding: try readFile("/proc/\(reader)/status"), as: UTF8.self)
    #expect(status.contains("NoNewPrivs:\t1\n"))
    #expect(status.contains("Seccomp:\t2\n"))
    let limits = String(decoding: try readFile("/proc/\(reader)/limits"), as: UTF8.self)
    for (limit, most) in [
      ("Max address space", "\(512 << 20)"), ("Max file size", "0"), ("Max core file size", "0"),
      ("Max open files", "32"),
    ] {
      let line = limits.split(separator: "\n").first { $0.hasPrefix(limit) }
      let words = line?.dropFirst(limit.count).split(separator: " ").map(String.init)
      #expect(words.map { Array($0.prefix(2)) } == [most, most], "\(limit)")
    }
    #expect(pool.missingProtections == [])
  }

  @Test("What a reader could not give up is told, in a sentence each")
  func missing() throws {
    let fake = try FakeReader(greeting: "CRTREAD\\x04\\x05")
    let pool = try ReaderPool(program: fake.program, count: 1)
    defer { pool.shutDown() }
    let folder = try TemporaryFolder()
    _ = pool.read([try folder.write("text", to: "a.mp3")])
    #expect(pool.missingProtections == [.landlock, .memory])
    #expect(pool.missingProtections.warnings.count == 2)
    #expect(ReaderProtections().warnings.isEmpty)
  }
}

private func opens(_ path: String) -> Bool {
  let descriptor = open(path, O_RDONLY | O_CLOEXEC)
  if descriptor >= 0 { close(descriptor) }
  return descriptor >= 0
}

private func makes(_ path: String) -> Bool { mkdir(path, 0o700) == 0 }

/// Listens on a port of this machine.
private final class Socket: Sendable {
  private let listening: OpenFile
  private let address: sockaddr_in

  init() throws(SystemCallError) {
    listening = OpenFile(owning: socket(AF_INET, Int32(SOCK_STREAM.rawValue), 0))
    var address = sockaddr_in()
    address.sin_family = sa_family_t(AF_INET)
    address.sin_addr.s_addr = UInt32(0x7F00_0001).bigEndian
    var length = socklen_t(MemoryLayout<sockaddr_in>.size)
    let descriptor = listening.descriptor
    let result = withUnsafeMutablePointer(to: &address) { address in
      address.withMemoryRebound(to: sockaddr.self, capacity: 1) { address in
        bind(descriptor, address, length) + listen(descriptor, 4)
          + getsockname(descriptor, address, &length)
      }
    }
    guard result == 0 else { throw SystemCallError("bind", "") }
    self.address = address
  }

  func isReached() -> Bool {
    let client = OpenFile(owning: socket(AF_INET, Int32(SOCK_STREAM.rawValue), 0))
    return withUnsafePointer(to: address) { address in
      address.withMemoryRebound(to: sockaddr.self, capacity: 1) {
        connect(client.descriptor, $0, socklen_t(MemoryLayout<sockaddr_in>.size)) == 0
      }
    }
  }
}
