import Arguments
import CratesInterface
import Glibc
import Platform

struct WebCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "web", abstract: "Open your crates as a page, here and on your phone.",
    discussion: """
      The page is for this machine alone until you let a device in: it shows six digits, which \
      `crate web --allow` takes. Where no service serves the page, this command serves it until ^C.
      """)

  @OptionGroup var common: CommonOptions
  @Flag(help: "Print a link that opens the page, once and within a minute.") var link = false
  @Option(help: ArgumentHelp("Let the device in that shows these six digits.", valueName: "code"))
  var allow: String?
  @Flag(help: "List the devices that are in.") var devices = false
  @Option(
    name: .customLong("forget"),
    help: ArgumentHelp("Forget the devices of this name, or `all`.", valueName: "name"))
  var forgotten: String?
  @Argument(
    wrappedValue: [], help: ArgumentHelp("The rest of a code with blanks.", valueName: "digits"))
  var rest: [String]

  private static let digitsInCode = 6

  func validate() throws {
    if [link, allow != nil, devices, forgotten != nil].count(where: \.self) > 1 {
      throw ValidationError("give one of --link, --allow, --devices and --forget")
    }
    guard allow != nil else {
      guard rest.isEmpty else { throw ValidationError("crate web takes no names") }
      return
    }
    if code == nil { throw ValidationError("--allow takes the six digits that the device shows") }
  }

  /// The digits without blanks and dashes.
  private var code: String? {
    let code = ([allow ?? ""] + rest).joined().filter { !$0.isWhitespace && $0 != "-" }
    let isCode =
      code.utf8.count == Self.digitsInCode
      && code.utf8.allSatisfy { (UInt8(ascii: "0")...UInt8(ascii: "9")).contains($0) }
    return isCode ? code : nil
  }

  func run() throws {
    let path = try DaemonConnection.path(ofSocket: common.socket, interface: WebInterface.name)
    if let code {
      try ask(.allow(code: code), path)
    } else if devices {
      try ask(.devices, path)
    } else if let forgotten {
      try ask(.forget(name: forgotten), path)
    } else if link || common.json {
      try ask(.link, path)
    } else if var service = try WebService(path: path) {
      try Self.open(&service)
    } else if common.socket != nil {
      // A page started here uses the default socket.
      _ = try WebService.running(path: path)
    } else {
      exit(try serve(path))
    }
    Output.flush()
  }

  /// Serves the page until a signal arrives.
  ///
  /// - Returns: The exit status of `crated web`.
  private func serve(_ path: String) throws(Failure) -> Int32 {
    let program = try WebProgram()
    var service = try program.service(path: path)
    do throws(Failure) {
      let url = try Self.open(&service)
      Output.line("The page is served at \(Shown.harmless(url)) until you press ^C")
    } catch {
      program.stop()
      throw error
    }
    Output.flush()
    return program.wait()
  }

  /// - Returns: The address of the page without its one-time secret.
  @discardableResult
  private static func open(_ service: inout WebService) throws(Failure) -> String {
    let (url, warning) = try service.link()
    if let warning { Output.complain("crate: \(Shown.harmless(warning))") }
    if !WebBrowser.open(url) {
      Output.line("Open this link in a browser, within a minute:")
      Output.line(Shown.harmless(url))
    }
    return String(url.prefix { $0 != "#" })
  }

  private func ask(_ call: WebCall, _ path: String) throws(Failure) {
    var service = try WebService.running(path: path)
    let parameters = try service.parameters(of: call)
    let reply = try WebService.reply(to: call.method, parameters)
    if case .link(_, let warning?) = reply {
      Output.complain("crate: \(Shown.harmless(warning))")
    }
    switch reply {
    case .devices(let devices) where common.json:
      for device in devices { Output.line(device.json) }
    case _ where common.json: Output.line(parameters)
    case .link(let url, _): Output.line(Shown.harmless(url))
    case .allowed(let name): Output.line("\(Shown.harmless(name)) may come in now")
    case .devices(let devices): list(devices)
    case .forgotten(let count):
      Output.line("\(Shown.count(count, "device")) \(count == 1 ? "is" : "are") forgotten")
    }
  }

  private func list(_ devices: [WebDevice]) {
    let cells = devices.map { [$0.name, Timestamp.wallClock($0.since)] }
    guard Terminal.output.isTerminal else {
      for cells in cells { Output.line(LeanLine.line(cells)) }
      return
    }
    var table = Table([.name("Device"), .word("Since")])
    for cells in cells { table.add(cells) }
    Pager.show(table.lines(for: Terminal.output))
    if devices.isEmpty { Output.line("no device is in; crate web lets this one in") }
  }
}
