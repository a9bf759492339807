import Terminal
import Testing

/// A terminal as far as pictures go, strict where the protocols are: what it takes it has
/// understood. It shares nothing with what it is sent by.
struct PictureTerminal {
  struct Held: Equatable {
    var width: Int
    var height: Int
    var bytes: [UInt8]
  }

  struct Placement: Equatable {
    var id: Int
    var columns: Int
    var rows: Int
  }

  /// What was no picture.
  var text = ""
  /// Pictures of kitty's protocol, by their numbers.
  var held: [Int: Held] = [:]
  var placements: [Placement] = []
  /// The pictures of sixels, as they were drawn.
  var drawn: [SixelCanvas] = []
  /// What a real one would refuse, or answer.
  var complaints: [String] = []

  private var loading: (id: Int, width: Int, height: Int, base64: [UInt8])?

  mutating func take(_ bytes: [UInt8]) {
    var rest = bytes[...]
    while let first = rest.first {
      guard first == 0x1B, let kind = rest.dropFirst().first else {
        text.append(Character(Unicode.Scalar(first)))
        rest = rest.dropFirst()
        continue
      }
      rest = rest.dropFirst(2)
      var body: [UInt8] = []
      while let byte = rest.first, byte != 0x1B {
        body.append(byte)
        rest = rest.dropFirst()
      }
      guard rest.starts(with: [0x1B, UInt8(ascii: "\\")]) else {
        // The end of a string that had begun.
        if kind == UInt8(ascii: "\\") {
          text += String(decoding: body, as: UTF8.self)
        } else {
          complaints.append("a string without an end")
        }
        continue
      }
      rest = rest.dropFirst(2)
      switch kind {
      case UInt8(ascii: "_"): takeKitty(body)
      case UInt8(ascii: "P"): takeSixels(body)
      default: complaints.append("an escape sequence \(kind)")
      }
    }
  }

  // MARK: kitty

  private mutating func takeKitty(_ body: [UInt8]) {
    guard body.first == UInt8(ascii: "G") else { return complaints.append("no graphics") }
    let parts = body.dropFirst().split(
      separator: UInt8(ascii: ";"), maxSplits: 1, omittingEmptySubsequences: false)
    var keys: [String: String] = [:]
    for pair in String(decoding: parts[0], as: UTF8.self).split(separator: ",") {
      let sides = pair.split(separator: "=", maxSplits: 1).map(String.init)
      keys[sides[0]] = sides.count == 2 ? sides[1] : ""
    }
    if keys["q"] != "2" { complaints.append("it would be answered") }
    let payload = parts.count == 2 ? Array(parts[1]) : []
    if payload.count > 4096 { complaints.append("a piece of \(payload.count)") }
    if loading != nil {
      if !Set(keys.keys).isSubset(of: ["m", "q"]) { complaints.append("a command between pieces") }
      loading?.base64 += payload
      if keys["m"] == "0" { finishLoading() }
      return
    }
    let number = { (key: String) in keys[key].flatMap { Int($0) } ?? 0 }
    switch keys["a"] {
    case "t":
      guard keys["f"] == "24", number("i") > 0 else { return complaints.append("\(keys)") }
      loading = (number("i"), number("s"), number("v"), payload)
      if keys["m"] == "0" { finishLoading() }
    case "p":
      guard held[number("i")] != nil else { return complaints.append("no picture to place") }
      if keys["C"] != "1" { complaints.append("the cursor moves") }
      placements.removeAll { $0.id == number("i") }
      placements.append(
        Placement(id: number("i"), columns: number("c"), rows: number("r")))
    case "d":
      placements.removeAll { $0.id == number("i") }
      if keys["d"] == "I" { held[number("i")] = nil }
    default: complaints.append("\(keys)")
    }
  }

  private mutating func finishLoading() {
    guard let loading else { return }
    self.loading = nil
    let bytes = decoded(loading.base64)
    // Too little is an error, which nobody is told of.
    guard bytes.count == loading.width * loading.height * 3 else { return }
    held[loading.id] = Held(width: loading.width, height: loading.height, bytes: bytes)
  }

  private func decoded(_ text: [UInt8]) -> [UInt8] {
    let digits = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/"
    var values: [UInt8: Int] = [:]
    for (value, digit) in digits.utf8.enumerated() { values[digit] = value }
    var bits = 0
    var count = 0
    var bytes: [UInt8] = []
    for digit in text {
      bits = (bits << 6 | (values[digit] ?? 0)) & 0xFFFFFF
      count += 6
      if count >= 8 {
        count -= 8
        bytes.append(UInt8(bits >> count & 0xFF))
      }
    }
    return bytes
  }

  // MARK: Sixels

  private mutating func takeSixels(_ body: [UInt8]) {
    guard let start = body.firstIndex(of: UInt8(ascii: "q")) else {
      return complaints.append("no sixels")
    }
    var canvas = SixelCanvas()
    if let complaint = canvas.draw(body[(start + 1)...]) { complaints.append(complaint) }
    drawn.append(canvas)
  }
}

/// What sixels draw on.
struct SixelCanvas {
  /// The size as announced.
  var width = 0
  var height = 0
  /// By row and column; nil: nothing was drawn there.
  var pixels: [[RGB?]] = []
  private var colours: [Int: RGB] = [:]
  private var colour = 0
  private var column = 0
  private var top = 0

  /// Returns what is wrong with them.
  mutating func draw(_ sixels: ArraySlice<UInt8>) -> String? {
    var rest = sixels
    func numbers() -> [Int] {
      let text = rest.prefix { ($0 >= 0x30 && $0 <= 0x39) || $0 == UInt8(ascii: ";") }
      rest = rest[text.endIndex...]
      return text.split(separator: UInt8(ascii: ";"), omittingEmptySubsequences: false).map {
        Int(String(decoding: $0, as: UTF8.self)) ?? 0
      }
    }
    while let byte = rest.popFirst() {
      switch byte {
      case UInt8(ascii: "\""):
        let given = numbers()
        guard given.count == 4, given[0] == 1, given[1] == 1 else { return "no square pixels" }
        (width, height) = (given[2], given[3])
      case UInt8(ascii: "#"):
        let given = numbers()
        if given.count == 5, given[1] == 2 {
          let parts = given[2...].map { UInt8(($0 * 255 + 50) / 100) }
          colours[given[0]] = RGB(parts[0], parts[1], parts[2])
        }
        colour = given.first ?? 0
      case UInt8(ascii: "!"):
        let count = numbers().first ?? 0
        // What comes after it may be missing where the picture was cut off.
        if let sixel = rest.popFirst() { for _ in 0..<count { draw(sixel) } }
      case UInt8(ascii: "$"): column = 0
      case UInt8(ascii: "-"): (column, top) = (0, top + 6)
      case 0x3F...0x7E: draw(byte)
      default: return "a byte \(byte) in sixels"
      }
    }
    return nil
  }

  private mutating func draw(_ byte: UInt8) {
    for line in 0..<6 where (byte - 0x3F) >> UInt8(line) & 1 == 1 {
      while pixels.count <= top + line { pixels.append([]) }
      while pixels[top + line].count <= column { pixels[top + line].append(nil) }
      pixels[top + line][column] = colours[colour]
    }
    column += 1
  }
}
