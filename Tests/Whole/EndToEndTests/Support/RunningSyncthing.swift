import Glibc
import Platform
import TestSupport
import Testing

/// A real Syncthing that carries one directory to and from others on this machine. It asks nothing
/// and nobody outside of it, and ends with this value at the latest.
final class RunningSyncthing {
  private struct Peer {
    var device: String
    var port: Int
  }

  private let directory: String
  private let home: TemporaryFolder
  private let own: Peer
  private var others: [Peer] = []
  private var program: RunningProgram?

  /// Starts one for each directory. All carry to each other.
  static func each(of directories: [TemporaryFolder]) throws -> [RunningSyncthing] {
    let all = try directories.map { try RunningSyncthing($0.path) }
    for one in all {
      one.others = all.filter { $0 !== one }.map(\.own)
      try one.configure()
      try one.start()
    }
    return all
  }

  private init(_ directory: String) throws {
    self.directory = directory
    home = try TemporaryFolder()
    let key = try TestSupport.run(
      "syncthing", ["generate", "--no-default-folder", "--home=\(home.path)"])
    try #require(key.status == 0, "\(key.errors)")
    let device = try TestSupport.run("syncthing", ["--device-id", "--home=\(home.path)"])
    own = Peer(device: device.output.filter { !$0.isWhitespace }, port: try freePort())
  }

  private func configure() throws {
    let all = [own] + others
    let shared = all.map { "<device id=\"\($0.device)\"/>" }.joined()
    let peers = all.map {
      "<device id=\"\($0.device)\"><address>tcp://127.0.0.1:\($0.port)</address></device>"
    }
    try home.write(
      """
      <configuration version="36">
      <folder id="order" path="\(directory)" rescanIntervalS="3600" fsWatcherDelayS="1">
      \(shared)<minDiskFree unit="">0</minDiskFree></folder>
      \(peers.joined())
      <gui enabled="true"><address>\(home.path("api"))</address><apikey>key</apikey></gui>
      <options>
      <listenAddress>tcp://127.0.0.1:\(own.port)</listenAddress>
      <globalAnnounceEnabled>false</globalAnnounceEnabled>
      <localAnnounceEnabled>false</localAnnounceEnabled>
      <relaysEnabled>false</relaysEnabled><natEnabled>false</natEnabled>
      <crashReportingEnabled>false</crashReportingEnabled><urAccepted>-1</urAccepted>
      <autoUpgradeIntervalH>0</autoUpgradeIntervalH><reconnectionIntervalS>1</reconnectionIntervalS>
      </options>
      </configuration>

      """, to: "config.xml")
  }

  func start() throws {
    let program = try RunningProgram(
      "syncthing",
      ["serve", "--home=\(home.path)", "--no-browser", "--no-restart", "--no-upgrade"],
      environment: ["HOME": home.path, "PATH": getenv("PATH").map { String(cString: $0) } ?? ""],
      errors: home.path("log"))
    self.program = program
    let isReady = try happensInTime { try ask("GET", "system/ping") != nil }
    let log = String(decoding: try readFile(home.path("log")), as: UTF8.self)
    try #require(isReady, "\(log)")
  }

  /// The others hear of nothing until it is started again.
  func stop() throws {
    program?.signal(SIGTERM)
    _ = try program?.end()
    program = nil
  }

  /// Whether all others have what is in the directory now.
  func hasCarriedAll() throws -> Bool {
    guard try ask("POST", "db/scan?folder=order") != nil else { return false }
    return try others.allSatisfy { other in
      let text = try ask("GET", "db/completion?folder=order&device=\(other.device)") ?? ""
      return text.contains("\"completion\": 100") && text.contains("\"needDeletes\": 0")
    }
  }

  /// The reply of its interface; nil where it gives none.
  private func ask(_ method: String, _ call: String) throws -> String? {
    let reply = try TestSupport.run(
      "curl",
      [
        "--silent", "--fail", "--request", method, "--unix-socket", home.path("api"),
        "--header", "X-API-Key: key", "http://syncthing/rest/\(call)",
      ])
    return reply.status == 0 ? reply.output : nil
  }
}
