/// A call of org.crated.Web: one case for each method.
package enum WebCall: Sendable, Hashable {
  case link
  /// `code`: six digits, without blanks.
  case allow(code: String)
  case devices
  /// `name`: the name of a device, or `everyDevice`.
  case forget(name: String)

  /// The name that means every device in `Forget`; no device can have it.
  package static let everyDevice = "all"

  /// The methods by their names in the interface.
  package enum Method: String, Sendable, CaseIterable {
    case link = "Link"
    case allow = "Allow"
    case devices = "Devices"
    case forget = "Forget"

    /// The name as it appears in a message: org.crated.Web.Link.
    package var fullName: String { "\(WebInterface.name).\(rawValue)" }
  }

  package var method: Method {
    switch self {
    case .link: .link
    case .allow: .allow
    case .devices: .devices
    case .forget: .forget
    }
  }

  /// The parameters as a client sends them.
  package var parameters: JSON {
    switch self {
    case .link, .devices: [:]
    case .allow(let code): ["code": .string(code)]
    case .forget(let name): ["name": .string(name)]
    }
  }

  /// Reads a call from the wire. Parameters may be absent, `{}` or null.
  ///
  /// - Throws: `interfaceNotFound`, `methodNotFound`, or `invalidParameter` for the first parameter
  ///   that is unknown, missing or not a text.
  package init(method name: String, parameters: JSON?) throws(InterfaceError) {
    let interface = try Call.interfaceName(ofMethod: name)
    guard interface == WebInterface.name else { throw .interfaceNotFound(interface: interface) }
    guard let method = Method(rawValue: String(name.dropFirst(interface.count + 1))) else {
      throw .methodNotFound(method: name)
    }
    var parameters = try Parameters(parameters)
    switch method {
    case .link: self = .link
    case .allow: self = .allow(code: try parameters.string("code"))
    case .devices: self = .devices
    case .forget: self = .forget(name: try parameters.string("name"))
    }
    try parameters.refuseOthers()
  }
}
