/// %XX undone, as in addresses; a % that no two digits follow is one.
package func percentDecoded(_ text: [UInt8]) -> [UInt8] {
  guard text.contains(UInt8(ascii: "%")) else { return text }
  var bytes: [UInt8] = []
  bytes.reserveCapacity(text.count)
  var place = 0
  while place < text.count {
    if text[place] == UInt8(ascii: "%"), place + 2 < text.count,
      let high = digit(text[place + 1]), let low = digit(text[place + 2])
    {
      bytes.append(high << 4 | low)
      place += 3
    } else {
      bytes.append(text[place])
      place += 1
    }
  }
  return bytes
}

private func digit(_ byte: UInt8) -> UInt8? {
  switch byte {
  case 0x30...0x39: byte - 0x30
  case 0x41...0x46: byte - 0x41 + 10
  case 0x61...0x66: byte - 0x61 + 10
  default: nil
  }
}
