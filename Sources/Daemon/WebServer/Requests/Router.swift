import CratesInterface

/// Maps a request to the next step, without any I/O.
struct Router: Sendable {
  private let hosts: HostRule
  private let page: PageFiles

  init(hosts: HostRule, page: PageFiles) {
    self.hosts = hosts
    self.page = page
  }

  /// The methods of org.crated.Crates that the page may call.
  static let methods: Set<String> = [
    "Forget", "History", "ListAlbums", "ListCrates", "ListSongs", "MoveAlbums", "MoveCrate",
    "MoveSongs", "Problems", "Redo", "RenameCrate", "Resolve", "Search", "SortAlbums", "SortSongs",
    "Status", "Undo", "Watch", "WatchStatus",
  ]

  /// - Parameters:
  ///   - door: If its devices change, they must be stored before the response is sent.
  ///   - now: The time of `Clock.monotonic`.
  ///   - date: The time in seconds since 1970.
  func step(
    for request: WebRequest, door: inout Door, at now: Int64, date: Int
  ) -> WebStep {
    if let refusal = refusal(of: request) { return .respond(refusal) }
    let parts = request.path.split(separator: "/", omittingEmptySubsequences: false).dropFirst()
    switch (parts.first, parts.count) {
    case ("enter", 1): return only("POST", request) { enter(request, &door, now, date) }
    case ("devices", 1): return devices(request, &door, now, date)
    case ("call", 2):
      return only("POST", request) { call(parts.last ?? "", request, &door, now) }
    case ("play", 1): return only("POST", request) { play(request, &door, now) }
    case ("covers", 4):
      return only("GET", request) { cover(Array(parts.dropFirst()), request, &door, now) }
    default: break
    }
    let file = page.response(
      for: request.path, accepting: request.values(of: "accept-encoding"))
    guard let file else { return .respond(.text(404, "Nothing is here.")) }
    guard request.changesNothing else { return .respond(notAllowed("GET, HEAD")) }
    return .respond(file)
  }

  // MARK: Before anything else

  /// Applies the rules for all requests: the host name, and the origin of the page.
  private func refusal(of request: WebRequest) -> WebResponse? {
    guard let host = request.value(of: "host"), hosts.allows(host) else {
      return .text(
        421, "This name is not one of Crated's. Add it to web_names in config.toml.")
    }
    guard !request.changesNothing else { return nil }
    let isForeign =
      request.values(of: "origin").contains { !HostRule.isSame(origin: $0, host: host) }
      || request.values(of: "sec-fetch-site").contains { $0.lowercased() != "same-origin" }
    if isForeign { return .text(403, "Not from another page.") }
    let kind = request.value(of: "content-type").map { type in
      type.prefix { $0 != ";" }.filter { $0 != " " }.lowercased()
    }
    guard kind == "application/json" else { return .text(415, "Only application/json is taken.") }
    return nil
  }

  private func only(
    _ method: String, _ request: WebRequest, _ step: () -> WebStep
  ) -> WebStep {
    if request.method == method || method == "GET" && request.changesNothing { return step() }
    return .respond(notAllowed(method == "GET" ? "GET, HEAD" : method))
  }

  private func notAllowed(_ methods: String) -> WebResponse {
    .text(405, "Not this way.", headers: ["Allow": methods])
  }

  // MARK: The door

  private func refused(_ request: WebRequest, _ door: inout Door, _ now: Int64) -> WebStep {
    .respond(door.refuse(request.address, at: now) ? .tooManyTries : .notLetIn)
  }

  private func device(_ request: WebRequest, _ door: Door) -> Device? {
    let scheme = "bearer "
    guard let header = request.value(of: "authorization"),
      header.lowercased().hasPrefix(scheme)
    else { return nil }
    return door.device(withKey: String(header.dropFirst(scheme.count)))
  }

  private func enter(
    _ request: WebRequest, _ door: inout Door, _ now: Int64, _ date: Int
  ) -> WebStep {
    guard let body = object(in: request) else { return .respond(.notJSON) }
    let name = body["name"]?.string ?? ""
    do throws(DoorError) {
      if let code = body["code"] {
        guard let code = code.string,
          let key = try door.enter(withCode: code, name: name, at: now, date: date)
        else { return refused(request, &door, now) }
        return .respond(.json(["key": .string(key)]))
      }
      if let waiting = body["request"] {
        guard let waiting = waiting.string else { return refused(request, &door, now) }
        guard let key = try door.collect(waiting, at: now) else {
          return .respond(.json(["waiting": true]))
        }
        return .respond(.json(["key": .string(key)]))
      }
      let (request, digits) = try door.wait(
        name: name, address: request.address, isLocal: request.isLocal, at: now)
      return .respond(.json(["request": .string(request), "code": .string(digits)]))
    } catch {
      return .respond(.refusal(by: error))
    }
  }

  private func devices(
    _ request: WebRequest, _ door: inout Door, _ now: Int64, _ date: Int
  ) -> WebStep {
    guard request.changesNothing || request.method == "POST" else {
      return .respond(notAllowed("GET, HEAD, POST"))
    }
    guard let own = device(request, door) else { return refused(request, &door, now) }
    guard request.method == "POST" else { return .respond(list(door, for: own)) }
    guard let body = object(in: request) else { return .respond(.notJSON) }
    if let digits = body["allow"]?.string {
      do throws(DoorError) {
        guard let name = try door.allow(digits, at: now, date: date) else {
          return .respond(.json(["allowed": .null]))
        }
        return .respond(.json(["allowed": .string(name)]))
      } catch {
        return .respond(.refusal(by: error))
      }
    }
    guard let id = body["forget"]?.string else {
      return .respond(.text(400, "Say which device: allow or forget."))
    }
    door.forget { $0.id == id }
    return .respond(list(door, for: own))
  }

  private func list(_ door: Door, for own: Device) -> WebResponse {
    let devices: [JSON] = door.devices.map { device in
      [
        "id": .string(device.id), "name": .string(device.name), "since": JSON(device.since),
        "this": .bool(device == own),
      ]
    }
    return .json(["covers": .string(own.covers), "devices": .array(devices)])
  }

  // MARK: The daemon

  private func call(
    _ name: Substring, _ request: WebRequest, _ door: inout Door, _ now: Int64
  ) -> WebStep {
    guard let device = device(request, door) else { return refused(request, &door, now) }
    let prefix = Interface.name + "."
    guard name.hasPrefix(prefix), Self.methods.contains(String(name.dropFirst(prefix.count)))
    else { return .respond(.text(404, "No page may call that.")) }
    guard let parameters = object(in: request) else { return .respond(.notJSON) }
    let streams = request.values(of: "accept").contains { $0.contains("application/json-seq") }
    return .call(
      method: String(name), parameters: .object(parameters), streams: streams, device)
  }

  private func play(_ request: WebRequest, _ door: inout Door, _ now: Int64) -> WebStep {
    guard let device = device(request, door) else { return refused(request, &door, now) }
    guard let body = object(in: request), let wanted = PlayRequest(body) else {
      return .respond(.text(400, "Say which albums or which songs."))
    }
    return .play(wanted, device)
  }

  private func cover(
    _ parts: [Substring], _ request: WebRequest, _ door: inout Door, _ now: Int64
  ) -> WebStep {
    guard door.device(withCovers: String(parts[0])) != nil else {
      return refused(request, &door, now)
    }
    guard let name = CoverName(parts[1], parts[2]) else {
      return .respond(.text(404, "No such cover."))
    }
    return .cover(name)
  }

  /// Returns the body as an object; an empty body is an empty object. Nil for anything else.
  private func object(in request: WebRequest) -> JSON.Object? {
    if request.body.isEmpty { return JSON.Object() }
    return (try? JSON(parsing: request.body))?.object
  }
}

extension WebResponse {
  fileprivate static let notJSON = text(400, "The body is not a JSON object.")

  fileprivate static func refusal(by error: DoorError) -> Self {
    switch error {
    case .tooManyDevices(let most):
      text(403, "\(most) devices are let in already. Forget one: crate web --forget NAME")
    case .tooManyWait: text(429, "Too many devices wait.", headers: ["Retry-After": "60"])
    case .noSuchRequest: text(410, "Ask again.")
    }
  }
}
