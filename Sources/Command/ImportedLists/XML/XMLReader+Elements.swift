import Text

extension XMLReader {
  /// Gives the body the document's root, which has begun; the body reads that to its end. What
  /// follows is read, too: the document has to be whole.
  static func read<Result>(
    _ bytes: [UInt8], _ pages: CodePages,
    _ body: (inout XMLReader) throws(ListFault) -> Result
  ) throws(ListFault) -> Result {
    var reader = try XMLReader(bytes, pages)
    guard case .start = try reader.next() else {
      throw reader.fault("a document without an element")
    }
    let result = try body(&reader)
    while true {
      if case .finish = try reader.next() { return result }
    }
  }

  /// Without the prefix of a namespace.
  var localName: Substring {
    name.utf8.lastIndex(of: UInt8(ascii: ":")).map { name[name.utf8.index(after: $0)...] }
      ?? name[...]
  }

  func attribute(_ name: String) -> String? { attributes.first { $0.name == name }?.value }

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
}
