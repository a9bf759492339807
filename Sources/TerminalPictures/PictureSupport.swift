/// What a terminal says of the pictures that it can show, found in what comes from it.
package struct PictureSupport: Sendable, Hashable {
  /// It knows kitty's graphics protocol.
  package private(set) var hasKitty = false
  package private(set) var hasSixels = false
  /// How many colours a sixel picture may have.
  package private(set) var sixelColours = SixelPicture.coloursUsual
  /// Nil where it doesn't say.
  package private(set) var cell: CellSize?
  /// Whether it has answered the last of the questions: no answer to another one is to come.
  package private(set) var isComplete = false

  /// For kitty's protocol, the colours of sixels (xterm's XTSMGRAPHICS), the size of a cell, and,
  /// last, since every terminal answers it, for its attributes (DA1), of which 4 are sixels.
  package static let questions =
    KittyPicture.question + Array("\u{1B}[?1;1;0S\u{1B}[16t\u{1B}[c".utf8)

  /// Of one answer: longer ones are none of these.
  private static let answerMost = 256

  private enum State { case text, escape, control, string, stringEscape }
  private var state = State.text
  private var answer: [UInt8] = []

  package init() {}

  /// Takes the next bytes from the terminal, which may be anything, in pieces of any size.
  package mutating func take(_ bytes: some Sequence<UInt8>) {
    for byte in bytes { take(byte) }
  }

  private mutating func take(_ byte: UInt8) {
    switch (state, byte) {
    case (.string, 0x1B): state = .stringEscape
    case (.stringEscape, UInt8(ascii: "\\")):
      takeString()
      state = .text
    case (_, 0x1B): state = .escape
    case (.escape, UInt8(ascii: "[")): (state, answer) = (.control, [])
    case (.escape, UInt8(ascii: "_")): (state, answer) = (.string, [])
    case (.control, 0x40...0x7E):
      takeControl(byte)
      state = .text
    case (.control, 0x20...0x3F), (.string, 0x20...0x7E):
      answer.append(byte)
      if answer.count > Self.answerMost { state = .text }
    default: state = .text
    }
  }

  private mutating func takeString() {
    let parts = answer.split(separator: UInt8(ascii: ";"), omittingEmptySubsequences: false)
    if parts.count == 2, parts[0].starts(with: "Gi=31".utf8), parts[1].elementsEqual("OK".utf8) {
      hasKitty = true
    }
  }

  private mutating func takeControl(_ final: UInt8) {
    let isPrivate = answer.first == UInt8(ascii: "?")
    let numbers = answer.dropFirst(isPrivate ? 1 : 0).split(separator: UInt8(ascii: ";")).map {
      Int(String(decoding: $0, as: UTF8.self))
    }
    switch (final, isPrivate, numbers.first ?? nil) {
    case (UInt8(ascii: "c"), true, _):
      hasSixels = numbers.dropFirst().contains(4)
      isComplete = true
    case (UInt8(ascii: "S"), true, 1):
      // What was asked for, whether it could be told, and what it is.
      if numbers.count == 3, numbers[1] == 0, let count = numbers[2], count >= 2 {
        sixelColours = min(count, SixelPicture.coloursUsual)
      }
    case (UInt8(ascii: "t"), false, 6):
      if numbers.count == 3, let height = numbers[1], let width = numbers[2], height > 0, width > 0
      {
        cell = CellSize(width: width, height: height)
      }
    default: break
    }
  }
}
