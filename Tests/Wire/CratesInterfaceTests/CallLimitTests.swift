import CratesInterface
import TestSupport
import Testing

@Suite("What parameters may be", .limited) struct CallLimitTests {
  private func refusal(_ method: Call.Method, _ parameters: JSON) -> InterfaceError? {
    do throws(InterfaceError) {
      _ = try Call(method: method.fullName, parameters: parameters)
      return nil
    } catch {
      return error
    }
  }

  /// The name of the parameter that is refused; nil: none is.
  private func refused(_ method: Call.Method, _ parameters: JSON) -> String? {
    if case .invalidParameter(let name)? = refusal(method, parameters) { name } else { nil }
  }

  private static let most = Int64(1) << 53

  @Test("Numbers go as far as every client is exact")
  func numbers() {
    for (number, isTaken) in [
      (0, true), (1, true), (-1, false), (Self.most, true), (Self.most + 1, false),
    ] {
      let since = refused(.watch, ["since": .integer(number)])
      #expect(since == (isTaken ? nil : "since"), "\(number)")
      let first = refused(.listSongs, ["first": .integer(number)])
      #expect(first == (isTaken && number > 0 ? nil : "first"), "\(number)")
      let wanted =
        [("disc", JSON.integer(number)), ("track", .integer(number))]
        + [("seconds", .number(Double(number))), ("seconds", .integer(number))]
      for (name, value) in wanted where name != "seconds" || number <= Self.most {
        let list: JSON = ["wanted": [.object([name: value])]]
        #expect(refused(.match, list) == (isTaken ? nil : "wanted"), "\(name) \(number)")
      }
    }
    let beyond: JSON = ["wanted": [["seconds": .number(Double(Self.most) + 2)]]]
    #expect(refused(.match, beyond) == "wanted")
    for (side, isTaken) in [(15, false), (16, true), (512, true), (513, false)] as [(Int64, Bool)] {
      let name = refused(.thumbnails, ["albums": ["a"], "side": .integer(side)])
      #expect(name == (isTaken ? nil : "side"))
    }
  }

  @Test("Of lists, wanted songs and roots there are as many as others can wait for")
  func counts() {
    func words(_ count: Int) -> JSON { ["words": .array(Array(repeating: ["a"], count: count))] }
    #expect(refused(.resolve, words(10_000)) == nil && refused(.resolve, words(10_001)) == "words")
    func wanted(_ count: Int) -> JSON { ["wanted": .array(Array(repeating: [:], count: count))] }
    let most = Interface.wantedMost
    #expect(refused(.match, wanted(most)) == nil && refused(.match, wanted(most + 1)) == "wanted")
    func roots(_ count: Int) -> JSON {
      let roots = (0..<count).map { (key: "/\($0)", value: JSON.string("/m")) }
      return ["wanted": [], "roots": .object(JSON.Object(roots))]
    }
    #expect(refused(.match, roots(64)) == nil && refused(.match, roots(65)) == "roots")
  }

  @Test("No text has a NUL in it, wherever it stands")
  func zeros() {
    let odd = JSON.string("a\u{0}b")
    for (method, parameters, name) in [
      (.artwork, ["album": odd], "album"), (.listAlbums, ["crate": odd], "crate"),
      (.listAlbums, ["albums": ["a", odd]], "albums"),
      (.thumbnails, ["albums": [odd], "side": 16], "albums"),
      (.resolve, ["words": [["a", odd]]], "words"),
      (.match, ["wanted": [["title": odd]]], "wanted"),
      (.match, ["wanted": [], "relativeTo": "/a\u{0}"], "relativeTo"),
      (.match, ["wanted": [], "roots": ["a": "/b\u{0}"]], "roots"),
      (.match, ["wanted": [], "roots": ["a\u{0}": "/b"]], "roots"),
      (.moveCrate, ["crate": "a", "place": ["where": "after", "anchor": odd]], "place"),
    ] as [(Call.Method, JSON, String)] {
      #expect(refused(method, parameters) == name, "\(name)")
    }
  }

  @Test("One odd value makes a list odd, and none is left out")
  func lists() {
    for (method, parameters, name) in [
      (.listAlbums, ["albums": ["a", 1]], "albums"), (.resolve, ["words": [["a"], []]], "words"),
      (.resolve, ["words": [["a"], "b"]], "words"), (.resolve, ["words": "a"], "words"),
      (.resolve, ["words": [["a"]], "wanted": ["crate", "shelf"]], "wanted"),
      (.resolve, ["words": [["a"]], "wanted": "crate"], "wanted"),
      (.match, ["wanted": [[:], 1]], "wanted"), (.match, ["wanted": [:]], "wanted"),
      (.match, ["wanted": [], "roots": ["a": "/b", "c": 1]], "roots"),
      (.match, ["wanted": [], "roots": ["a": "/b", "c": "d"]], "roots"),
      (.match, ["wanted": [], "relativeTo": "file://music"], "relativeTo"),
      (.moveCrate, ["crate": "a", "place": ["where": "after", "anchor": 1]], "place"),
      (.moveCrate, ["crate": "a", "place": [:]], "place"),
    ] as [(Call.Method, JSON, String)] {
      #expect(refused(method, parameters) == name, "\(parameters.text)")
    }
    for (method, parameters) in [
      (.match, ["wanted": [], "roots": ["a": "file:///b"], "relativeTo": "/"]),
      (.match, ["wanted": [], "roots": [:], "relativeTo": "file:///"]),
      (.moveCrate, ["crate": "a", "place": ["where": "top", "anchor": nil]]),
      (.undo, ["change": 3]), (.undo, ["change": 3, "count": 1]), (.undo, ["count": 2]),
      (.resolve, ["words": [["a"]], "wanted": ["crate"]]),
      (.listAlbums, ["albums": []]), (.forget, ["songs": []]), (.forget, ["folder": "/m"]),
    ] as [(Call.Method, JSON)] {
      #expect(refusal(method, parameters) == nil, "\(parameters.text)")
    }
  }

  @Test("A text that is no JSON is refused at the byte where it ceases to be any")
  func offsets() {
    let deep = JSON.Limits(depth: 2, values: 3)
    for (text, offset, reason) in [
      ("", 0, .unexpectedEnd), ("  ", 2, .unexpectedEnd), ("[1 2]", 3, .unexpectedByte),
      ("[1,]", 3, .unexpectedByte), ("nulL", 3, .unexpectedByte), ("tru", 3, .unexpectedEnd),
      ("{\"a\" 1}", 5, .unexpectedByte), ("{\"a\":1 ,\"a\":2}", 8, .duplicateKey),
      ("{\"a\":1,}", 7, .unexpectedByte), (" 1e999", 1, .numberRange), ("{} x", 3, .trailingBytes),
      ("01", 1, .trailingBytes), ("-", 1, .unexpectedEnd), ("1.x", 2, .unexpectedByte),
      ("\"ab\n\"", 3, .unexpectedByte), ("\"a\\x\"", 3, .badString),
      ("\"\\u12g4\"", 5, .badString), ("\"a\\n\n\"", 4, .unexpectedByte),
      ("\"\\ud800x\"", 7, .badString), ("\"\\udc00\"", 7, .badString), ("[[[", 2, .tooDeep),
      ("[1,2,3]", 5, .tooMany), ("\"ab", 3, .unexpectedEnd), ("\"a\\", 3, .unexpectedEnd),
    ] as [(String, Int, JSON.ParseError.Reason)] {
      do throws(JSON.ParseError) {
        _ = try JSON(parsing: text, limits: deep)
        Issue.record("\(text) is read")
      } catch {
        #expect(error.offset == offset && error.reason == reason, "\(text): \(error)")
        #expect(error.description == "not JSON at byte \(offset): \(reason.rawValue)")
      }
    }
  }

  @Test("Depth counts what is open, and each value counts once")
  func limits() throws {
    let limits = JSON.Limits(depth: 2, values: 5)
    for text in ["[[],[],[],{}]", "{\"a\":[],\"b\":{},\"c\":1,\"d\":2}", "[1,2,3,4]", "[[1,2,3]]"] {
      _ = try JSON(parsing: text, limits: limits)
    }
    for text in ["[[],[],[],{},1]", "[[[]]]", "{\"a\":{\"b\":{}}}", "[1,2,3,4,5]"] {
      #expect(throws: JSON.ParseError.self) { try JSON(parsing: text, limits: limits) }
    }
  }

  @Test("Whole numbers are read as far as 64 bits go, and others as doubles")
  func wholeNumbers() throws {
    for (text, value) in [
      ("9223372036854775807", .integer(.max)), ("-9223372036854775808", .integer(.min)),
      ("-0", .integer(0)), ("1.0", .number(1)), ("1e0", .number(1)), ("1E-1", .number(0.1)),
      ("-1.5e+3", .number(-1_500)), ("0e0", .number(0)),
    ] as [(String, JSON)] {
      #expect(try JSON(parsing: text) == value, "\(text)")
    }
    for text in [
      "-9223372036854775809", "10000000000000000000", "1" + String(repeating: "0", count: 31),
    ] {
      #expect(throws: JSON.ParseError.self, "\(text)") { try JSON(parsing: text) }
    }
  }
}
