import Glibc
import Platform
import ProgramSupport
import TestSupport
import Testing

@Suite("The page of crated web", .limited)
struct WindowTests {
  private let home: Home
  private let port: Int

  init() throws {
    home = try Home()
    // Free a moment ago; nobody else takes it within the test.
    let probe = OpenFile(owning: try Self.listening(on: 0))
    port = try Self.port(of: probe.descriptor)
    try home.configure(
      "music_folders = [\"\(home.music)\"]\nweb = \"127.0.0.1:\(port)\"\n")
  }

  private static func listening(on port: Int) throws -> Int32 {
    let descriptor = socket(AF_INET, Int32(SOCK_STREAM.rawValue), 0)
    var address = sockaddr_in()
    address.sin_family = sa_family_t(AF_INET)
    address.sin_port = in_port_t(port).bigEndian
    address.sin_addr.s_addr = in_addr_t(0x7f00_0001).bigEndian
    let bound = withUnsafePointer(to: &address) { pointer in
      pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) {
        bind(descriptor, $0, socklen_t(MemoryLayout<sockaddr_in>.size))
      }
    }
    try #require(bound == 0 && listen(descriptor, 1) == 0)
    return descriptor
  }

  private static func port(of descriptor: Int32) throws -> Int {
    var address = sockaddr_in()
    var length = socklen_t(MemoryLayout<sockaddr_in>.size)
    let named = withUnsafeMutablePointer(to: &address) { pointer in
      pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) {
        getsockname(descriptor, $0, &length)
      }
    }
    try #require(named == 0)
    return Int(in_port_t(bigEndian: address.sin_port))
  }

  /// `crated web`, once it listens.
  private func serving() throws -> RunningDaemon {
    try RunningDaemon(home, behind: ["sh", "-c", "exec \"$0\" web"])
  }

  /// Asks by curl, a client of others.
  private func ask(_ path: String, _ body: String? = nil, key: String? = nil) throws -> String {
    var words = ["--silent", "--max-time", "\(Patience.seconds)"]
    if let key { words += ["--header", "Authorization: Bearer \(key)"] }
    if let body { words += ["--header", "Content-Type: application/json", "--data", body] }
    let result = try run(
      "curl", words + ["http://localhost:\(port)\(path)"], environment: home.environment)
    #expect(result.status == 0, "\(result.errors)")
    return result.output
  }

  /// The key of a device that comes in by a link.
  private func enter() throws -> String {
    let link = try home.crate("web", "--link").output
    let code = link.dropLast().split(separator: "#").last ?? ""
    let entered = try ask("/enter", #"{"code": "\#(code)", "name": "Sofa"}"#)
    return try #require(entered.firstMatch(of: /"key":"([^"]+)"/).map { String($0.1) })
  }

  @Test("A device that comes in by crate web's link moves an album, until it is forgotten")
  func whole() throws {
    try SmallLibrary.write(albums: 1, to: home.music)
    let daemon = try RunningDaemon(home)
    try home.crate("sync")
    let page = try serving()
    #expect(try ask("/").contains("<title>Crated</title>"))
    #expect(try ask("/call/org.crated.Crates.ListCrates", "{}") == "Not let in.\n")
    let key = try enter()
    let albums = try ask("/call/org.crated.Crates.ListAlbums", #"{"crate": "Music"}"#, key: key)
    let id = albums.firstMatch(of: /"id":"(\w+)"/).map { String($0.1) } ?? ""
    let moved = try ask(
      "/call/org.crated.Crates.MoveAlbums",
      #"{"albums": ["\#(id)"], "crate": "Jazz"}"#, key: key)
    #expect(moved.contains("Album 0"))
    #expect(try home.crate("list", "Jazz").output.contains("Album 0"))
    #expect(try home.crate("web", "--devices").output.hasPrefix("Sofa\t"))
    try home.crate("web", "--forget", "Sofa")
    #expect(try ask("/call/org.crated.Crates.ListCrates", "{}", key: key) == "Not let in.\n")
    try page.stop()
    try daemon.stop()
  }

  @Test("It plays by an mpv that runs, and says so where none does")
  func plays() throws {
    try SmallLibrary.write(albums: 1, to: home.music)
    let daemon = try RunningDaemon(home)
    try home.crate("sync")
    let page = try serving()
    let key = try enter()
    let albums = try ask("/call/org.crated.Crates.ListAlbums", #"{"crate": "Music"}"#, key: key)
    let id = albums.firstMatch(of: /"id":"(\w+)"/).map { String($0.1) } ?? ""
    let wanted = #"{"albums": ["\#(id)"]}"#
    #expect(try ask("/play", wanted, key: key).contains("no player runs where Crated is"))
    let socket = home.folder.path("run/crated/mpv.socket")
    let mpv = try RunningProgram(
      "mpv", ["--idle", "--no-config", "--ao=null", "--input-ipc-server=\(socket)"],
      environment: home.environment, errors: home.log)
    let answer = #"{"text":"mpv plays 3 songs"}"#
    #expect(try happensInTime { try ask("/play", wanted, key: key) == answer })
    mpv.signal(SIGTERM)
    _ = try mpv.end()
    try page.stop()
    try daemon.stop()
  }

  @Test("It ends with status 0 each time, though it can't read /proc any longer")
  func ends() throws {
    for _ in 0..<20 {
      let page = try serving()
      #expect(try ask("/").contains("<title>Crated</title>"))
      try page.stop()
    }
  }

  @Test("Broken into, it reaches no network and no file of others")
  func escape() throws {
    let trial = try run(
      try Home.program("crated"), ["web", "--try-to-escape"], environment: home.environment)
    let lines = trial.output.split(separator: "\n")
    #expect(trial.status == 0 && lines.count == 11, "\(trial.output)\(trial.errors)")
    for line in lines where !line.hasSuffix(": never possible") {
      #expect(line.contains(": refused ("), "\(line)")
    }
    #expect(lines.count { $0.contains(": refused (") } >= 8)
  }

  @Test("Where another program has its port, it says so, with a status after which none is tried")
  func occupied() throws {
    let other = OpenFile(owning: try Self.listening(on: port))
    let result = try run(
      try Home.program("crated"), ["web"], environment: home.environment)
    #expect(result.status == 78)
    #expect(result.errors.contains("127.0.0.1:\(port) is in use by another program"))
    _ = other.descriptor
  }

  @Test("The daemon has no socket of the network")
  func daemon() throws {
    let daemon = try RunningDaemon(home)
    var own: Set<String> = []
    for name in try names(in: "/proc/\(daemon.pid)/fd") {
      var link = [CChar](repeating: 0, count: 64)
      let count = readlink("/proc/\(daemon.pid)/fd/\(name)", &link, link.count)
      let bytes = link.prefix(max(count, 0)).map { UInt8(bitPattern: $0) }
      let target = String(decoding: bytes, as: UTF8.self)
      if target.hasPrefix("socket:[") { own.insert(String(target.dropFirst(8).dropLast())) }
    }
    #expect(!own.isEmpty)
    for table in ["tcp", "tcp6", "udp", "udp6", "raw", "raw6"] {
      let text = String(
        decoding: try readFile("/proc/\(daemon.pid)/net/\(table)"), as: UTF8.self)
      for line in text.split(separator: "\n").dropFirst() {
        let fields = line.split(separator: " ")
        #expect(fields.count < 10 || !own.contains(String(fields[9])), "\(table): \(line)")
      }
    }
    try daemon.stop()
  }
}
