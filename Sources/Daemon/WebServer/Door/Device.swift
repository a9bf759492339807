import CratesInterface

/// A device that was let in.
struct Device: Sendable, Hashable {
  /// What the person knows it by, at most `WebLimits.nameCharacters` characters in one line.
  let name: String
  /// When it was let in, in seconds since 1970.
  let since: Int
  /// The SHA-256 digest of its key; the key itself is stored on the device alone.
  let digest: [UInt8]

  /// What tells it from other devices of the same name. It opens nothing.
  var id: String { String(Secrets.urlText(digest).prefix(8)) }

  /// What its pictures are asked for with, as an `img` element sends no key. It opens nothing else.
  var covers: String {
    Secrets.urlText(Array(SHA256.digest(of: Array("covers ".utf8) + digest).prefix(16)))
  }
}

/// The devices as they are stored: one JSON object, `{"devices": [{"digest", "name", "since"}]}`.
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

  /// Nil for anything but what `text` gives.
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
