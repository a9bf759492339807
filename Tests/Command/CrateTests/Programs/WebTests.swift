import CratesInterface
import Glibc
import ProgramSupport
import TestSupport
import Testing

@testable import crate

@Suite("crate web", .limited)
struct WebTests {
  private let home: Home
  private static let url = "http://127.0.0.1:8337/#0123abc"

  init() throws { home = try Home() }

  private func serving(
    warning: String? = nil, _ answer: (@Sendable (WebCall) throws -> WebReply)? = nil
  ) throws -> FakeWeb {
    try FakeWeb(home) { try answer?($0) ?? .link(url: Self.url, warning: warning) }
  }

  /// A browser that writes down what it is to open.
  private func browser(_ line: String = "printf '%s\\n' \"$@\" > \"$0.opened\"") throws {
    try home.folder.write("#!/bin/sh\n\(line)\n", to: "browser")
    #expect(chmod(home.folder.path("browser"), 0o755) == 0)
    home.environment["BROWSER"] = home.folder.path("browser")
  }

  private func opened() throws -> String {
    String(decoding: try readFile(home.folder.path("browser.opened")), as: UTF8.self)
  }

  @Test("It opens the page in the browser, and prints nothing")
  func opens() throws {
    let web = try serving()
    try browser()
    let result = try home.crate("web")
    #expect(result.output == "" && result.errors == "")
    #expect(try opened() == Self.url + "\n")
    #expect(web.calls == [.link])
  }

  @Test("Without a browser, or where that fails at once, it prints the link")
  func withoutBrowser() throws {
    let web = try serving()
    let words = "Open this link in a browser, within a minute:\n\(Self.url)\n"
    #expect(try home.crate("web").output == words)
    try browser("exit 3")
    #expect(try home.crate("web").output == words)
    #expect(web.calls == [.link, .link])
  }

  @Test("Others on the network who can read along are told of in a line on standard error")
  func warned() throws {
    let web = try serving(warning: "others can read along")
    try browser()
    let warning = "crate: others can read along\n"
    #expect(try home.crate("web").errors == warning)
    let link = try home.crate("web", "--link")
    #expect(link.output == Self.url + "\n" && link.errors == warning)
    #expect(try home.crate("web", "--link", "--json").errors == warning)
    #expect(web.calls.count == 3)
  }

  @Test("A code lets a device in, with blanks and dashes in it or without")
  func allows() throws {
    let web = try serving { call in
      guard call == .allow(code: "042817") else { throw WebError.noSuchCode }
      return .allowed(name: "Ada's \u{1B}Phone")
    }
    for code in [["042817"], ["042 817"], ["042-817"], ["042", "817"], ["04", "28", "17"]] {
      let result = try home.crate(["web", "--allow"] + code)
      #expect(result.output == "Ada's ␛Phone may come in now\n")
    }
    let refused = try home.crate("web", "--allow", "111111", status: 1)
    #expect(
      refused.errors == "crate: no device shows that code; codes are good for ten minutes\n")
    #expect(refused.output == "")
    #expect(web.calls.count == 6)
    #expect(
      try home.crate("web", "--allow", "042817", "--json").output
        == "{\"name\":\"Ada's \\u001bPhone\"}\n")
  }

  @Test("The devices are listed, for programs with tabs or as objects")
  func lists() throws {
    let web = try serving { _ in
      .devices([
        WebDevice(name: "Phone\t1", since: 1_764_427_560), WebDevice(name: "Sofa", since: .max),
      ])
    }
    #expect(
      try home.crate("web", "--devices").output
        == "Phone 1\t2025-11-29 14:46:00\nSofa\t9223372036854775807\n")
    #expect(
      try home.crate("web", "--devices", "--json").output
        == "{\"name\":\"Phone\\t1\",\"since\":1764427560}\n"
        + "{\"name\":\"Sofa\",\"since\":9223372036854775807}\n")
    #expect(web.calls == [.devices, .devices])
  }

  @Test("Devices are forgotten by name, or all")
  func forgets() throws {
    let web = try serving { call in
      switch call {
      case .forget("all"): .forgotten(3)
      case .forget("Phone"): .forgotten(1)
      case .forget(let name): throw WebError.noSuchDevice(name: name)
      default: .link(url: "")
      }
    }
    #expect(try home.crate("web", "--forget", "all").output == "3 devices are forgotten\n")
    #expect(try home.crate("web", "--forget", "Phone").output == "1 device is forgotten\n")
    #expect(
      try home.crate("web", "--forget", "Tv", status: 1).errors
        == "crate: no device is called “Tv”; crate web --devices shows them\n")
    #expect(web.calls == ["all", "Phone", "Tv"].map { .forget(name: $0) })
  }

  @Test("It is used wrongly with two options, a code of other than six digits, or a name")
  func wrongUse() throws {
    for arguments in [
      ["--link", "--devices"], ["--allow", "042817", "--forget", "all"], ["--allow", "04281"],
      ["--allow", "0428170"], ["--allow", "04281a"], ["--allow", "٠٤٢٨١٧"], ["--allow", ""],
      ["--allow", "042817", "1"], ["Jazz"], ["--link", "Jazz"],
    ] {
      let result = try home.crate(["web"] + arguments, status: 64)
      #expect(result.output == "", "\(arguments)")
      #expect(result.errors.hasPrefix("crate: "), "\(arguments)")
    }
  }

  @Test("Where nothing serves the page, what needs that says how to start it")
  func notServed() throws {
    for arguments in [
      ["--link"], ["--allow", "042817"], ["--devices"], ["--forget", "all"], ["--json"],
      ["--socket", home.folder.path("other")],
    ] {
      let result = try home.crate(["web"] + arguments, status: 69)
      #expect(result.output == "")
      #expect(
        result.errors
          == "crate: the page is not served; start it with: systemctl --user start crated-web\n")
    }
  }

  @Test(
    "The browser is the first that is set, or xdg-open where there is a display",
    arguments: [
      (["BROWSER": "firefox:w3m"], "firefox {}"), (["BROWSER": "a '%s' b"], "a '{}' b"),
      (["BROWSER": "x", "DISPLAY": ":0"], "x {}"), (["DISPLAY": ":0"], "xdg-open {}"),
      (["WAYLAND_DISPLAY": "wayland-0"], "xdg-open {}"), ([:], nil),
      (["DISPLAY": ":0", "PATH": "/nowhere"], nil),
    ] as [([String: String], String?)])
  func browsers(variables: [String: String], line: String?) throws {
    try home.folder.write("", to: "bin/xdg-open")
    #expect(chmod(home.folder.path("bin/xdg-open"), 0o755) == 0)
    let all = ["PATH": home.folder.path("bin")].merging(variables) { $1 }
    #expect(WebBrowser.line { all[$0] } == line)
  }
}
