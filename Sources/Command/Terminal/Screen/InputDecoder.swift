/// Decodes the bytes that a terminal sends into events. The bytes may be split anywhere and may be
/// invalid; the decoder buffers a few of them.
///
/// All sequences begin with ESC, which is also a key. If no byte follows within `patience`, the
/// caller calls `rest`, and the ESC counts as the key.
package struct InputDecoder: Sendable {
  /// The bytes of a sequence come at once, even over slow lines; users type slower.
  package static let escapeMilliseconds = 25
  /// The bytes of a pasted text come at once, too. Later ones are still not keys, except for
  /// Ctrl-C.
  package static let pasteMilliseconds = 1_000
  /// The most bytes of a pasted text; the rest is dropped, since no input here is as long.
  package static let pastedMost = 64 << 10
  /// The most bytes of parameters or reports; longer ones are read to their end and dropped.
  private static let keptMost = 1 << 10

  private enum State: Sendable {
    case ground
    case escape
    /// `ESC [`
    case control
    /// `ESC O`
    case single
    /// `ESC [ M`, and three bytes.
    case oldMouse
    /// A string up to its end: an application, device or operating system command.
    case string(UInt8)
    /// A string in which an ESC came.
    case stringEscape(UInt8)
    case character(left: Int, value: UInt32, least: UInt32)
    case pasting
    /// A paste without its end in which no byte came for a while.
    case pasteResting
  }

  private var state = State.ground
  private var kept: [UInt8] = []
  private var isCut = false
  private var isAlt = false
  private var pasted: [UInt8] = []
  private var events: [InputEvent] = []

  package init() {}

  /// The milliseconds to wait for more bytes before calling `rest`; nil if that would change
  /// nothing.
  package var patience: Int? {
    switch state {
    case .pasting: Self.pasteMilliseconds
    case .escape, .stringEscape: Self.escapeMilliseconds
    case .control, .single, .string: kept.isEmpty ? Self.escapeMilliseconds : nil
    default: nil
    }
  }

  package mutating func feed(_ bytes: some Sequence<UInt8>) -> [InputEvent] {
    for byte in bytes { take(byte) }
    defer { events = [] }
    return events
  }

  /// Ends the wait for more bytes: an ambiguous sequence counts as a key.
  package mutating func rest() -> [InputEvent] {
    if patience == nil { return [] }
    if case .pasting = state {
      state = .pasteResting
      return []
    }
    switch state {
    case .escape, .stringEscape: add(.escape)
    case .string(let kind):
      isAlt = true
      add(.character(Unicode.Scalar(kind)))
    case .control:
      isAlt = true
      add(.character("["))
    case .single:
      isAlt = true
      add(.character("O"))
    default: break
    }
    state = .ground
    defer { events = [] }
    return events
  }

  private mutating func add(_ key: Key, _ modifiers: Modifiers = []) {
    events.append(.key(key, isAlt ? modifiers.union(.alt) : modifiers))
    isAlt = false
  }

  private mutating func begin(_ state: State) {
    self.state = state
    kept = []
    isCut = false
  }

  private mutating func keep(_ byte: UInt8) {
    if kept.count < Self.keptMost { kept.append(byte) } else { isCut = true }
  }

  private mutating func take(_ byte: UInt8) {
    switch state {
    case .ground: takeFirst(byte)
    case .escape: takeAfterEscape(byte)
    case .control: takeControl(byte)
    case .single:
      state = .ground
      takeSingle(byte)
    case .oldMouse:
      keep(byte)
      if kept.count == 3 {
        state = .ground
        if let mouse = Mouse(old: kept) { events.append(.mouse(mouse)) }
      }
    case .string(let kind):
      // The string may also end with BEL. CAN and SUB abort it.
      if byte == 0x1B {
        state = .stringEscape(kind)
      } else if byte == 0x07 {
        endString(kind)
      } else if byte == 0x18 || byte == 0x1A {
        state = .ground
      } else if byte == 0x03 {
        // No report contains Ctrl-C: the user wants to leave a terminal that doesn't end its
        // strings.
        state = .ground
        takeFirst(byte)
      } else {
        keep(byte)
      }
    case .stringEscape(let kind):
      if byte == UInt8(ascii: "\\") {
        endString(kind)
      } else {
        state = .escape
        takeAfterEscape(byte)
      }
    case .character(let left, let value, let least):
      takeRest(byte, left, value, least)
    case .pasteResting where byte == 0x03:
      // The user wants to leave a terminal that doesn't end its pastes.
      state = .ground
      pasted = []
      takeFirst(byte)
    case .pasting, .pasteResting:
      state = .pasting
      takePasted(byte)
    }
  }

  // MARK: Characters

  private mutating func takeFirst(_ byte: UInt8) {
    switch byte {
    case 0x1B: begin(.escape)
    case 0x0D, 0x0A: add(.enter)
    case 0x09: add(.tab)
    case 0x08, 0x7F: add(.backspace)
    case 0x00: add(.character(" "), .control)
    case 0x01..<0x1B: add(.character(Unicode.Scalar(byte + 0x60)), .control)
    case 0x1C..<0x20: add(.character(Unicode.Scalar(byte + 0x40)), .control)
    case 0x20..<0x7F: add(.character(Unicode.Scalar(byte)))
    case 0xC2..<0xE0: state = .character(left: 1, value: UInt32(byte & 0x1F), least: 0x80)
    case 0xE0..<0xF0: state = .character(left: 2, value: UInt32(byte & 0x0F), least: 0x800)
    case 0xF0..<0xF5: state = .character(left: 3, value: UInt32(byte & 0x07), least: 0x1_0000)
    // Invalid UTF-8.
    default: isAlt = false
    }
  }

  private mutating func takeRest(_ byte: UInt8, _ left: Int, _ value: UInt32, _ least: UInt32) {
    guard byte & 0xC0 == 0x80 else {
      state = .ground
      isAlt = false
      return takeFirst(byte)
    }
    let value = value << 6 | UInt32(byte & 0x3F)
    if left > 1 {
      state = .character(left: left - 1, value: value, least: least)
      return
    }
    state = .ground
    // C1 controls are not text.
    if value >= max(least, 0xA0), let scalar = Unicode.Scalar(value) { add(.character(scalar)) }
    isAlt = false
  }

  // MARK: Sequences

  private mutating func takeAfterEscape(_ byte: UInt8) {
    switch byte {
    case UInt8(ascii: "["): begin(.control)
    case UInt8(ascii: "O"): begin(.single)
    case UInt8(ascii: "]"), UInt8(ascii: "P"), UInt8(ascii: "_"), UInt8(ascii: "^"),
      UInt8(ascii: "X"):
      begin(.string(byte))
    case 0x1B: add(.escape)
    default:
      state = .ground
      isAlt = true
      takeFirst(byte)
    }
  }

  private mutating func takeSingle(_ byte: UInt8) {
    switch byte {
    case UInt8(ascii: "P")...UInt8(ascii: "S"): add(.function(Int(byte - UInt8(ascii: "P")) + 1))
    case UInt8(ascii: "M"): add(.enter)
    case 0x1B: begin(.escape)
    default: if let key = Self.key(final: byte) { add(key) }
    }
  }

  private static func key(final byte: UInt8) -> Key? {
    switch byte {
    case UInt8(ascii: "A"): .up
    case UInt8(ascii: "B"): .down
    case UInt8(ascii: "C"): .right
    case UInt8(ascii: "D"): .left
    case UInt8(ascii: "H"): .home
    case UInt8(ascii: "F"): .end
    default: nil
    }
  }

  private mutating func takeControl(_ byte: UInt8) {
    switch byte {
    case 0x20..<0x40: keep(byte)
    case UInt8(ascii: "M") where kept.isEmpty: begin(.oldMouse)
    // The Linux console sends one more byte for function keys.
    case UInt8(ascii: "[") where kept.isEmpty: keep(byte)
    case 0x40..<0x7F:
      state = .ground
      if kept.first == UInt8(ascii: "[") {
        if byte >= 0x41, byte <= 0x45 { add(.function(Int(byte) - 0x40)) }
      } else if !isCut {
        endControl(byte)
      }
    case 0x1B: begin(.escape)
    default: state = .ground
    }
  }

  private mutating func endControl(_ final: UInt8) {
    let parameters = ControlParameters(kept)
    guard let parameters else { return }
    if parameters.mark == UInt8(ascii: "<") {
      let isMouse = final == UInt8(ascii: "M") || final == UInt8(ascii: "m")
      if isMouse, let mouse = Mouse(parameters, isRelease: final == UInt8(ascii: "m")) {
        events.append(.mouse(mouse))
      }
      return
    }
    if parameters.mark != nil || !parameters.between.isEmpty {
      events.append(.report(Report(parameters, final)))
      return
    }
    let modifiers = Modifiers(code: parameters[1] ?? 1)
    switch final {
    case UInt8(ascii: "~"): endTilde(parameters, modifiers)
    case UInt8(ascii: "Z"): add(.tab, .shift)
    case UInt8(ascii: "I"): events.append(.report(.focus(true)))
    case UInt8(ascii: "O"): events.append(.report(.focus(false)))
    case UInt8(ascii: "u"): add(code: parameters[0] ?? 0, modifiers)
    case UInt8(ascii: "t") where parameters[0] == 6:
      if let height = parameters[1], let width = parameters[2], height > 0, width > 0 {
        events.append(.report(.cellSize(width: width, height: height)))
      }
    case UInt8(ascii: "t"): events.append(.report(.other))
    case UInt8(ascii: "n"): events.append(.report(.ready))
    // A cursor position report; with a 1 it is a function key.
    case UInt8(ascii: "R") where (parameters[0] ?? 1) != 1: events.append(.report(.other))
    case UInt8(ascii: "P")...UInt8(ascii: "S"):
      add(.function(Int(final - UInt8(ascii: "P")) + 1), modifiers)
    default: if let key = Self.key(final: final) { add(key, modifiers) }
    }
  }

  private mutating func endTilde(_ parameters: ControlParameters, _ modifiers: Modifiers) {
    switch parameters[0] ?? 0 {
    case 1, 7: add(.home, modifiers)
    case 2: add(.insert, modifiers)
    case 3: add(.delete, modifiers)
    case 4, 8: add(.end, modifiers)
    case 5: add(.pageUp, modifiers)
    case 6: add(.pageDown, modifiers)
    case let number where (11...15).contains(number): add(.function(number - 10), modifiers)
    case let number where (17...21).contains(number): add(.function(number - 11), modifiers)
    case let number where (23...24).contains(number): add(.function(number - 12), modifiers)
    // A key in the format of xterm's modifyOtherKeys.
    case 27: add(code: parameters[2] ?? 0, modifiers)
    case 200:
      state = .pasting
      pasted = []
      kept = []
    default: break
    }
  }

  /// Adds a key by its character code.
  private mutating func add(code: Int, _ modifiers: Modifiers) {
    switch code {
    case 13: add(.enter, modifiers)
    case 27: add(.escape, modifiers)
    case 9: add(.tab, modifiers)
    case 8, 127: add(.backspace, modifiers)
    case 0x20..<0x7F, 0xA0...:
      if let scalar = UInt32(exactly: code).flatMap(Unicode.Scalar.init) {
        add(.character(scalar), modifiers)
      }
    default: break
    }
  }

  // MARK: Strings

  private mutating func endString(_ kind: UInt8) {
    state = .ground
    isAlt = false
    if isCut { return }
    let text = String(decoding: kept, as: UTF8.self)
    switch kind {
    case UInt8(ascii: "_") where text.hasPrefix("G"):
      events.append(.report(.picture(String(text.dropFirst()))))
    case UInt8(ascii: "P") where text.hasPrefix(">|"):
      events.append(.report(.name(String(text.dropFirst(2)))))
    default: events.append(.report(.other))
    }
  }

  private static let pasteEnd = Array("\u{1B}[201~".utf8)

  private mutating func takePasted(_ byte: UInt8) {
    // `kept` has the matched part of the end sequence.
    if byte == Self.pasteEnd[kept.count] {
      kept.append(byte)
      guard kept.count == Self.pasteEnd.count else { return }
      let text = String(decoding: pasted, as: UTF8.self)
      events.append(
        .pasted(text.replacing("\r\n", with: "\n").replacing("\r", with: "\n")))
      state = .ground
      pasted = []
      kept = []
      return
    }
    for earlier in kept { paste(earlier) }
    kept = []
    if byte == 0x1B { kept = [byte] } else { paste(byte) }
  }

  private mutating func paste(_ byte: UInt8) {
    if pasted.count < Self.pastedMost { pasted.append(byte) }
  }
}
