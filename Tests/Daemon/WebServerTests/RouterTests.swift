import CratesInterface
import TestSupport
import Testing

@testable import WebServer

@Suite("What requests come to", .limited)
struct RouterTests {
  private let router = Router(
    hosts: HostRule(machine: "Attic.example.net", others: ["Music.example.org"]),
    page: PageFiles(
      ["index.html": Array("page".utf8), "app.js": Array("code".utf8)],
      packing: { [1] + $0 }))

  /// A door with one device, and its key.
  private func door() throws -> (Door, key: String) {
    var door = Door()
    let code = door.link(at: 0)
    let key = try #require(try door.enter(withCode: code, name: "Phone", at: 0, date: 0))
    return (door, key)
  }

  private func response(_ step: WebStep) -> WebResponse? {
    switch step {
    case .respond(let response): response
    case .call, .cover, .play: nil
    }
  }

  private func status(
    _ method: String, _ target: String, _ headers: [String: String] = [:], body: String = "",
    _ door: Door = Door()
  ) -> Int? {
    var door = door
    var all = ["Host": "127.0.0.1:8337"]
    if method != "GET", method != "HEAD" { all["Content-Type"] = "application/json" }
    all.merge(headers) { $1 }
    let request = WebRequest(
      method, target, headers: all.filter { $0.value != "-" }.map { ($0.key, $0.value) },
      body: Array(body.utf8))
    return response(router.step(for: request, door: &door, at: 0, date: 0))?.status
  }

  @Test(
    "An address, this machine's name and the names of the settings lead to the page",
    arguments: [
      "127.0.0.1", "127.0.0.1:8337", "192.168.1.20:80", "[::1]:8337", "[fe80::1]", "localhost",
      "LOCALHOST:8337", "attic", "attic.local:1", "Attic.", "music.example.org",
      "MUSIC.example.org:443",
    ])
  func ownNames(host: String) {
    #expect(status("GET", "/", ["Host": host]) == 200)
  }

  @Test(
    "Any other name leads nowhere, whatever is asked for",
    arguments: [
      "", "evil.example.org", "attic.example.net", "localhost.evil.org", "evil.localhost",
      "127.0.0.1.evil.org", "127.0.0.1evil", "127.1", "2130706433", "0x7f000001", "[::1", "::1",
      "[127.0.0.1]", "localhost:", "localhost:80:80", "localhost:x", "a@localhost", "[::1]evil",
      "music.example.org.evil", "-", "localhost, evil.org", "local host", ".",
    ])
  func otherNames(host: String) throws {
    let (door, key) = try door()
    for (method, target) in [
      ("GET", "/"), ("GET", "/devices"), ("POST", "/enter"), ("GET", "/nothing"), ("PUT", "/"),
    ] {
      let headers = ["Host": host, "Authorization": "Bearer \(key)"]
      #expect(status(method, target, headers, door) == 421, "\(method) \(target)")
    }
  }

  @Test("Two names are none")
  func twoHosts() {
    var door = Door()
    let request = WebRequest("GET", "/", headers: [("Host", "localhost"), ("host", "localhost")])
    #expect(response(router.step(for: request, door: &door, at: 0, date: 0))?.status == 421)
  }

  @Test(
    "What changes something comes from the window's own page",
    arguments: [
      (["Origin": "http://127.0.0.1:8337"], 200), (["Origin": "https://127.0.0.1:8337"], 200),
      (["Origin": "http://127.0.0.1:8337", "Sec-Fetch-Site": "same-origin"], 200),
      (["Origin": "http://127.0.0.1"], 403), (["Origin": "http://127.0.0.1:8338"], 403),
      (["Origin": "http://localhost:8337"], 403), (["Origin": "null"], 403),
      (["Origin": ""], 403), (["Origin": "http://evil.example.org"], 403),
      (["Origin": "ftp://127.0.0.1:8337"], 403), (["Sec-Fetch-Site": "cross-site"], 403),
      (["Sec-Fetch-Site": "same-site"], 403), (["Sec-Fetch-Site": "none"], 403),
      (["Content-Type": "text/plain"], 415), (["Content-Type": "-"], 415),
      (["Content-Type": "application/x-www-form-urlencoded"], 415),
      (["Content-Type": "multipart/form-data"], 415),
      (["Content-Type": "Application/JSON; charset=utf-8"], 200),
    ] as [([String: String], Int)])
  func origins(headers: [String: String], expected: Int) {
    #expect(status("POST", "/enter", headers, body: "{\"name\": \"Phone\"}") == expected)
  }

  @Test("Reading the page's files needs no key and no origin; nothing else is there")
  func files() {
    #expect(status("GET", "/") == 200 && status("HEAD", "/app.js") == 200)
    #expect(status("GET", "/?from=home", ["Origin": "http://evil.example.org"]) == 200)
    for target in [
      "/nothing", "/app.js/", "//", "/index.html", "/../app.js", "/%61pp.js", "*", "",
      "http://127.0.0.1/", "/enter/", "/covers", "/call", "/APP.JS",
    ] {
      #expect(status("GET", target) == 404, "\(target)")
    }
    #expect(status("POST", "/") == 405 && status("DELETE", "/app.js") == 405)
    #expect(status("GET", "/enter") == 405 && status("PUT", "/enter") == 405)
    #expect(status("GET", "/call/org.crated.Crates.Status") == 405)
    #expect(status("POST", "/covers/a/b/c-16.jpg") == 405)
    #expect(status("DELETE", "/devices") == 405)
  }

  @Test("A packed file is for those that take one")
  func packing() throws {
    var door = Door()
    for (accepted, isPacked) in [
      (nil, false), ("gzip, deflate, br", true), ("br;q=1.0, gzip;q=0.8", true),
      ("gzip;q=0", false),
      ("identity", false), ("x-gzip", false), ("GZIP", true),
    ] as [(String?, Bool)] {
      let headers = [("Host", "localhost")] + (accepted.map { [("Accept-Encoding", $0)] } ?? [])
      let answer = try #require(
        response(
          router.step(
            for: WebRequest("GET", "/app.js", headers: headers.map { (name: $0.0, value: $0.1) }),
            door: &door, at: 0, date: 0)))
      #expect((answer.headers["Content-Encoding"] == "gzip") == isPacked, "\(accepted ?? "")")
      #expect(answer.body == (isPacked ? [1] : []) + Array("code".utf8))
      #expect(answer.headers["Vary"] == "Accept-Encoding")
    }
  }

  @Test("Without a key, and with a wrong one, everything is the same refusal")
  func strangers() throws {
    let (known, key) = try door()
    var seen: Set<WebResponse> = []
    for (method, target) in [
      ("GET", "/devices"), ("POST", "/devices"), ("POST", "/call/org.crated.Crates.ListCrates"),
      ("POST", "/call/org.crated.Crates.Nothing"), ("POST", "/call/"),
      ("GET", "/covers/secret/album/digest-64.jpg"), ("GET", "/covers///-"),
      ("POST", "/enter"),
    ] {
      for header in [nil, "Bearer ", "Bearer wrong", "Basic \(key)", key, "Bearer \(key)x"] {
        var door = known
        var headers = [(name: "Host", value: "localhost")]
        if method == "POST" { headers.append((name: "Content-Type", value: "application/json")) }
        if let header { headers.append((name: "Authorization", value: header)) }
        let request = WebRequest(
          method, target, headers: headers, body: Array("{\"code\": \"wrong\"}".utf8))
        let answer = try #require(
          response(router.step(for: request, door: &door, at: 0, date: 0)))
        seen.insert(answer)
      }
    }
    #expect(seen.count == 1 && seen.first?.status == 401)
  }

  @Test("The methods of the page are called, with the body as parameters; others are not there")
  func calls() throws {
    var (door, key) = try door()
    func step(_ name: String, _ body: String, accept: String = "*/*") -> WebStep {
      router.step(
        for: WebRequest(
          "POST", "/call/\(name)",
          headers: [
            ("host", "localhost"), ("content-type", "application/json"), ("accept", accept),
            ("authorization", "bearer \(key)"),
          ], body: Array(body.utf8)), door: &door, at: 0, date: 0)
    }
    for method in Router.methods {
      guard
        case .call(let name, let parameters, let streams, let device) =
          step("org.crated.Crates.\(method)", "{\"a\": 1}", accept: "application/json-seq")
      else {
        Issue.record("\(method)")
        continue
      }
      #expect(name == "org.crated.Crates.\(method)" && parameters == ["a": 1] && streams)
      #expect(device.name == "Phone")
    }
    guard case .call(_, [:], false, _) = step("org.crated.Crates.Status", "") else {
      Issue.record("an empty body is no parameters")
      return
    }
    for name in [
      "org.crated.Crates.Rescan", "org.crated.Crates.Artwork", "org.crated.Crates.status",
      "org.crated.Web.Link", "org.varlink.service.GetInfo", "Status", "",
    ] {
      #expect(response(step(name, "{}"))?.status == 404, "\(name)")
    }
    for body in ["[]", "1", "{", "{\"a\":1}x", "\u{0}"] {
      #expect(response(step("org.crated.Crates.Status", body))?.status == 400, "\(body)")
    }
  }

  @Test("Pictures need the device's own secret, and a name that can be one")
  func covers() throws {
    var (door, key) = try door()
    let secret = try #require(door.devices.first?.covers)
    func step(_ target: String) -> WebStep {
      router.step(
        for: WebRequest("GET", target, headers: [("host", "localhost")]), door: &door, at: 0,
        date: 0)
    }
    guard case .cover(let name) = step("/covers/\(secret)/abcd/0f9a-256.jpg") else {
      Issue.record("a cover is asked for")
      return
    }
    #expect(name.album == "abcd" && name.digest == "0f9a" && name.side == 256)
    #expect(response(step("/covers/\(key)/abcd/0f9a-256.jpg"))?.status == 401)
    for rest in [
      "abcd/0f9a-15.jpg", "abcd/0f9a-513.jpg", "abcd/0f9a-x.jpg", "abcd/0f9a.jpg", "abcd/-64.jpg",
      "/0f9a-64.jpg", "ab%20cd/0f9a-64.jpg", "abcd/0f9a-64.png", "../0f9a-64.jpg",
    ] {
      #expect(response(step("/covers/\(secret)/\(rest)"))?.status == 404, "\(rest)")
    }
  }

  @Test("Albums or songs are played, for those who are in")
  func playing() throws {
    var (door, key) = try door()
    func step(_ body: String, key: String) -> WebStep {
      router.step(
        for: WebRequest(
          "POST", "/play",
          headers: [
            ("host", "localhost"), ("content-type", "application/json"),
            ("authorization", "Bearer \(key)"),
          ], body: Array(body.utf8)), door: &door, at: 0, date: 0)
    }
    for (body, things, adds) in [
      (#"{"albums": ["abcd"]}"#, .albums(["abcd"]), false),
      (#"{"songs": ["a", "b"], "add": true}"#, .songs(["a", "b"]), true),
    ] as [(String, PlayRequest.Things, Bool)] {
      guard case .play(let wanted, _) = step(body, key: key) else {
        Issue.record("\(body)")
        continue
      }
      #expect(wanted.things == things && wanted.adds == adds)
    }
    for body in [
      "", "{}", "[]", #"{"albums": []}"#, #"{"albums": [1]}"#, #"{"albums": "a"}"#,
      #"{"albums": ["a"], "songs": ["b"]}"#,
      "{\"songs\": [\(Array(repeating: "\"a\"", count: 1_001).joined(separator: ","))]}",
    ] {
      #expect(response(step(body, key: key))?.status == 400, "\(body.prefix(60))")
    }
    #expect(response(step(#"{"albums": ["abcd"]}"#, key: "another"))?.status == 401)
  }

  @Test("Devices see each other, let in and forget")
  func devices() throws {
    var (door, key) = try door()
    func send(_ method: String, _ body: String = "", target: String = "/devices") throws -> JSON {
      let request = WebRequest(
        method, target,
        headers: [
          ("host", "localhost"), ("content-type", "application/json"),
          ("authorization", "Bearer \(key)"),
        ], body: Array(body.utf8))
      let answer = response(router.step(for: request, door: &door, at: 0, date: 3))
      return try JSON(parsing: try #require(answer).body)
    }
    let waiting = try send("POST", "{\"name\": \"Tablet\"}", target: "/enter")
    let digits = try #require(waiting["code"]?.string)
    let request = try #require(waiting["request"]?.string)
    let again = "{\"request\": \"\(request)\"}"
    #expect(try send("POST", again, target: "/enter") == ["waiting": true])
    #expect(try send("POST", "{\"allow\": \"nothing\"}") == ["allowed": .null])
    #expect(try send("POST", "{\"allow\": \"\(digits)\"}") == ["allowed": "Tablet"])
    let other = try #require(try send("POST", again, target: "/enter")["key"]?.string)
    let list = try send("GET")
    #expect(list["covers"]?.string == door.device(withKey: key)?.covers)
    #expect(list["devices"]?.array?.map { $0["name"]?.string } == ["Phone", "Tablet"])
    #expect(list["devices"]?.array?.map { $0["this"]?.bool } == [true, false])
    let id = try #require(door.device(withKey: other)?.id)
    let left = try send("POST", "{\"forget\": \"\(id)\"}")
    #expect(left["devices"]?.array?.count == 1 && door.device(withKey: other) == nil)
  }

  @Test("Every answer has the headers that keep strangers out, and none that names anything")
  func headers() {
    for answer in [
      WebResponse.notLetIn, .daemonIsAway, .text(421, ""), .json([:]), .json(409, []),
    ] {
      let headers = answer.allHeaders
      #expect(headers["Cache-Control"] == "no-store")
      #expect(headers["X-Content-Type-Options"] == "nosniff")
      #expect(headers["Referrer-Policy"] == "no-referrer")
      #expect(headers["Cross-Origin-Opener-Policy"] == "same-origin")
      #expect(headers["Cross-Origin-Resource-Policy"] == "same-origin")
      #expect(
        headers["Content-Security-Policy"] == """
          default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self'; \
          connect-src 'self'; manifest-src 'self'; base-uri 'none'; form-action 'none'; \
          frame-ancestors 'none'; require-trusted-types-for 'script'
          """)
      #expect(headers["Server"] == nil && headers.keys.allSatisfy { !$0.contains("Allow-Origin") })
    }
  }
}
