import CratesInterface

/// Answers the calls of `org.crated.Web`.
struct WebControl {
  let service: PageService
  let identity: ServiceIdentity
  /// The address of the page with a slash at its end.
  let page: String
  /// A warning to show with each link, or nil.
  let warning: String?
  /// Called with devices that were forgotten.
  let forgot: ([Device]) -> Void

  /// Returns the reply to a message, both without their NUL. An invalid message gets an error.
  func reply(to message: [UInt8]) -> [UInt8] {
    let call = (try? JSON(parsing: message))?.object
    let result: JSON
    do {
      result = ["parameters": try parameters(call?["method"]?.string ?? "", call?["parameters"])]
    } catch let error as WebError {
      result = ["error": .string(error.name), "parameters": error.parameters]
    } catch let error as InterfaceError {
      result = ["error": .string(error.name), "parameters": error.parameters]
    } catch {
      result = ["error": .string("\(WebInterface.name).Refused"), "parameters": [:]]
    }
    return result.bytes
  }

  private func parameters(_ method: String, _ parameters: JSON?) throws -> JSON {
    if let call = try ServiceCall(method: method, parameters: parameters) {
      return try identity.reply(to: call)
    }
    return try reply(to: WebCall(method: method, parameters: parameters)).json
  }

  private func reply(to call: WebCall) throws -> WebReply {
    switch call {
    case .link:
      let code = try service.control { door, now, _ in door.link(at: now) }
      return .link(url: page + "#" + code, warning: warning)
    case .allow(let code):
      let name = try service.control { (door, now, date) throws(DoorError) in
        try door.allow(code, at: now, date: date)
      }
      guard let name else { throw WebError.noSuchCode }
      return .allowed(name: name)
    case .devices:
      return .devices(service.devices.map { WebDevice(name: $0.name, since: $0.since) })
    case .forget(let name):
      let forgotten = try service.control { door, _, _ in
        door.forget { $0.name == name || name == WebCall.everyDevice }
      }
      guard !forgotten.isEmpty || name == WebCall.everyDevice else {
        throw WebError.noSuchDevice(name: name)
      }
      forgot(forgotten)
      return .forgotten(forgotten.count)
    }
  }
}
