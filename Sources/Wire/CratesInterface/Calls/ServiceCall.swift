/// What every Varlink service answers about itself.
package enum ServiceCall: Sendable, Hashable {
  case interfaces
  case interfaceDescription(interface: String)

  /// `nil` for a method of another interface. Throws `methodNotFound` or `invalidParameter`.
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

/// The answer to org.varlink.service.GetInfo, but for the list of interfaces.
package struct ServiceIdentity: Sendable, Hashable {
  package var vendor: String
  package var product: String
  package var version: String
  package var url: String

  package init(vendor: String, product: String, version: String, url: String) {
    self.vendor = vendor
    self.product = product
    self.version = version
    self.url = url
  }

  package var json: JSON {
    [
      "vendor": .string(vendor), "product": .string(product), "version": .string(version),
      "url": .string(url), "interfaces": JSON([Interface.serviceName, Interface.name]),
    ]
  }

  /// The parameters of the reply to either call. Throws `interfaceNotFound`.
  package func reply(to call: ServiceCall) throws(InterfaceError) -> JSON {
    switch call {
    case .interfaces: return json
    case .interfaceDescription(Interface.name):
      return ["description": .string(Interface.description)]
    case .interfaceDescription(Interface.serviceName):
      return ["description": .string(Interface.serviceDescription)]
    case .interfaceDescription(let other): throw .interfaceNotFound(interface: other)
    }
  }
}
