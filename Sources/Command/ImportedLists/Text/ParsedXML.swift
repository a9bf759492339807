import CExpat
import Glibc

/// The events that expat reported for a piece of a document, in order.
struct ParsedXML {
  enum Event {
    case start(name: String, attributes: [(name: String, value: String)])
    /// A range of `texts`.
    case text(Range<Int>)
    case end
  }

  private struct Item {
    var event: Event
    /// The offset in the document.
    var offset: Int
  }

  private let parser: XML_Parser
  private var items: [Item] = []
  private var position = 0
  private var openCount = 0
  private(set) var texts: [UInt8] = []
  /// The error after the last event.
  private(set) var failure: ListFault?
  /// The offset in the document of the event that `next` returned last.
  private(set) var offset = 0

  /// Sets the parser's callbacks, which expect a pointer to this value as user data.
  init(_ parser: XML_Parser) {
    self.parser = parser
    XML_SetElementHandler(
      parser, { parsed(from: $0).pointee.begin($1, $2) },
      { user, _ in parsed(from: user).pointee.add(.end) })
    XML_SetCharacterDataHandler(parser) { parsed(from: $0).pointee.add(text: $1, count: Int($2)) }
    XML_SetStartDoctypeDeclHandler(parser) { user, name, outside, _, hasRules in
      parsed(from: user).pointee.check(type: name, outside: outside, hasRules: hasRules != 0)
    }
    XML_SetSkippedEntityHandler(parser) { user, _, _ in
      parsed(from: user).pointee.stop("an & that begins no known character")
    }
  }

  /// Returns the next event; nil if there is none.
  mutating func next() -> Event? {
    guard position < items.count else { return nil }
    offset = items[position].offset
    position += 1
    return items[position - 1].event
  }

  mutating func clear() {
    items.removeAll(keepingCapacity: true)
    texts.removeAll(keepingCapacity: true)
    position = 0
  }

  /// Records an error; only the first one counts.
  mutating func fail(_ reason: String) {
    failure = failure ?? ListFault(.line(Int(XML_GetCurrentLineNumber(parser))), reason)
  }

  private mutating func stop(_ reason: String) {
    fail(reason)
    XML_StopParser(parser, 0)
  }

  private mutating func add(_ event: Event) {
    // Expat reports the end of an empty element even if its start was refused.
    guard failure == nil else { return }
    if case .end = event { openCount -= 1 }
    items.append(Item(event: event, offset: XML_GetCurrentByteIndex(parser)))
  }

  private mutating func begin(
    _ name: UnsafePointer<CChar>?, _ list: UnsafeMutablePointer<UnsafePointer<CChar>?>?
  ) {
    openCount += 1
    guard openCount <= ListLimits.depth else {
      return stop("more than \(ListLimits.depth) elements inside one another")
    }
    var attributes: [(name: String, value: String)] = []
    // Names and values alternate, up to a null pointer.
    var list = list
    while let key = list?[0], let value = list?[1] {
      guard attributes.count < ListLimits.attributes else {
        return stop("more than \(ListLimits.attributes) attributes in one element")
      }
      attributes.append((String(cString: key), String(cString: value)))
      list? += 2
    }
    guard let name else { return }
    let local = strrchr(name, Int32(UInt8(ascii: ":"))).map { UnsafePointer($0 + 1) } ?? name
    add(.start(name: String(cString: local), attributes: attributes))
  }

  /// Joins texts, since expat reports line ends and references separately.
  private mutating func add(text: UnsafePointer<CChar>?, count: Int) {
    let start = texts.count
    texts += UnsafeRawBufferPointer(start: text, count: count)
    if case .text(let range) = items.last?.event {
      items[items.count - 1].event = .text(range.lowerBound..<texts.count)
    } else {
      add(.text(start..<texts.count))
    }
  }

  /// Refuses a document type that
  ///
  /// 1. has internal rules: entities could expand to any size;
  /// 2. has external rules, except Apple's: expat would drop entities that it doesn't know.
  private mutating func check(
    type name: UnsafePointer<CChar>?, outside: UnsafePointer<CChar>?, hasRules: Bool
  ) {
    if hasRules { return stop("a document type with rules of its own") }
    if outside != nil, name.map({ String(cString: $0) }) != "plist" {
      stop("a document type with rules elsewhere")
    }
  }
}

private func parsed(from user: UnsafeMutableRawPointer?) -> UnsafeMutablePointer<ParsedXML> {
  guard let user else { preconditionFailure("expat hands back what it was given") }
  return user.assumingMemoryBound(to: ParsedXML.self)
}
