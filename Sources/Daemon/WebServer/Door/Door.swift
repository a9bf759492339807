import CratesInterface

/// The devices that have access, and the two ways to get it: a link that is valid once, and six
/// digits that are shown on the new device and typed on one with access.
///
/// Times are in nanoseconds of `Clock.monotonic` unless stated otherwise.
struct Door: Sendable {
  private(set) var devices: [Device]
  private let limits: WebLimits
  private var failures: Failures
  /// The digests of the links' codes, the oldest first.
  private var links: [(digest: [UInt8], end: Int64)] = []
  private var waiting: [Waiting] = []

  private struct Waiting: Sendable {
    /// The digest of the request secret with which the device polls.
    let request: [UInt8]
    let digits: String
    let name: String
    let address: String
    let end: Int64
    /// The key, from the moment the device is let in until it collects the key.
    var key: String?
  }

  init(devices: [Device] = [], limits: WebLimits = WebLimits()) {
    self.devices = devices
    self.limits = limits
    failures = Failures(limits: limits)
  }

  // MARK: Keys

  /// Returns the device with a key. Compares all devices, so that the time doesn't depend on the
  /// match.
  func device(withKey key: String) -> Device? {
    let digest = Secrets.digest(of: key)
    return devices.reduce(nil) { Secrets.isSame($1.digest, digest) ? $1 : $0 }
  }

  /// Returns the device with a secret for covers.
  func device(withCovers secret: String) -> Device? {
    let digest = Secrets.digest(of: secret)
    return devices.reduce(nil) { found, device in
      Secrets.isSame(Secrets.digest(of: device.covers), digest) ? device : found
    }
  }

  /// Counts a wrong key or code. Returns whether the address had too many within this second.
  mutating func refuse(_ address: String, at now: Int64) -> Bool {
    failures.add(from: address, at: now)
  }

  // MARK: The ways in

  /// Returns a new code for a link.
  mutating func link(at now: Int64) -> String {
    links.removeAll { $0.end <= now }
    if links.count >= limits.links { links.removeFirst() }
    let code = Secrets.code()
    links.append((Secrets.digest(of: code), now + limits.linkMilliseconds * 1_000_000))
    return code
  }

  /// Exchanges the code of a link for a key, once; returns nil for an unknown or expired code.
  mutating func enter(
    withCode code: String, name: String, at now: Int64, date: Int
  ) throws(DoorError) -> String? {
    links.removeAll { $0.end <= now }
    let digest = Secrets.digest(of: code)
    guard let place = links.firstIndex(where: { Secrets.isSame($0.digest, digest) }) else {
      return nil
    }
    let key = try admit(name, date: date)
    links.remove(at: place)
    return key
  }

  /// Registers a waiting device. Returns its request secret, and the digits that it shows.
  mutating func wait(
    name: String, address: String, isLocal: Bool, at now: Int64
  ) throws(DoorError) -> (request: String, digits: String) {
    waiting.removeAll { $0.end <= now }
    // Replaces a former request of the device. Behind a proxy, all devices have a local address.
    if !isLocal { waiting.removeAll { $0.address == address } }
    guard waiting.count < limits.waiting else { throw .tooManyWait }
    let request = Secrets.code()
    var digits = Secrets.digits()
    while waiting.contains(where: { $0.digits == digits }) { digits = Secrets.digits() }
    waiting.append(
      Waiting(
        request: Secrets.digest(of: request), digits: digits, name: plain(name), address: address,
        end: now + limits.waitingMilliseconds * 1_000_000))
    return (request, digits)
  }

  /// Returns the key of a device that was let in, once; nil while it still waits.
  mutating func collect(_ request: String, at now: Int64) throws(DoorError) -> String? {
    waiting.removeAll { $0.end <= now }
    let digest = Secrets.digest(of: request)
    guard let place = waiting.firstIndex(where: { Secrets.isSame($0.request, digest) }) else {
      throw .noSuchRequest
    }
    guard let key = waiting[place].key else { return nil }
    waiting.remove(at: place)
    return key
  }

  /// Lets in the device that shows these digits. Blanks and dashes between them are ignored.
  ///
  /// - Returns: The device's name; nil if no device shows them.
  mutating func allow(
    _ text: String, at now: Int64, date: Int
  ) throws(DoorError) -> String? {
    waiting.removeAll { $0.end <= now }
    let digits = text.filter { !" -\u{A0}".contains($0) }
    guard let place = waiting.firstIndex(where: { $0.digits == digits && $0.key == nil }) else {
      return nil
    }
    waiting[place].key = try admit(waiting[place].name, date: date)
    return waiting[place].name
  }

  private mutating func admit(_ name: String, date: Int) throws(DoorError) -> String {
    guard devices.count < limits.devices else { throw .tooManyDevices(most: limits.devices) }
    let key = Secrets.key()
    devices.append(Device(name: plain(name), since: date, digest: Secrets.digest(of: key)))
    return key
  }

  /// Returns a name as one line of limited length.
  private func plain(_ name: String) -> String {
    let scalars = name.unicodeScalars.map { scalar in
      scalar.properties.generalCategory == .control || scalar.properties.generalCategory == .format
        || scalar.value == 0x2028 || scalar.value == 0x2029 ? " " : Character(scalar)
    }
    let words = String(scalars).split(separator: " ").joined(separator: " ")
    let text = String(String.UnicodeScalarView(words.unicodeScalars.prefix(limits.nameCharacters)))
    if text.isEmpty { return "a browser" }
    // `Forget` with this name would forget all devices.
    return text == WebCall.everyDevice ? "“\(text)”" : text
  }

  // MARK: Forgetting

  /// Forgets devices. Returns those that were forgotten.
  @discardableResult
  mutating func forget(where isMeant: (Device) -> Bool) -> [Device] {
    let forgotten = devices.filter(isMeant)
    devices.removeAll(where: isMeant)
    return forgotten
  }
}

/// The reason why a device is not let in.
enum DoorError: Error, Hashable, Sendable {
  case tooManyDevices(most: Int)
  case tooManyWait
  /// The request was answered already, has expired, or never existed.
  case noSuchRequest
}
