import CratesInterface

/// A call as the client sent it.
struct CallMessage {
  var method: String
  var parameters: JSON?
  var more: Bool
  var oneway: Bool
  var upgrade: Bool

  /// Returns nil if the bytes are not a Varlink call.
  init?(_ bytes: [UInt8], limits: ServerLimits) {
    let limits = JSON.Limits(values: limits.messageValues)
    guard let message = try? JSON(parsing: bytes, limits: limits).object,
      let method = message["method"]?.string,
      let more = Self.flag("more", in: message),
      let oneway = Self.flag("oneway", in: message),
      let upgrade = Self.flag("upgrade", in: message)
    else { return nil }
    self.method = method
    self.parameters = message["parameters"]
    self.more = more && !oneway
    self.oneway = oneway
    self.upgrade = upgrade
  }

  private static func flag(_ name: String, in message: JSON.Object) -> Bool? {
    guard let flag = message[name], flag != .null else { return false }
    return flag.bool
  }
}

/// A parsed call.
struct ReadCall: Sendable {
  enum Content: Sendable {
    case service(ServiceCall)
    case call(Call)
  }

  let more: Bool
  let oneway: Bool
  /// The call, or the error in it.
  let content: Result<Content, InterfaceError>

  /// Returns nil if the bytes are not a Varlink call. Takes a few milliseconds per mebibyte.
  init?(_ bytes: [UInt8], limits: ServerLimits) {
    guard let message = CallMessage(bytes, limits: limits) else { return nil }
    more = message.more
    oneway = message.oneway
    content = Result { () throws(InterfaceError) in try Self.content(of: message) }
  }

  private static func content(of message: CallMessage) throws(InterfaceError) -> Content {
    if let call = try ServiceCall(method: message.method, parameters: message.parameters) {
      return .service(call)
    }
    let call = try Call(method: message.method, parameters: message.parameters)
    if message.upgrade { throw .methodNotImplemented(method: message.method) }
    if call.method.needsMore, !message.more { throw .expectedMore }
    return .call(call)
  }
}

/// Encodes replies as bytes, each with the NUL at its end.
enum ReplyMessage {
  static func reply(_ parameters: JSON, continues: Bool) -> [UInt8] {
    var bytes = Array("{\"parameters\":".utf8)
    parameters.write(to: &bytes)
    bytes.append(contentsOf: (continues ? ",\"continues\":true}\0" : "}\0").utf8)
    return bytes
  }

  static func failure(_ error: InterfaceError) -> [UInt8] {
    let message: JSON = ["error": .string(error.name), "parameters": error.parameters]
    var bytes = message.bytes
    bytes.append(0)
    return bytes
  }
}
