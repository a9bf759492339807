import CratesInterface
import TestSupport
import Testing

@Suite("What a service says of itself", .limited)
struct ServiceCallTests {
  private func read(_ method: String, _ parameters: JSON? = nil) throws -> ServiceCall? {
    try ServiceCall(method: method, parameters: parameters)
  }

  @Test("Both of its calls are read, and those of other interfaces are left to others")
  func calls() throws {
    for parameters in [nil, .null, [:]] as [JSON?] {
      #expect(try read("org.varlink.service.GetInfo", parameters) == .interfaces)
    }
    #expect(
      try read("org.varlink.service.GetInterfaceDescription", ["interface": "a.b"])
        == .interfaceDescription(interface: "a.b"))
    #expect(try read("org.crated.Crates.GetInfo", ["x": 1]) == nil)
    #expect(try read("org.varlink.services.GetInfo") == nil)
    #expect(try read("GetInfo.GetInfo") == nil)
  }

  @Test("What is no call of it is refused by name")
  func refused() {
    for (method, parameters, error) in [
      ("GetInfo", nil, .methodNotFound(method: "GetInfo")),
      (
        "org.varlink.service.GetInfos", nil,
        .methodNotFound(method: "org.varlink.service.GetInfos")
      ),
      ("org.varlink.service.", nil, .methodNotFound(method: "org.varlink.service.")),
      ("org.varlink.service.GetInfo", ["x": 1], .invalidParameter(parameter: "x")),
      ("org.varlink.service.GetInfo", [], .invalidParameter(parameter: "parameters")),
      (
        "org.varlink.service.GetInterfaceDescription", nil,
        .invalidParameter(parameter: "interface")
      ),
      (
        "org.varlink.service.GetInterfaceDescription", ["interface": 1],
        .invalidParameter(parameter: "interface")
      ),
      (
        "org.varlink.service.GetInterfaceDescription", ["interface": "a", "y": nil],
        .invalidParameter(parameter: "y")
      ),
    ] as [(String, JSON?, InterfaceError)] {
      #expect(throws: error) { try read(method, parameters) }
    }
  }

  @Test("It tells who made it, its interfaces, and the text of each")
  func replies() throws {
    let identity = ServiceIdentity(vendor: "v", product: "p", version: "1", url: "u")
    let info: JSON = [
      "vendor": "v", "product": "p", "version": "1", "url": "u",
      "interfaces": ["org.varlink.service", "org.crated.Crates"],
    ]
    #expect(try identity.reply(to: .interfaces) == info)
    for name in ["org.varlink.service", "org.crated.Crates"] {
      let reply = try identity.reply(to: .interfaceDescription(interface: name))
      #expect(reply.object?.keys == ["description"])
      #expect(reply["description"]?.string?.contains("\ninterface \(name)\n") == true)
    }
    #expect(throws: InterfaceError.interfaceNotFound(interface: "a.b")) {
      try identity.reply(to: .interfaceDescription(interface: "a.b"))
    }
  }

  @Test("Two methods make no sense without more, and all are called by their full names")
  func methods() {
    #expect(Call.Method.allCases.filter(\.needsMore) == [.watch, .watchStatus])
    for method in Call.Method.allCases {
      #expect(method.fullName == "org.crated.Crates.\(method.rawValue)")
    }
  }
}
