/// A browser, or an app on a home screen, that has a key for the page.
package struct WebDevice: WireStructure {
  package var name: String
  /// When the device was let in, in seconds since 1970.
  package var since: Int

  package init(name: String, since: Int) {
    self.name = name
    self.since = since
  }

  package init(json: JSON) throws(FieldError) {
    let fields = try Fields(json)
    name = try fields.string("name")
    since = try fields.int("since")
  }

  package var json: JSON { ["name": .string(name), "since": JSON(since)] }
}

/// The reply to a call of org.crated.Web.
package enum WebReply: Sendable, Hashable {
  /// `warning`: a sentence for the user, without its full stop.
  case link(url: String, warning: String? = nil)
  /// `name`: the device that was let in.
  case allowed(name: String)
  case devices([WebDevice])
  /// The number of devices that were forgotten.
  case forgotten(Int)

  /// The parameters of the reply.
  package var json: JSON {
    switch self {
    case .link(let url, let warning): ["url": .string(url), "warning": JSON(warning)]
    case .allowed(let name): ["name": .string(name)]
    case .devices(let devices): ["devices": .array(devices.map(\.json))]
    case .forgotten(let count): ["forgotten": JSON(count)]
    }
  }

  /// Reads the parameters of a reply to a call of `method`.
  package init(to method: WebCall.Method, json: JSON) throws(FieldError) {
    let fields = try Fields(json)
    switch method {
    case .link:
      self = .link(
        url: try fields.string("url"), warning: try fields.optional("warning", \.string))
    case .allow: self = .allowed(name: try fields.string("name"))
    case .devices: self = .devices(try fields.structures("devices"))
    case .forget: self = .forgotten(try fields.int("forgotten"))
    }
  }
}

/// The errors of org.crated.Web. The errors of org.varlink.service are in `InterfaceError`.
package enum WebError: Error, Sendable, Hashable {
  case noSuchCode
  case noSuchDevice(name: String)

  /// The fully qualified name on the wire.
  package var name: String {
    switch self {
    case .noSuchCode: "\(WebInterface.name).NoSuchCode"
    case .noSuchDevice: "\(WebInterface.name).NoSuchDevice"
    }
  }

  /// The parameters of the error on the wire.
  package var parameters: JSON {
    switch self {
    case .noSuchCode: [:]
    case .noSuchDevice(let name): ["name": .string(name)]
    }
  }

  /// Reads an error reply of org.crated.Web. Returns nil for an error of another interface, and for
  /// one with a missing parameter.
  package init?(_ error: InterfaceError) {
    guard case .unknown(let name, let parameters) = error else { return nil }
    switch (name, parameters["name"]?.string) {
    case ("\(WebInterface.name).NoSuchCode", _): self = .noSuchCode
    case ("\(WebInterface.name).NoSuchDevice", let name?): self = .noSuchDevice(name: name)
    default: return nil
    }
  }
}
