/// Returns the index of the first byte that is not UTF-8 (Unicode 15, table 3-7); nil if all are.
package func faultInUTF8(_ bytes: [UInt8]) -> Int? {
  bytes.withUnsafeBufferPointer { bytes in
    var place = 0
    while place < bytes.count {
      let length = sequenceLength(bytes, place)
      if length == 0 { return place }
      place += length
    }
    return nil
  }
}

/// Returns the length of the UTF-8 sequence at the index (Unicode 15, table 3-7); 0 if there is
/// none.
func sequenceLength(_ bytes: UnsafeBufferPointer<UInt8>, _ place: Int) -> Int {
  func isNext(_ offset: Int, _ range: ClosedRange<UInt8> = 0x80...0xBF) -> Bool {
    place + offset < bytes.count && range.contains(bytes[place + offset])
  }
  switch bytes[place] {
  case 0x00...0x7F: return 1
  case 0xC2...0xDF: return isNext(1) ? 2 : 0
  case 0xE0: return isNext(1, 0xA0...0xBF) && isNext(2) ? 3 : 0
  case 0xED: return isNext(1, 0x80...0x9F) && isNext(2) ? 3 : 0
  case 0xE1...0xEF: return isNext(1) && isNext(2) ? 3 : 0
  case 0xF0: return isNext(1, 0x90...0xBF) && isNext(2) && isNext(3) ? 4 : 0
  case 0xF1...0xF3: return isNext(1) && isNext(2) && isNext(3) ? 4 : 0
  case 0xF4: return isNext(1, 0x80...0x8F) && isNext(2) && isNext(3) ? 4 : 0
  default: return 0
  }
}
