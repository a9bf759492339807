import CratesInterface
import Glibc
import Platform
import TestSupport
import Testing
import VarlinkServer

@testable import WebServer

@Suite("Serving the page", .limited)
struct ServingTests {
  /// The request of a stream of changes.
  private static func watch(_ key: String) -> [UInt8] {
    Array(
      [
        "POST /call/org.crated.Crates.Watch HTTP/1.1", "Host: localhost",
        "Content-Type: application/json", "Accept: application/json-seq", "Content-Length: 2",
        "Authorization: Bearer \(key)", "", "{}",
      ].joined(separator: "\r\n").utf8)
  }

  @Test("The page is for all, with the headers of every answer and no name of a program")
  func page() throws {
    let fixture = try WebFixture()
    let connection = try fixture.connect()
    for _ in 0..<3 {
      let answer = try connection.ask("GET", "/")
      #expect(answer.status == 200 && answer.headers["content-type"] == "text/html; charset=utf-8")
      #expect(!answer.body.isEmpty)
      for (name, value) in WebResponse.always {
        #expect(answer.headers[name.lowercased()] == value)
      }
      #expect(answer.headers["server"] == nil && answer.headers["date"] == nil)
    }
    let head = try connection.ask("HEAD", "/")
    #expect(head.status == 200 && head.body.isEmpty && head.headers["content-length"] != "0")
    #expect(try connection.ask("GET", "/nothing").status == 404)
  }

  @Test("The page's files are served as they are, but for comments; with gzip in 40 KiB together")
  func files() throws {
    let fixture = try WebFixture()
    let connection = try fixture.connect()
    let folder = "Sources/Daemon/WebServer/Page"
    let files = try names(in: Repository.path(folder))
    var packed = 0
    for name in files {
      let target = name == "index.html" ? "/" : "/\(name)"
      let answer = try connection.ask("GET", target)
      #expect(answer.status == 200)
      #expect(answer.headers["content-type"] != "application/octet-stream")
      let source = try readFile(Repository.path("\(folder)/\(name)"))
      let lines = String(decoding: source, as: UTF8.self)
        .split(separator: "\n", omittingEmptySubsequences: false)
        .filter { line in
          let words = line.drop { $0 == " " }
          return !words.hasPrefix("//") && !(words.hasPrefix("/*") && words.hasSuffix("*/"))
        }
      #expect(answer.body == Array(lines.joined(separator: "\n").utf8), "\(name)")
      let small = try connection.ask("GET", target, headers: ["Accept-Encoding: gzip"])
      packed += small.body.count
    }
    #expect(files.count > 3 && packed < 40 << 10, "\(packed)")
  }

  @Test("A device comes in by a link, calls the daemon, and is known after a restart")
  func calls() throws {
    let folder = try TemporaryFolder()
    var fixture: WebFixture? = try WebFixture(in: folder)
    let key = try #require(try fixture?.key())
    let path = "/call/org.crated.Crates."
    for _ in 0..<2 {
      let answer = try #require(try fixture?.post(path + "ListCrates", [:], key: key))
      #expect(answer.status == 200 && answer.headers["content-type"] == "application/json")
      #expect(String(decoding: answer.body, as: UTF8.self) == #"{"crates":[],"sequence":7}"#)
      let fault = try #require(try fixture?.post(path + "RenameCrate", [:], key: key))
      #expect(fault.status == 409)
      #expect(
        try JSON(parsing: fault.body)["error"] == "org.varlink.service.InvalidParameter")
      #expect(try fixture?.post(path + "ListCrates", [:]).status == 401)
      #expect(try fixture?.post(path + "Artwork", [:], key: key).status == 404)
      fixture = nil
      fixture = try WebFixture(in: folder)
    }
    fixture?.stopDaemon()
    let away = try #require(try fixture?.post(path + "ListCrates", [:], key: key))
    #expect(away.status == 503 && away.headers["retry-after"] == "1")
    // The key is stored nowhere.
    var status = stat()
    #expect(stat(folder.path("state/devices"), &status) == 0 && status.st_mode & 0o777 == 0o600)
    let stored = String(decoding: try readFile(folder.path("state/devices")), as: UTF8.self)
    #expect(stored.contains("Phone") && !stored.contains(key))
  }

  @Test("crate web asks who is in, lets in by digits, and forgets")
  func control() throws {
    let fixture = try WebFixture()
    let asked = try JSON(parsing: try fixture.post("/enter", ["name": "Tablet"]).body)
    let digits = try #require(asked["code"]?.string)
    let wrong = digits == "000000" ? "000001" : "000000"
    #expect(try fixture.control(.allow(code: wrong))["error"] == "org.crated.Web.NoSuchCode")
    #expect(try fixture.control(.allow(code: digits))["parameters"] == ["name": "Tablet"])
    let request = JSON.object(JSON.Object([(key: "request", value: asked["request"] ?? .null)]))
    let entered = try JSON(parsing: try fixture.post("/enter", request).body)
    let key = try #require(entered["key"]?.string)
    #expect(try fixture.get("/devices", key: key).status == 200)
    let devices = try fixture.control(.devices)["parameters"]?["devices"]?.array
    #expect(devices?.map { $0["name"] } == ["Tablet"])
    #expect(
      try fixture.control(.forget(name: "Phone"))["error"] == "org.crated.Web.NoSuchDevice")
    #expect(try fixture.control(.forget(name: "Tablet"))["parameters"] == ["forgotten": 1])
    #expect(try fixture.get("/devices", key: key).status == 401)
    #expect(try fixture.control(.forget(name: "all"))["parameters"] == ["forgotten": 0])
  }

  @Test("A cover is the daemon's JPEG, for the device's secret and for that very picture")
  func covers() throws {
    let fixture = try WebFixture { request in
      guard case .thumbnails(let albums, let side, .jpeg) = request.call else {
        return WebFixture.echo(request)
      }
      var thumbnail = Interface.Thumbnail(album: albums[0], form: .jpeg, digest: "0f9a")
      if albums[0] == "abcd" {
        (thumbnail.width, thumbnail.height, thumbnail.bytes) = (side, side, [0xFF, 0xD8, 0xFF])
      }
      request.answer.reply(.thumbnail(thumbnail))
    }
    let key = try fixture.key()
    let devices = try JSON(parsing: try fixture.get("/devices", key: key).body)
    let secret = try #require(devices["covers"]?.string)
    let cover = try fixture.get("/covers/\(secret)/abcd/0f9a-256.jpg")
    #expect(cover.status == 200 && cover.body == [0xFF, 0xD8, 0xFF])
    #expect(cover.headers["content-type"] == "image/jpeg")
    #expect(cover.headers["cache-control"] == "private, max-age=31536000, immutable")
    #expect(cover.headers["content-security-policy"] != nil)
    // One that was replaced since, one that there is none of, and one for a stranger.
    #expect(try fixture.get("/covers/\(secret)/abcd/0f9b-256.jpg").status == 404)
    #expect(try fixture.get("/covers/\(secret)/efgh/0f9a-256.jpg").status == 404)
    #expect(try fixture.get("/covers/\(key)/abcd/0f9a-256.jpg").status == 401)
    fixture.stopDaemon()
    #expect(try fixture.get("/covers/\(secret)/abcd/0f9a-256.jpg").status == 503)
  }

  @Test("A stream has a record for each reply, and ends when its device is forgotten")
  func streams() throws {
    let watching = Monitor<Answer?>(nil)
    let isGone = Monitor(false)
    let fixture = try WebFixture { request in
      guard case .watch = request.call else { return WebFixture.echo(request) }
      // Before the first record, after which the test goes on.
      watching.withLock { $0 = request.answer }
      request.answer.onAbandon { isGone.withLock { $0 = true } }
      request.answer.reply(["n": 1], continues: true)
    }
    let key = try fixture.key()
    let connection = try fixture.connect()
    connection.send(Self.watch(key))
    func record(_ number: Int) -> [UInt8] {
      [0x1E] + Array("{\"parameters\":{\"n\":\(number)},\"continues\":true}\n".utf8)
    }
    let begun = try connection.receive { $0.firstRange(of: record(1)) != nil }
    #expect(begun.firstRange(of: Array("application/json-seq".utf8)) != nil)
    watching.withLock { $0 }?.reply(["n": 2], continues: true)
    _ = try connection.receive { $0.firstRange(of: record(2)) != nil }
    #expect(try fixture.control(.forget(name: "Phone"))["parameters"] == ["forgotten": 1])
    #expect(try connection.isClosedInTime())
    #expect(happensInTime { isGone.withLock { $0 } })
  }

  @Test("A stream that has not begun ends with its device, too")
  func forgottenEarly() throws {
    let isAsked = Monitor(false)
    let fixture = try WebFixture { request in
      guard case .watch = request.call else { return WebFixture.echo(request) }
      kept.withLock { $0.append(request.answer) }
      isAsked.withLock { $0 = true }
    }
    let connection = try fixture.connect()
    connection.send(Self.watch(try fixture.key()))
    #expect(happensInTime { isAsked.withLock { $0 } })
    #expect(try fixture.control(.forget(name: "Phone"))["parameters"] == ["forgotten": 1])
    #expect(try connection.isClosedInTime())
  }

  @Test("When a client leaves, the daemon is told")
  func leaving() throws {
    let isGone = Monitor(false)
    let fixture = try WebFixture { request in
      guard case .watch = request.call else { return WebFixture.echo(request) }
      kept.withLock { $0.append(request.answer) }
      request.answer.onAbandon { isGone.withLock { $0 = true } }
      request.answer.reply(["n": 1], continues: true)
    }
    let key = try fixture.key()
    do {
      let connection = try fixture.connect()
      connection.send(Self.watch(key))
      _ = try connection.receive { $0.firstRange(of: Array("continues".utf8)) != nil }
    }
    #expect(happensInTime { isGone.withLock { $0 } })
  }

  @Test(
    "What is too long, or no HTTP, is refused, and the connection closed",
    arguments: [
      ("GET / HTTP/1.1\r\nHost: localhost\r\nX: \(String(repeating: "x", count: 20_000))", 431),
      ("GET /\(String(repeating: "x", count: 20_000)) HTTP/1.1\r\nHost: localhost\r\n\r\n", 431),
      ("\u{16}\u{3}\u{1} hello\r\n\r\n", 400), ("GET / HTTP/9.9\r\n\r\n", 400),
      ("GET / HTTP/1.1\r\nHost: localhost\r\nContent-Length: x\r\n\r\n", 400),
      (
        "POST /enter HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/json\r\n"
          + "Content-Length: 2000000\r\n\r\n" + String(repeating: " ", count: 1_200_000), 413
      ),
      (
        "POST /enter HTTP/1.1\r\nHost: localhost\r\nContent-Length: 3\r\n"
          + "Transfer-Encoding: chunked\r\n\r\n", 400
      ),
    ])
  func refused(text: String, status: Int) throws {
    let fixture = try WebFixture()
    let connection = try fixture.connect()
    connection.send(Array(text.utf8))
    let answer = try connection.answer()
    #expect(answer.status == status)
    #expect(answer.headers["content-security-policy"] != nil)
    #expect(try connection.isClosedInTime())
    #expect(try fixture.get("/").status == 200)
  }

  @Test("A body of any size up to the limit is taken, however it is cut")
  func pieces() throws {
    let fixture = try WebFixture()
    let connection = try fixture.connect()
    let body = Array("{\"name\": \"\(String(repeating: "x", count: 900_000))\"}".utf8)
    #expect(try connection.ask("POST", "/enter", body: body).status == 200)
    let head = "POST /enter HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/json\r\n"
    for byte in (head + "Content-Length: 2\r\n\r\n{}").utf8 { connection.send([byte]) }
    #expect(try connection.answer().status == 200)
  }

  @Test("Requests that are sent without waiting are answered in their order")
  func pipelined() throws {
    let fixture = try WebFixture()
    let key = try fixture.key()
    let connection = try fixture.connect()
    let call = [
      "POST /call/org.crated.Crates.ListCrates HTTP/1.1", "Host: localhost",
      "Content-Type: application/json", "Content-Length: 2", "Authorization: Bearer \(key)", "",
      "{}",
    ].joined(separator: "\r\n")
    let page = "GET /nothing HTTP/1.1\r\nHost: localhost\r\n\r\n"
    connection.send(Array((call + page + call + page).utf8))
    let all = try connection.receive { bytes in
      String(decoding: bytes, as: UTF8.self).split(separator: "Nothing is here.").count > 2
    }
    let lines = String(decoding: all, as: UTF8.self).split(separator: "\r\n")
    let statuses = lines.flatMap { $0.split(separator: "HTTP/1.1 ").suffix(1) }
      .filter { ["200 OK", "404 Not Found"].contains($0) }
    #expect(statuses == ["200 OK", "404 Not Found", "200 OK", "404 Not Found"])
  }

  @Test("A client that asks once gets a long answer whole, slow or not")
  func closing() throws {
    let text = String(repeating: "x", count: 5_000_000)
    let fixture = try WebFixture { $0.answer.reply(["text": .string(text)]) }
    let key = try fixture.key()
    for header in ["Connection: close", "Connection: keep-alive"] {
      let answer = try fixture.connect().ask(
        "POST", "/call/org.crated.Crates.Status", key: key, headers: [header], body: [])
      #expect(answer.body.count == text.utf8.count + 11)
    }
  }

  @Test("A request that doesn't end is given up, and so is a connection that asks nothing")
  func slow() throws {
    var limits = WebLimits()
    limits.requestMilliseconds = 50
    limits.idleMilliseconds = 50
    let fixture = try WebFixture(limits: limits)
    for text in ["", "G", "GET / HTTP/1.1\r\nHost: localhost\r\n"] {
      let connection = try fixture.connect()
      connection.send(Array(text.utf8))
      #expect(try connection.isClosedInTime(), "\(text)")
    }
    let used = try fixture.connect()
    #expect(try used.ask("GET", "/").status == 200)
    #expect(try used.isClosedInTime())
  }

  @Test("Connections without a key make room for others; one with a key stays")
  func crowd() throws {
    var limits = WebLimits()
    limits.connections = 4
    let fixture = try WebFixture(limits: limits)
    let key = try fixture.key()
    let good = try fixture.connect()
    let call = "/call/org.crated.Crates.ListCrates"
    #expect(try good.ask("POST", call, key: key, body: []).status == 200)
    var others: [Socket] = []
    for _ in 0..<20 {
      others.append(try fixture.connect())
      #expect(try good.ask("POST", call, key: key, body: []).status == 200)
    }
    #expect(try others[0].isClosedInTime())
    #expect(try fixture.post(call, [:], key: key).status == 200)
  }

  @Test("More than so many streams are refused, and there is room again when one ends")
  func manyStreams() throws {
    var limits = WebLimits()
    limits.streams = 2
    let fixture = try WebFixture(limits: limits) { request in
      guard case .watch = request.call else { return WebFixture.echo(request) }
      kept.withLock { $0.append(request.answer) }
      request.answer.reply(["n": 1], continues: true)
    }
    let key = try fixture.key()
    func watch() throws -> (socket: Socket, status: String) {
      let connection = try fixture.connect()
      connection.send(Self.watch(key))
      let begun = try connection.receive { $0.count > 20 }
      return (connection, String(decoding: begun.prefix(12), as: UTF8.self))
    }
    var open = try (0..<2).map { _ in try watch() }
    #expect(open.map(\.status) == ["HTTP/1.1 200", "HTTP/1.1 200"])
    #expect(try watch().status == "HTTP/1.1 429")
    open.removeFirst()
    #expect(try happensInTime { try watch().status == "HTTP/1.1 200" })
  }

  @Test("Damaged devices are not no devices")
  func damaged() throws {
    let folder = try TemporaryFolder()
    try folder.write("{\"devices\": [", to: "state/devices")
    #expect(throws: DeviceFile.ReadError.self) { try WebFixture(in: folder) }
    #expect(try readFile(folder.path("state/devices")) == Array("{\"devices\": [".utf8))
  }
}

/// Answers that the daemon of a test goes on with.
private let kept = Monitor<[Answer]>([])
