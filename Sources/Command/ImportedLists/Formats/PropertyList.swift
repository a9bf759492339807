/// Reads Apple's property lists as XML, value by value: a library may contain hundreds of megabytes
/// of values that aren't needed.
extension XMLReader {
  /// Calls the body with each key of the dictionary that the reader has entered, with the reader at
  /// its value. Any other element counts as a dictionary without keys.
  func forEachKey(_ body: (String) throws(ListFault) -> Void) throws(ListFault) {
    guard name == "dict" else { return }
    let dictionary = depth
    while try nextElement(in: dictionary) {
      guard name == "key" else { throw fault("a value without a key") }
      let key = try content()
      guard try nextElement(in: dictionary), name != "key" else {
        throw fault("a key without a value")
      }
      try body(key)
    }
  }

  /// Calls the body with the reader at each dictionary of the array that the reader has entered.
  func forEachDictionary(_ body: () throws(ListFault) -> Void) throws(ListFault) {
    guard name == "array" else { return }
    let array = depth
    while try nextElement(in: array) {
      if name == "dict" { try body() }
    }
  }

  /// Reads the number that the reader has entered; nil if it isn't one.
  func integer() throws(ListFault) -> Int? {
    name == "integer" ? Int(words(try content())) : nil
  }
}
