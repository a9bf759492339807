/// A call of org.varlink.service.
package enum ServiceCall: Sendable, Hashable {
  case interfaces
  case interfaceDescription(interface: String)

  /// Returns nil for a method of another interface.
  ///
  /// - Throws: `methodNotFound` or `invalidParameter`.
  package init?(method name: String, parameters: JSON?) throws(InterfaceError) {
    guard try Call.interfaceName(ofMethod: name) == Interface.serviceName else { return nil }
    var parameters = try Parameters(parameters)
    switch name.dropFirst(Interface.serviceName.count + 1) {
    case "GetInfo": self = .interfaces
    case "GetInterfaceDescription":
      self = .interfaceDescription(interface: try parameters.string("interface"))
    default: throw .methodNotFound(method: name)
    }
    try parameters.refuseOthers()
  }
}

/// The reply to org.varlink.service.GetInfo, without the list of interfaces.
package struct ServiceIdentity: Sendable, Hashable {
  package var vendor: String
  package var product: String
  package var version: String
  package var url: String
  /// The name of the one interface besides org.varlink.service.
  private let interface: String
  private let description: String

  /// - Parameters:
  ///   - interface: The name of the one interface besides org.varlink.service.
  ///   - description: The text of that interface.
  package init(
    vendor: String, product: String, version: String, url: String,
    interface: String = Interface.name, description: String = Interface.description
  ) {
    self.vendor = vendor
    self.product = product
    self.version = version
    self.url = url
    self.interface = interface
    self.description = description
  }

  package var json: JSON {
    [
      "vendor": .string(vendor), "product": .string(product), "version": .string(version),
      "url": .string(url), "interfaces": JSON([Interface.serviceName, interface]),
    ]
  }

  /// Returns the parameters of the reply to either call.
  ///
  /// - Throws: `interfaceNotFound`.
  package func reply(to call: ServiceCall) throws(InterfaceError) -> JSON {
    switch call {
    case .interfaces: return json
    case .interfaceDescription(interface):
      return ["description": .string(description)]
    case .interfaceDescription(Interface.serviceName):
      return ["description": .string(Interface.serviceDescription)]
    case .interfaceDescription(let other): throw .interfaceNotFound(interface: other)
    }
  }
}
