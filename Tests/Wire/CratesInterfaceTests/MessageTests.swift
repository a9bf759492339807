import CratesInterface
import TestSupport
import Testing

@Suite("What is read and said at its limits", .limited)
struct MessageTests {
  @Test("Of the ids that may be meant ten are named, and how many more there are")
  func named() {
    for (count, expected) in [
      (2, "i0, i1;"), (10, "i0, i1, i2, i3, i4, i5, i6, i7, i8, i9;"), (11, "i9 and 1 more;"),
      (20, "i9 and 10 more;"),
    ] {
      let error = InterfaceError.ambiguousId(id: "i", matches: (0..<count).map { "i\($0)" })
      #expect(error.message.contains(expected), "\(error.message)")
    }
  }

  @Test("Every hexadecimal digit of an escaped character is read, in any letter case")
  func digits() throws {
    for digit in 0..<16 {
      for text in [String(digit, radix: 16), String(digit, radix: 16, uppercase: true)] {
        let expected = Unicode.Scalar(UInt16(0x0010 + digit)).map { String(Character($0)) }
        #expect(try JSON(parsing: "\"\\u001\(text)\"").string == expected, "\(text)")
      }
    }
    #expect(throws: JSON.ParseError.self) { try JSON(parsing: #""\u001g""#) }
    #expect(throws: JSON.ParseError.self) { try JSON(parsing: #""\u001G""#) }
  }

  @Test("Where too few changes can be undone or redone it is told how many can be")
  func tooFew() {
    for (steps, words) in [
      (nil, "there is nothing to"), (0, "there is nothing to"), (1, "only 1 change can be"),
      (2, "only 2 changes can be"),
    ] as [(Int?, String)] {
      #expect(InterfaceError.nothingToUndo(steps: steps).message.hasPrefix("\(words) und"))
      #expect(InterfaceError.nothingToRedo(steps: steps).message.hasPrefix("\(words) red"))
    }
  }

  @Test("A cover has as many pixels as it says, and no more than may be asked for")
  func thumbnails() {
    func isRead(_ width: Int, _ height: Int, _ bytes: Int) -> Bool {
      var cover = Interface.Thumbnail(album: "abcdabcdabcd", digest: nil)
      (cover.width, cover.height) = (width, height)
      cover.bytes = [UInt8](repeating: 1, count: bytes)
      return (try? Interface.Thumbnail(json: cover.json)) == cover
    }
    #expect(isRead(0, 0, 0) && isRead(512, 1, 1_536) && isRead(1, 512, 1_536))
    #expect(!isRead(513, 1, 1_539) && !isRead(1, 513, 1_539) && !isRead(-1, -1, 3))
    #expect(!isRead(2, 2, 11) && !isRead(2, 2, 13))
  }

  @Test("A cover that is a JPEG has no pixels, and as many bytes as the largest has as pixels")
  func jpegs() throws {
    func isRead(_ width: Int, _ height: Int, _ bytes: Int) -> Bool {
      var cover = Interface.Thumbnail(album: "abcdabcdabcd", form: .jpeg, digest: nil)
      (cover.width, cover.height) = (width, height)
      cover.bytes = [UInt8](repeating: 1, count: bytes)
      return (try? Interface.Thumbnail(json: cover.json)) == cover
    }
    for (width, height, bytes, expected) in [
      (0, 0, 0, true), (1, 1, 1, true), (512, 512, 786_432, true), (512, 512, 786_433, false),
      (513, 1, 9, false), (1, 513, 9, false), (-1, -1, 9, false), (0, 0, 1, false),
      (1, 1, 0, false),
    ] {
      #expect(isRead(width, height, bytes) == expected, "\(width) \(height) \(bytes)")
    }
    var cover = Interface.Thumbnail(album: "a", form: .jpeg, digest: "00ff")
    #expect(
      cover.json.text == #"{"album":"a","width":0,"height":0,"digest":"00ff","jpeg":""}"#)
    cover.form = .pixels
    #expect(cover.json.text == #"{"album":"a","width":0,"height":0,"rgb":"","digest":"00ff"}"#)
    // One of a daemon that knows no forms, and one that says nothing of either.
    let old: JSON = ["album": "a", "width": 1, "height": 1, "rgb": "AQID"]
    let pixels = try Interface.Thumbnail(json: old)
    #expect(pixels.form == .pixels && pixels.bytes == [1, 2, 3])
    #expect(throws: FieldError("rgb")) {
      try Interface.Thumbnail(json: ["album": "a", "width": 0, "height": 0])
    }
    #expect(throws: FieldError("jpeg")) {
      try Interface.Thumbnail(json: ["album": "a", "width": 1, "height": 1, "jpeg": "!"])
    }
  }
}
