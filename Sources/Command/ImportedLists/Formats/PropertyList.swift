/// Apple's property lists as XML, read piece by piece: a library may have hundreds of megabytes of
/// values that nobody asks for.
extension XMLReader {
  /// Gives the body each key of the dictionary that has begun, with the reader at its value, which
  /// has begun; the body reads that to its end.
  mutating func forEachKey(
    _ body: (String, inout XMLReader) throws(ListFault) -> Void
  ) throws(ListFault) {
    guard name == "dict" else { return try skip() }
    var key: String?
    try forEachElement { (reader) throws(ListFault) in
      if reader.name == "key" {
        guard key == nil else { throw reader.fault("a key without a value") }
        key = try reader.content()
      } else if let known = key {
        key = nil
        try body(known, &reader)
      } else {
        throw reader.fault("a value without a key")
      }
    }
    if key != nil { throw fault("a key without a value") }
  }

  /// Gives the body each dictionary of the array that has begun.
  mutating func forEachDictionary(
    _ body: (inout XMLReader) throws(ListFault) -> Void
  ) throws(ListFault) {
    guard name == "array" else { return try skip() }
    try forEachElement { (reader) throws(ListFault) in
      if reader.name == "dict" { try body(&reader) } else { try reader.skip() }
    }
  }

  /// The number that has begun; nil where it is none.
  mutating func integer() throws(ListFault) -> Int? {
    guard name == "integer" else {
      try skip()
      return nil
    }
    return Int(words(try content()))
  }

  mutating func truth() throws(ListFault) -> Bool {
    let isTrue = name == "true"
    try skip()
    return isTrue
  }
}
