/// A browser, or an app on a home screen, that has a key to the page.
package struct WebDevice: WireStructure {
  package var name: String
  /// When it came in, in seconds since 1970.
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

/// What a call of org.crated.Web is answered with.
package enum WebReply: Sendable, Hashable {
  /// `warning`: what a person should know of it, as a sentence without its full stop.
  case link(url: String, warning: String? = nil)
  /// `name`: the device that may come in now.
  case allowed(name: String)
  case devices([WebDevice])
  /// How many devices were forgotten.
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

  /// Reads the parameters of a reply to a call of the method.
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

/// The errors of org.crated.Web. Those of org.varlink.service are an `InterfaceError`.
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

  /// What the error carries on the wire.
  package var parameters: JSON {
    switch self {
    case .noSuchCode: [:]
    case .noSuchDevice(let name): ["name": .string(name)]
    }
  }

  /// Reads an error reply, which a client of org.crated.Crates does not know; nil where it is no
  /// error of org.crated.Web, or lacks what that carries.
  package init?(_ error: InterfaceError) {
    guard case .unknown(let name, let parameters) = error else { return nil }
    switch (name, parameters["name"]?.string) {
    case ("\(WebInterface.name).NoSuchCode", _): self = .noSuchCode
    case ("\(WebInterface.name).NoSuchDevice", let name?): self = .noSuchDevice(name: name)
    default: return nil
    }
  }
}
