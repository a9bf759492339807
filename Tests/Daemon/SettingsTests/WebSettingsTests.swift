import Settings
import TestSupport
import Testing

@Suite("Where the page is served", .limited)
struct WebSettingsTests {
  let home: ScratchHome

  init() throws {
    home = try ScratchHome()
  }

  @Test("By default it is for this machine alone, by its own names")
  func defaults() throws {
    let settings = try home.read("")
    #expect(settings.web == WebAddress("127.0.0.1:8337"))
    #expect(settings.web.isLoopback && settings.web.warning == nil)
    #expect(settings.webNames == [])
  }

  enum Reach { case loopback, everywhere, network }

  @Test(
    "Any address of IPv4 or IPv6 and a port may be written, and it is known who reaches it",
    arguments: [
      ("127.0.0.1:8337", "127.0.0.1", 8337, .loopback), ("127.9.0.3:1", "127.9.0.3", 1, .loopback),
      ("[::1]:65535", "::1", 65_535, .loopback), ("[0:0::0:1]:80", "::1", 80, .loopback),
      ("0.0.0.0:8337", "0.0.0.0", 8337, .everywhere), ("[::]:80", "::", 80, .everywhere),
      ("192.168.1.20:8337", "192.168.1.20", 8337, .network),
      ("[FD00::20]:8337", "fd00::20", 8337, .network), ("[1::1]:80", "1::1", 80, .network),
      ("[::ffff:127.0.0.1]:80", "::ffff:127.0.0.1", 80, .network),
    ] as [(String, String, Int, Reach)])
  func addresses(written: String, host: String, port: Int, reach: Reach) throws {
    let web = try home.read("web = \"\(written)\"").web
    #expect(web.host == host && web.port == port)
    #expect(web.isLoopback == (reach == .loopback))
    #expect(web.isEverywhere == (reach == .everywhere))
    #expect(web.text == (written.hasPrefix("[") ? "[\(host)]:\(port)" : "\(host):\(port)"))
    #expect((web.warning == nil) == web.isLoopback)
    #expect(web.warning?.contains(web.text) != false)
    #expect(web.warning?.contains("others on that network can read along") != false)
  }

  @Test(
    "Whatever else is written is refused, with what can be",
    arguments: [
      "", ":", "8337", ":8337", "127.0.0.1", "127.0.0.1:", "127.0.0.1:0", "127.0.0.1:08337",
      "127.0.0.1:65536", "127.0.0.1:+80", "127.0.0.1: 80", "127.0.0.1:8337 ", "127.0.0.1:٨",
      "127.0.0.1:99999999999999999999", "127.1:80", "127.0.0.01:80", "256.0.0.1:80", "::1:80",
      "[::1]", "[::1]80", "[127.0.0.1]:80", "[::1%lo]:80", "[fe80::1%eth0]:80", "[[::1]]:80",
      "[]:80", "[:80", "localhost:8337", "*:8337", "http://127.0.0.1:8337",
    ])
  func wrongAddresses(written: String) throws {
    let message = try home.refusal("# first line\nweb = \"\(written)\"")
    #expect(
      message.contains(
        "line 2: web can't be “\(written)”; write an address of this machine and a port, such as"
          + " \"127.0.0.1:8337\" or \"[::1]:8337\""), "\(message)")
  }

  @Test("Names are read in small letters, 64 of them at most")
  func names() throws {
    let longest = [63, 63, 63, 61].map { String(repeating: "a", count: $0) }.joined(separator: ".")
    let settings = try home.read(
      "web_names = [\"Music.Example.ORG\", \"nas\", \"xn--mnchen-3ya.de\", \"\(longest)\"]")
    #expect(settings.webNames == ["music.example.org", "nas", "xn--mnchen-3ya.de", longest])
    func list(_ count: Int) -> String {
      "web_names = [\((1...count).map { "\"host\($0)\"" }.joined(separator: ", "))]"
    }
    #expect(try home.read(list(64)).webNames.count == 64)
    #expect(try home.refusal(list(65)).contains("web_names holds 65 names, and 64 is the most"))
  }

  @Test(
    "What is no host's name is refused, with what can be written",
    arguments: [
      "", ".", "a.", ".a", "a..b", "-a", "a-.b", "a b", "a:8337", "*.example.org",
      "https://music.example.org", "münchen.de", "a_b", "a/",
      String(repeating: "a", count: 64),
      [63, 63, 63, 62].map { String(repeating: "a", count: $0) }.joined(separator: "."),
    ])
  func wrongNames(name: String) throws {
    let message = try home.refusal("web_names = [\"good\", \"\(name)\"]")
    #expect(
      message.contains("line 1: web_names can't hold “\(name)”; write names of hosts alone"),
      "\(message)")
  }

  @Test("A value of another type is refused")
  func types() throws {
    #expect(try home.refusal("web = 8337").contains("web is a whole number"))
    #expect(try home.refusal("web = [\"127.0.0.1:80\"]").contains("web is a list"))
    #expect(try home.refusal("web_names = \"nas\"").contains("web_names is a text"))
  }
}
