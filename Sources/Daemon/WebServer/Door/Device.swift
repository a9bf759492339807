import CratesInterface

/// A device that was let in.
struct Device: Sendable, Hashable {
  /// The name for the user: one line of at most `WebLimits.nameCharacters` characters.
  let name: String
  /// When it was let in, in seconds since 1970.
  let since: Int
  /// The SHA-256 digest of the device's key. Only the device stores the key itself.
  let digest: [UInt8]

  /// Identifies the device among those with the same name. It grants no access.
  var id: String { String(Secrets.urlText(digest).prefix(8)) }

  /// The secret in the URLs of its covers, since an `img` element sends no key. It grants access to
  /// covers only.
  var covers: String {
    Secrets.urlText(Array(SHA256.digest(of: Array("covers ".utf8) + digest).prefix(16)))
  }
}

/// The stored form of the devices: one JSON object, `{"devices": [{"digest", "name", "since"}]}`.
enum DeviceText {
  static func text(of devices: [Device]) -> [UInt8] {
    let list: [JSON] = devices.map { device in
      [
        "digest": .string(Base64.encoded(device.digest)), "name": .string(device.name),
        "since": JSON(device.since),
      ]
    }
    let json: JSON = ["devices": .array(list)]
    return json.bytes + [UInt8(ascii: "\n")]
  }

  /// Returns nil for any text that `text` doesn't produce.
  static func devices(in text: [UInt8]) -> [Device]? {
    let json = try? JSON(parsing: text.last == UInt8(ascii: "\n") ? Array(text.dropLast()) : text)
    guard let list = json?["devices"]?.array else { return nil }
    let devices = list.compactMap { entry -> Device? in
      guard let digest = entry["digest"]?.string.flatMap(Base64.decoded), digest.count == 32,
        let name = entry["name"]?.string, let since = entry["since"]?.integer
      else { return nil }
      return Device(name: name, since: since, digest: digest)
    }
    return devices.count == list.count ? devices : nil
  }
}
