import CratesInterface

/// Who is let in: the devices, and the two ways in, a link that is good once and six digits that
/// are typed on a device that is in.
///
/// Times are those of `Clock.monotonic`, in nanoseconds, unless it says otherwise.
struct Door: Sendable {
  private(set) var devices: [Device]
  private let limits: WebLimits
  private var failures: Failures
  /// Digests of the links' codes, oldest first.
  private var links: [(digest: [UInt8], end: Int64)] = []
  private var waiting: [Waiting] = []

  private struct Waiting: Sendable {
    /// The digest of what the device asks with.
    let request: [UInt8]
    let digits: String
    let name: String
    let address: String
    let end: Int64
    /// Since it was let in, until it asks.
    var key: String?
  }

  init(devices: [Device] = [], limits: WebLimits = WebLimits()) {
    self.devices = devices
    self.limits = limits
    failures = Failures(limits: limits)
  }

  // MARK: Keys

  /// The device that has a key. All are compared, whichever it is.
  func device(withKey key: String) -> Device? {
    let digest = Secrets.digest(of: key)
    return devices.reduce(nil) { Secrets.isSame($1.digest, digest) ? $1 : $0 }
  }

  /// The device whose pictures are asked for with a secret.
  func device(withCovers secret: String) -> Device? {
    let digest = Secrets.digest(of: secret)
    return devices.reduce(nil) { found, device in
      Secrets.isSame(Secrets.digest(of: device.covers), digest) ? device : found
    }
  }

  /// Counts a wrong key or code, and returns whether that address has had too many in this second.
  mutating func refuse(_ address: String, at now: Int64) -> Bool {
    failures.add(from: address, at: now)
  }

  // MARK: The ways in

  /// A new code for a link.
  mutating func link(at now: Int64) -> String {
    links.removeAll { $0.end <= now }
    if links.count >= limits.links { links.removeFirst() }
    let code = Secrets.code()
    links.append((Secrets.digest(of: code), now + limits.linkMilliseconds * 1_000_000))
    return code
  }

  /// A key for the code of a link, which is used up; nil for another or an old one.
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

  /// Lets a device wait: what it asks with, and the digits that it shows.
  mutating func wait(
    name: String, address: String, isLocal: Bool, at now: Int64
  ) throws(DoorError) -> (request: String, digits: String) {
    waiting.removeAll { $0.end <= now }
    // A device that asks again. All that come through a proxy have this machine's own address.
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

  /// The key of a device that was let in, once; nil: it still waits.
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

  /// Lets in the device that shows these digits; blanks and dashes between them don't matter.
  ///
  /// - Returns: its name; nil where no device shows them.
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

  /// A name in one line of some characters.
  private func plain(_ name: String) -> String {
    let scalars = name.unicodeScalars.map { scalar in
      scalar.properties.generalCategory == .control || scalar.properties.generalCategory == .format
        || scalar.value == 0x2028 || scalar.value == 0x2029 ? " " : Character(scalar)
    }
    let words = String(scalars).split(separator: " ").joined(separator: " ")
    let text = String(String.UnicodeScalarView(words.unicodeScalars.prefix(limits.nameCharacters)))
    if text.isEmpty { return "a browser" }
    // Forgetting all would be forgetting it.
    return text == WebCall.everyDevice ? "“\(text)”" : text
  }

  // MARK: Forgetting

  /// Forgets devices, and returns those that were.
  @discardableResult
  mutating func forget(where isMeant: (Device) -> Bool) -> [Device] {
    let forgotten = devices.filter(isMeant)
    devices.removeAll(where: isMeant)
    return forgotten
  }
}

/// Why a device is not let in.
enum DoorError: Error, Hashable, Sendable {
  case tooManyDevices(most: Int)
  case tooManyWait
  /// It was let in already, waited too long, or never asked.
  case noSuchRequest
}
