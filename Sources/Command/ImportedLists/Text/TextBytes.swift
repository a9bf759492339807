import Text

/// Returns the line of a byte, from 1. Takes linear time, so it is for errors only.
func line(of place: Int, in bytes: [UInt8]) -> Int {
  1 + bytes.prefix(place).count { $0 == 0x0A }
}

/// Refuses text with a NUL byte: it is damaged or not a list.
///
/// - Throws: A `ListFault` with the line.
func refuseZeros(in text: [UInt8]) throws(ListFault) {
  guard let zero = text.firstIndex(of: 0) else { return }
  throw ListFault(.line(line(of: zero, in: text)), "a byte that no list has: this is none")
}

/// The lines of a text without their ends: LF, CRLF, or CR if there is no LF at all. Lazy, since a
/// file may consist of nothing but line ends.
struct Lines: Sequence, IteratorProtocol {
  private let bytes: [UInt8]
  private let end: UInt8
  private var place = 0

  init(of bytes: [UInt8]) {
    self.bytes = bytes
    end = bytes.contains(0x0A) ? 0x0A : 0x0D
  }

  mutating func next() -> ArraySlice<UInt8>? {
    guard place < bytes.count else { return nil }
    let rest = bytes[place...]
    let stop = rest.firstIndex(of: end) ?? bytes.count
    place = stop + 1
    let line = rest[..<stop]
    return line.last == 0x0D ? line.dropLast() : line
  }
}

func trimmed(_ text: ArraySlice<UInt8>) -> ArraySlice<UInt8> {
  var text = text.drop(while: isBlank)
  while let last = text.last, isBlank(last) { text.removeLast() }
  return text
}

func isBlank(_ byte: UInt8) -> Bool { byte == 0x20 || (0x09...0x0D).contains(byte) }

/// Returns text without blanks around it; empty if it isn't UTF-8.
func words(_ text: ArraySlice<UInt8>) -> String {
  String(validating: trimmed(text), as: UTF8.self) ?? ""
}

func words(_ text: String) -> String { words(Array(text.utf8)[...]) }

/// Returns a path in the form of `WantedSong.path`.
func pathText(_ path: ArraySlice<UInt8>) -> String {
  String(validating: path, as: UTF8.self) ?? percentEscaped(path, leaving: .ascii)
}

/// Whether a text equals the word, ignoring ASCII case.
func isSame(_ text: ArraySlice<UInt8>, _ word: StaticString) -> Bool {
  text.count == word.utf8CodeUnitCount && begins(text, word)
}

/// Whether a text begins with the word, ignoring ASCII case.
func begins(_ text: ArraySlice<UInt8>, _ word: StaticString) -> Bool {
  let count = word.utf8CodeUnitCount
  guard text.count >= count else { return false }
  for offset in 0..<count
  where lower(text[text.startIndex + offset]) != lower(word.utf8Start[offset]) {
    return false
  }
  return true
}

func lower(_ byte: UInt8) -> UInt8 { (0x41...0x5A).contains(byte) ? byte + 32 : byte }

/// Reads a positive number of at most nine digits at the start of a text; nil if there is none.
func positive(_ text: some StringProtocol) -> Int? {
  var (number, digits) = (0, 0)
  for byte in text.utf8 {
    guard (0x30...0x39).contains(byte), digits < 9 else { break }
    number = number * 10 + Int(byte - 0x30)
    digits += 1
  }
  return number > 0 ? number : nil
}

/// Converts seconds to milliseconds; 0 if music can't have this length.
func milliseconds(ofSeconds text: String) -> Int {
  guard let seconds = Double(text), seconds > 0, seconds < 10_000_000 else { return 0 }
  return Int(seconds * 1_000)
}

/// Returns a number of milliseconds; 0 if music can't have this length.
func milliseconds(_ number: Int?) -> Int {
  number.map { (1..<10_000_000_000).contains($0) ? $0 : 0 } ?? 0
}

/// Returns the MusicBrainz id at the end of a URL or name; empty if there is none.
func musicBrainzID(_ text: String) -> String {
  let text = Array(text.utf8)
  guard text.count >= 36 else { return "" }
  let id = text.suffix(36)
  for (place, byte) in id.enumerated() {
    let isDash = [8, 13, 18, 23].contains(place)
    let digit = lower(byte)
    let isDigit = (0x30...0x39).contains(digit) || (0x61...0x66).contains(digit)
    if isDash ? byte != 0x2D : !isDigit { return "" }
  }
  if let before = text.dropLast(36).last, before != UInt8(ascii: "/"), before != UInt8(ascii: ":") {
    return ""
  }
  return String(decoding: id.map(lower), as: UTF8.self)
}
