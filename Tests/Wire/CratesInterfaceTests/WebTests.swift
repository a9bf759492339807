import CratesInterface
import TestSupport
import Testing

@Suite("The interface of the page's door", .limited)
struct WebTests {
  private static let calls: [WebCall] = [
    .link, .allow(code: "042817"), .devices, .forget(name: "Phone"), .forget(name: "all"),
  ]
  private static let replies: [(WebCall.Method, WebReply)] = [
    (.link, .link(url: "http://127.0.0.1:8337/#abc", warning: "read along")),
    (.allow, .allowed(name: "Phone")),
    (.devices, .devices([WebDevice(name: "Phone", since: 1_900_000_000)])),
    (.forget, .forgotten(2)),
  ]
  private static let errors: [WebError] = [.noSuchCode, .noSuchDevice(name: "Phone")]

  @Test("The description is the file")
  func file() throws {
    let bytes = try readFile(Repository.path("Documentation/developers/org.crated.Web.varlink"))
    #expect(Array(WebInterface.description.utf8) == bytes)
  }

  @Test("The description and the Swift types say the same")
  func description() throws {
    let members = InterfaceText(WebInterface.description).members
    func names(_ kind: String) -> [String] { members.filter { $0.kind == kind }.map(\.name) }
    func member(_ kind: String, _ name: String) throws -> InterfaceText.Member {
      try #require(members.first { $0.kind == kind && $0.name == name })
    }
    #expect(names("method") == WebCall.Method.allCases.map(\.rawValue))
    #expect(Self.replies.map(\.0) == WebCall.Method.allCases)
    for (method, reply) in Self.replies {
      #expect(reply.json.object?.keys == (try member("method", method.rawValue).output))
    }
    for call in Self.calls {
      #expect(call.parameters.object?.keys == (try member("method", call.method.rawValue).input))
    }
    #expect(names("type") == ["Device"])
    #expect(WebDevice(name: "", since: 0).json.object?.keys == (try member("type", "Device").input))
    #expect(Self.errors.map(\.name) == names("error").map { "org.crated.Web.\($0)" })
    for error in Self.errors {
      let described = try member("error", String(error.name.dropFirst("org.crated.Web.".count)))
      #expect(error.parameters.object?.keys == described.input)
    }
  }

  @Test("Every call is read back the same")
  func sent() throws {
    for call in Self.calls {
      let parameters = try JSON(parsing: call.parameters.bytes)
      #expect(try WebCall(method: call.method.fullName, parameters: parameters) == call)
    }
  }

  @Test("Every reply and every error is read back the same")
  func answers() throws {
    for (method, reply) in Self.replies {
      #expect(try WebReply(to: method, json: try JSON(parsing: reply.json.bytes)) == reply)
    }
    for error in Self.errors {
      #expect(WebError(InterfaceError(name: error.name, parameters: error.parameters)) == error)
    }
    for other in [
      .unknown(name: "org.crated.Web.NoSuchDevice", parameters: [:]),
      .unknown(name: "org.crated.Web.New", parameters: [:]), .permissionDenied,
    ] as [InterfaceError] {
      #expect(WebError(other) == nil)
    }
  }

  @Test("What is no call of it is refused by name")
  func refused() {
    for (method, parameters, error) in [
      ("Link", nil, .methodNotFound(method: "Link")),
      ("org.crated.Crates.Link", nil, .interfaceNotFound(interface: "org.crated.Crates")),
      ("org.crated.Web.Links", nil, .methodNotFound(method: "org.crated.Web.Links")),
      ("org.crated.Web.Link", ["x": 1], .invalidParameter(parameter: "x")),
      ("org.crated.Web.Link", [], .invalidParameter(parameter: "parameters")),
      ("org.crated.Web.Allow", nil, .invalidParameter(parameter: "code")),
      ("org.crated.Web.Allow", ["code": 42_817], .invalidParameter(parameter: "code")),
      ("org.crated.Web.Forget", ["name": nil], .invalidParameter(parameter: "name")),
      ("org.crated.Web.Forget", ["name": "a\0"], .invalidParameter(parameter: "name")),
      ("org.crated.Web.Forget", ["name": "a", "all": true], .invalidParameter(parameter: "all")),
    ] as [(String, JSON?, InterfaceError)] {
      #expect(throws: error) { try WebCall(method: method, parameters: parameters) }
    }
  }

  @Test("Its service says that it has this interface, and no other")
  func service() throws {
    let identity = ServiceIdentity(
      vendor: "v", product: "p", version: "1", url: "u", interface: WebInterface.name,
      description: WebInterface.description)
    #expect(
      try identity.reply(to: .interfaces)["interfaces"]
        == ["org.varlink.service", "org.crated.Web"])
    #expect(
      try identity.reply(to: .interfaceDescription(interface: "org.crated.Web"))
        == ["description": .string(WebInterface.description)])
    #expect(throws: InterfaceError.interfaceNotFound(interface: "org.crated.Crates")) {
      try identity.reply(to: .interfaceDescription(interface: "org.crated.Crates"))
    }
  }
}
