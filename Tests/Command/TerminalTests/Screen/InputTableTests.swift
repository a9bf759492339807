import TestSupport
import Testing

@testable import Terminal

@Suite("Each thing that a terminal sends", .limited) struct InputTableTests {
  private func events(_ text: String) -> [InputEvent] { events(Array(text.utf8)) }

  private func events(_ bytes: [UInt8]) -> [InputEvent] {
    var decoder = InputDecoder()
    return decoder.feed(bytes)
  }

  private func key(_ key: Key?, _ modifiers: Modifiers = []) -> [InputEvent] {
    key.map { [.key($0, modifiers)] } ?? []
  }

  @Test("Keys by their numbers, and numbers that are none")
  func tildes() {
    var keys: [Int: Key] = [
      1: .home, 2: .insert, 3: .delete, 4: .end, 5: .pageUp, 6: .pageDown, 7: .home, 8: .end,
    ]
    for (first, function) in [(11, 1), (17, 6)] {
      for number in 0..<5 { keys[first + number] = .function(function + number) }
    }
    (keys[23], keys[24]) = (.function(11), .function(12))
    for number in 0...40 where number != 27 {
      #expect(events("\u{1B}[\(number)~") == key(keys[number]), "\(number)")
      #expect(events("\u{1B}[\(number);5~") == key(keys[number], .control), "\(number)")
    }
    #expect(events("\u{1B}[~") == [])
  }

  @Test("Keys by their letters, in sequences of all three kinds")
  func letters() {
    let letters: [Character: Key] = [
      "A": .up, "B": .down, "C": .right, "D": .left, "H": .home, "F": .end, "P": .function(1),
      "Q": .function(2), "R": .function(3), "S": .function(4),
    ]
    for code in UInt8(ascii: "@")...UInt8(ascii: "~") {
      let letter = Character(Unicode.Scalar(code))
      let single = letter == "M" ? .enter : letters[letter]
      #expect(events("\u{1B}O\(letter)") == key(single), "O \(letter)")
      if !"MOIZ[tun~".contains(letter) {
        #expect(events("\u{1B}[\(letter)") == key(letters[letter]), "[ \(letter)")
        #expect(events("\u{1B}[1;2\(letter)") == key(letters[letter], .shift), "[ \(letter)")
      }
      let number = ("A"..."E").contains(letter) ? Int(code) - 0x40 : nil
      #expect(events("\u{1B}[[\(letter)") == key(number.map { .function($0) }), "[[ \(letter)")
    }
    #expect(events("\u{1B}[Z") == key(.tab, .shift))
    #expect(events("\u{1B}O\u{1B}[A") == key(.up) && events("\u{1B}[1\u{1B}[A") == key(.up))
    // What begins within a string begins all the same.
    #expect(events("\u{1B}]abc\u{1B}[A") == key(.up))
    #expect(events("\u{1B}Pabc\u{1B}j") == key(.character("j"), .alt))
    // It is over with that, so that nothing ends it any more.
    #expect(events("\u{1B}]abc\u{1B}\u{1B}\\") == key(.escape) + key(.character("\\"), .alt))
    // A place of the cursor is no key.
    #expect(events("\u{1B}[5;7R") == [.report(.other)])
    #expect(events("\u{1B}[R") == key(.function(3)))
  }

  @Test("What is held down is one more than the sum of its bits")
  func modifiers() {
    for (code, modifiers) in [
      (0, []), (1, []), (2, .shift), (3, .alt), (4, [.shift, .alt]), (5, .control),
      (6, [.shift, .control]), (7, [.alt, .control]), (8, [.shift, .alt, .control]), (9, .alt),
      (10, [.shift, .alt]), (13, [.alt, .control]), (17, []), (18, .shift),
    ] as [(Int, Modifiers)] {
      #expect(events("\u{1B}[1;\(code)A") == key(.up, modifiers), "\(code)")
    }
  }

  @Test("Keys by the numbers of their characters")
  func codes() {
    for (code, expected) in [
      (13, .enter), (27, .escape), (9, .tab), (8, .backspace), (127, .backspace),
      (32, .character(" ")), (126, .character("~")), (31, nil), (0, nil), (128, nil), (159, nil),
      (160, .character("\u{A0}")), (0x10_FFFF, .character("\u{10FFFF}")), (0x11_0000, nil),
      (0xD800, nil), (0xE000, .character("\u{E000}")), (14, nil), (26, nil),
    ] as [(Int, Key?)] {
      #expect(events("\u{1B}[\(code)u") == key(expected), "\(code)")
      #expect(events("\u{1B}[\(code);2u") == key(expected, .shift), "\(code)")
      #expect(events("\u{1B}[27;5;\(code)~") == key(expected, .control), "\(code)")
    }
    #expect(events("\u{1B}[u") == [] && events("\u{1B}[27;5~") == [])
  }

  @Test("Control characters are keys with Ctrl, or have keys of their own")
  func controls() {
    for byte in UInt8(0)..<0x20 where byte != 0x1B {
      let expected: [InputEvent] =
        switch byte {
        case 0: key(.character(" "), .control)
        case 8: key(.backspace)
        case 9: key(.tab)
        case 10, 13: key(.enter)
        case 0x1C...: key(.character(Unicode.Scalar(byte + 0x40)), .control)
        default: key(.character(Unicode.Scalar(byte + 0x60)), .control)
        }
      #expect(events([byte]) == expected, "\(byte)")
    }
    for byte in UInt8(0x20)..<0x7F {
      #expect(events([byte]) == key(.character(Unicode.Scalar(byte))))
    }
    #expect(events([0x7F]) == key(.backspace))
  }

  @Test("Characters are UTF-8, the shortest, and no controls")
  func characters() {
    for (bytes, scalar) in [
      ([0xC2, 0xA0], "\u{A0}"), ([0xC2, 0x9F], nil), ([0xC1, 0xBF], nil),
      ([0xDF, 0xBF], "\u{7FF}"),
      ([0xE0, 0xA0, 0x80], "\u{800}"), ([0xE0, 0x9F, 0xBF], nil), ([0xED, 0xA0, 0x80], nil),
      ([0xED, 0x9F, 0xBF], "\u{D7FF}"), ([0xEF, 0xBF, 0xBD], "\u{FFFD}"),
      ([0xF0, 0x90, 0x80, 0x80], "\u{10000}"), ([0xF0, 0x8F, 0xBF, 0xBF], nil),
      ([0xF4, 0x8F, 0xBF, 0xBF], "\u{10FFFF}"), ([0xF4, 0x90, 0x80, 0x80], nil), ([0xF5], nil),
      ([0xFF], nil), ([0x80], nil), ([0xBF], nil), ([0xC0, 0x80], nil), ([0xC3], nil),
      ([0xE3, 0x81], nil),
    ] as [([UInt8], Unicode.Scalar?)] {
      let expected = key(scalar.map { .character($0) })
      #expect(events(bytes + [0x71]) == expected + key(.character("q")), "\(bytes)")
      // With Alt, which is that one key's.
      let alt = key(scalar.map { .character($0) }, .alt)
      let other = events([0x1B] + bytes + [0x71])
      #expect(other == alt + key(.character("q")), "\(bytes)")
    }
    #expect(events([0xC3, 0x1B, 0x5B, 0x41]) == key(.up))
    #expect(events([0xC3, 0xC3, 0xA9]) == key(.character("é")))
  }

  @Test("Buttons, drags and the wheel, with what is held down")
  func mouse() {
    let spot = Grid.Spot(row: 1, column: 2)
    for code in 0..<128 {
      var modifiers: Modifiers = []
      if code & 4 != 0 { modifiers.insert(.shift) }
      if code & 8 != 0 { modifiers.insert(.alt) }
      if code & 16 != 0 { modifiers.insert(.control) }
      let button = [Mouse.Button.left, .middle, .right, nil][code & 3]
      let action: Mouse.Action? =
        if code >= 64 {
          [.wheel(-1), .wheel(1), nil, nil][code & 3]
        } else {
          button.map { code & 32 != 0 ? .drag($0) : .press($0) }
        }
      let expected = action.map { [InputEvent.mouse(Mouse($0, spot, modifiers))] } ?? []
      #expect(events("\u{1B}[<\(code);3;2M") == expected, "\(code)")
      let release = [InputEvent.mouse(Mouse(.release, spot, modifiers))]
      #expect(events("\u{1B}[<\(code);3;2m") == (code < 64 ? release : []), "\(code)")
      let old = [0x1B, 0x5B, 0x4D, UInt8(0x20 + code), 0x23, 0x22]
      #expect(events(old) == (code < 64 && code & 3 == 3 ? release : expected), "\(code)")
    }
  }

  @Test("The mouse is in the grid, as far as one goes")
  func mousePlaces() {
    for (column, row, isTaken) in [
      (1, 1, true), (1_000, 1_000, true), (1_001, 1, false), (1, 1_001, false), (0, 1, false),
      (1, 0, false),
    ] {
      let spot = Grid.Spot(row: row - 1, column: column - 1)
      let expected = isTaken ? [InputEvent.mouse(Mouse(.press(.left), spot))] : []
      #expect(events("\u{1B}[<0;\(column);\(row)M") == expected, "\(column) \(row)")
    }
    for numbers in ["", "0", "0;1", "0;1;1;1"] { #expect(events("\u{1B}[<\(numbers)M") == []) }
    #expect(events("\u{1B}[<0;1;1A") == [])
    for (bytes, spot) in [
      ([0x20, 0x21, 0x21], Grid.Spot(row: 0, column: 0)),
      ([0x20, 0xFF, 0x22], Grid.Spot(row: 1, column: 222)),
      ([0x20, 0x20, 0x21], nil), ([0x20, 0x21, 0x20], nil), ([0x1F, 0x21, 0x21], nil),
      ([0x21, 0x1F, 0x21], nil), ([0x21, 0x20, 0x21], nil),
    ] as [([UInt8], Grid.Spot?)] {
      let button: Mouse.Button = bytes[0] == 0x20 ? .left : .middle
      let expected = spot.map { [InputEvent.mouse(Mouse(.press(button), $0))] } ?? []
      #expect(events([0x1B, 0x5B, 0x4D] + bytes) == expected, "\(bytes)")
    }
  }

  @Test("Answers are told apart by their marks and ends")
  func reports() {
    for (text, report) in [
      ("[?1;0;256S", .graphics([1, 0, 256])), ("[?c", .attributes([])),
      ("[?62;;4c", .attributes([62, 0, 4])), ("[?99999999c", .attributes([1 << 24])),
      ("[?16777215c", .attributes([16_777_215])), ("[?5u", .other), ("[>1;2c", .other),
      ("[=1c", .other), ("[1 q", .other), ("[?1$y", .other), ("[0n", .ready), ("[n", .ready),
      ("[6;18;9t", .cellSize(width: 9, height: 18)), ("[4;18;9t", .other), ("[t", .other),
      ("[6;0;9t", nil), ("[6;18;0t", nil), ("[6;18t", nil),
      ("[6;1;1t", .cellSize(width: 1, height: 1)),
      ("[I", .focus(true)), ("[O", .focus(false)), ("_Gi=31;OK\u{1B}\\", .picture("i=31;OK")),
      ("_x\u{1B}\\", .other), ("PG\u{1B}\\", .other), ("P>|x\u{7}", .name("x")),
      ("]>|x\u{7}", .other), ("^x\u{1B}\\", .other), ("X\u{1B}\\", .other), ("P>x\u{1B}\\", .other),
      ("_abc\u{18}", nil), ("Pabc\u{1A}", nil), ("[1\u{1F}", nil), ("[1 1c", nil),
    ] as [(String, Report?)] {
      let expected = report.map { [InputEvent.report($0)] } ?? []
      #expect(events("\u{1B}\(text)") == expected, "\(text)")
      #expect(events("\u{1B}\(text)q") == expected + key(.character("q")), "\(text)")
    }
  }

  @Test("Of a sequence 1,024 bytes are kept, and of its numbers 33")
  func bounds() {
    let most = 1_024
    func string(_ count: Int) -> String { String(repeating: "1", count: count) }
    #expect(events("\u{1B}P>|\(string(most - 2))\u{7}") == [.report(.name(string(most - 2)))])
    #expect(events("\u{1B}P>|\(string(most - 1))\u{7}j") == key(.character("j")))
    #expect(events("\u{1B}[\(string(most))A") == key(.up))
    #expect(events("\u{1B}[\(string(most + 1))Aj") == key(.character("j")))
    let semicolons = String(repeating: ";", count: 33)
    #expect(events("\u{1B}[\(semicolons.dropFirst())A") == key(.up))
    #expect(events("\u{1B}[\(semicolons)Aj") == key(.character("j")))
    // What was too long before is no reason to drop the next.
    #expect(events("\u{1B}P\(string(2_000))\u{7}\u{1B}_Gx\u{7}") == [.report(.picture("x"))])
  }

  @Test("What is begun waits for more, or for its end, or for nothing")
  func patience() {
    for (text, milliseconds) in [
      ("", nil), ("a", nil), ("\u{1B}", 25), ("\u{1B}[", 25), ("\u{1B}[1", nil), ("\u{1B}O", 25),
      ("\u{1B}P", 25), ("\u{1B}Pa", nil), ("\u{1B}Pa\u{1B}", 25), ("\u{1B}[M", nil),
      ("\u{1B}[A", nil), ("\u{1B}[200~", 1_000), ("\u{1B}[200~a", 1_000),
      ("\u{1B}[200~\u{1B}[201~", nil),
      ("\u{1B}[200~a\u{1B}", 1_000),
    ] as [(String, Int?)] {
      var decoder = InputDecoder()
      _ = decoder.feed(text.utf8)
      #expect(decoder.patience == milliseconds, "\(text.debugDescription)")
      if milliseconds == nil { #expect(decoder.rest() == []) }
    }
  }

  @Test("Lines of what is pasted end with line feeds, whatever ends them, and its end is whole")
  func pasted() {
    for (text, expected) in [
      ("a\r\nb\rc\n", "a\nb\nc\n"), ("\r\r", "\n\n"), ("\u{1B}[201", "\u{1B}[201"),
      ("\u{1B}\u{1B}[20", "\u{1B}\u{1B}[20"), ("a\u{1B}[A", "a\u{1B}[A"), ("", ""),
      ("\u{3}\u{7F}", "\u{3}\u{7F}"),
    ] {
      #expect(
        events("\u{1B}[200~\(text)\u{1B}[201~q") == [.pasted(expected)] + key(.character("q")),
        "\(text.debugDescription)")
    }
    let long = String(repeating: "a", count: InputDecoder.pastedMost - 1)
    for (more, kept) in [("b", "b"), ("bc", "b"), ("", "")] {
      let events = events("\u{1B}[200~\(long)\(more)\u{1B}[201~")
      #expect(events == [.pasted(long + kept)])
    }
  }
}
