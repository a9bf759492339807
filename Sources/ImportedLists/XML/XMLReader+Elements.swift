extension XMLReader {
  /// Without the prefix of a namespace.
  var localName: Substring {
    name.utf8.lastIndex(of: UInt8(ascii: ":")).map { name[name.utf8.index(after: $0)...] }
      ?? name[...]
  }

  func attribute(_ name: String) -> String? { attributes.first { $0.name == name }?.value }

  /// Up to the beginning of the root.
  mutating func root() throws(ListFault) {
    guard case .start = try next() else { throw fault("a document without an element") }
  }

  /// Gives the body each element directly inside the one that has begun, once that has begun
  /// itself; the body reads it to its end, by any of the functions here.
  mutating func forEachElement(
    _ body: (inout XMLReader) throws(ListFault) -> Void
  ) throws(ListFault) {
    let inside = depth
    while true {
      switch try next() {
      case .start:
        try body(&self)
        precondition(depth == inside, "an element is read to its end")
      case .end: return
      case .text, .finish: continue
      }
    }
  }

  /// All text inside the element that has begun, to its end, that of elements in it included.
  mutating func content() throws(ListFault) -> String {
    let outside = depth - 1
    var content = ""
    while true {
      switch try next() {
      case .text: content += try text()
      case .end: if depth == outside { return content }
      case .start, .finish: continue
      }
    }
  }

  /// To the end of the element that has begun.
  mutating func skip() throws(ListFault) {
    let outside = depth - 1
    while true {
      if case .end = try next(), depth == outside { return }
    }
  }

  /// To the end of the document, which has to be whole.
  mutating func finish() throws(ListFault) {
    while true {
      if case .finish = try next() { return }
    }
  }
}
