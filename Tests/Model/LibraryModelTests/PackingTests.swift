import TestSupport
import Testing

@testable import LibraryModel

@Suite("Numbers and texts in a row of bytes", .limited)
struct PackingTests {
  private func bytes(_ write: (inout PackedWriter) -> Void) -> [UInt8] {
    var writer = PackedWriter(reserving: 8)
    write(&writer)
    return writer.bytes
  }

  @Test("what is cut off is not read, and nothing beyond the end")
  func cutOff() {
    let whole = bytes {
      $0.put(300)
      $0.put("text")
      $0.put(fixed: 5)
      $0.put([1, 2])
    }
    for end in 0...whole.count {
      var reader = PackedReader(Array(whole[..<end]))
      _ = reader.number()
      _ = reader.text()
      _ = reader.fixed()
      _ = reader.bytes()
      #expect(reader.isWhole == (end == whole.count), "\(end)")
      #expect(reader.place <= end)
    }
    var reader = PackedReader(whole)
    reader.skip(numbers: 1, texts: 1)
    #expect(reader.fixed() == 5 && reader.bytes() == [1, 2] && reader.isWhole)
    #expect(reader.number() == 0 && !reader.isWhole)
    reader = PackedReader(whole + [0])
    reader.skip(numbers: 1, texts: 1)
    #expect(reader.fixed() == 5 && reader.bytes() == [1, 2] && !reader.isWhole)
  }

  @Test("a number of more than 64 bits, and a text longer than what is there, are none")
  func nonsense() {
    var reader = PackedReader([UInt8](repeating: 0x80, count: 10) + [1])
    #expect(reader.number() == 0 && reader.hasFailed)
    reader = PackedReader([UInt8](repeating: 0x80, count: 9) + [1])
    #expect(reader.number() == 1 << 63 && !reader.hasFailed)
    for (bytes, text) in [([2, 0x61], ""), ([1, 0x61], "a"), ([0], "")] as [([UInt8], String)] {
      reader = PackedReader(bytes)
      #expect(reader.text() == text)
      #expect(reader.hasFailed == (bytes.count == 2 && bytes[0] == 2))
    }
    reader = PackedReader([UInt8](repeating: 0, count: 7))
    #expect(reader.fixed() == 0 && reader.hasFailed && reader.place == 0)
    reader = PackedReader([9, 0, 0, 0, 0, 0, 0, 0])
    #expect(reader.fixed() == 9 && reader.isWhole)
  }

  @Test("the text of a UUID takes 18 bytes, and any other one as many as it has, and one more")
  func identifiers() {
    let id = "0af9c8e7-1122-4a5b-8c9d-00ff10a0b0c9"
    let most = String(id.dropLast())
    let others = [
      id.uppercased(), "\(id)0", most, "\(most)g", "\(most)/", "\(most):", "\(most)`",
      id.replacing("-", with: "0"), "-\(id.dropFirst())", "0af9c8e-71122-4a5b-8c9d-00ff10a0b0c9",
    ]
    let ids = [
      id, "ffffffff-ffff-ffff-ffff-ffffffffffff", "00000000-0000-0000-0000-000000000000",
    ]
    for text in ids + others {
      let packed = bytes { $0.put(text) }
      #expect(packed.count == (ids.contains(text) ? 18 : text.utf8.count + 1), "\(text)")
      var reader = PackedReader(packed)
      #expect(reader.text() == text && reader.isWhole)
    }
    #expect(bytes { $0.put(id) }.prefix(4) == [17, 0xFF, 0x0A, 0xF9])
    #expect(bytes { $0.put(id) }.last == 0xC9)
  }
}
