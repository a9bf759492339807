import CratesInterface
import Glibc
import TestSupport
import Testing

@Suite("The interface file and the Swift types say the same", .limited)
struct DescriptionTests {
  private let members = InterfaceText(Interface.description).members

  private func names(_ kind: String) -> [String] {
    members.filter { $0.kind == kind }.map(\.name)
  }

  private func member(_ kind: String, _ name: String) -> InterfaceText.Member? {
    members.first { $0.kind == kind && $0.name == name }
  }

  @Test("the description is the file")
  func file() throws {
    let bytes = try readFile(Repository.path("Documentation/developers/org.crated.Crates.varlink"))
    #expect(Array(Interface.description.utf8) == bytes)
  }

  @Test("the text is read as a whole")
  func text() {
    #expect(members.count == 26 + 30 + 20)
    #expect(member("type", "Place")?.input == ["where", "anchor"])
    #expect(member("method", "Sync")?.output == ["sequence", "scanned", "toScan"])
  }

  @Test("types and their fields")
  func types() {
    let ours = Samples.structures.map(\.name) + Samples.enumerations.map(\.name)
    #expect(ours.sorted() == names("type").sorted())
    for structure in Samples.structures {
      #expect(structure.json.object?.keys == member("type", structure.name)?.input)
    }
    for enumeration in Samples.enumerations {
      #expect(enumeration.values == member("type", enumeration.name)?.input)
    }
  }

  @Test("methods, their parameters and their replies")
  func methods() throws {
    #expect(Call.Method.allCases.map(\.rawValue) == names("method"))
    #expect(Samples.replies.map(\.method) == Call.Method.allCases)
    for (method, reply) in Samples.replies {
      let described = try #require(member("method", method.rawValue))
      // A cover has either of two forms, and that of the sample is pixels.
      let output = described.output.filter { $0 != "jpeg" }
      #expect(reply.json.object?.keys == output)
      #expect(Self.accepted(by: method, among: described.input) == described.input)
    }
  }

  /// The parameters that some sample of the method has; the samples are all read back.
  private static func accepted(by method: Call.Method, among names: [String]) -> [String] {
    let samples = CallTests.calls.filter { $0.method == method }
    return names.filter { name in
      samples.contains { $0.parameters[name] != nil }
    }
  }

  @Test("errors and what they carry")
  func errors() {
    let own = Samples.errors.filter { $0.name.hasPrefix(Interface.name + ".") }
    #expect(own.map { String($0.name.dropFirst(Interface.name.count + 1)) } == names("error"))
    for error in own {
      let name = String(error.name.dropFirst(Interface.name.count + 1))
      #expect(error.parameters.object?.keys == member("error", name)?.input)
    }
  }

  @Test("the description of org.varlink.service names its methods and errors")
  func service() {
    let members = InterfaceText(Interface.serviceDescription).members
    #expect(
      members.filter { $0.kind == "method" }.map(\.name) == ["GetInfo", "GetInterfaceDescription"])
    let errors = Samples.errors.filter { $0.name.hasPrefix(Interface.serviceName + ".") }
    let described = members.filter { $0.kind == "error" }
    #expect(errors.map { $0.name } == described.map { "\(Interface.serviceName).\($0.name)" })
    #expect(errors.map { $0.parameters.object?.keys ?? [] } == described.map(\.input))
  }
}

@Suite("Types over the wire", .limited)
struct TypeTests {
  @Test("every reply is read back the same", arguments: Samples.replies.map(\.method))
  func replies(method: Call.Method) throws {
    for (_, reply) in Samples.replies.filter({ $0.method == method }) {
      let json = try JSON(parsing: reply.json.bytes)
      #expect(try Reply(to: method, json: json) == reply)
    }
  }

  @Test("nothing that a value was made with is lost on its way")
  func whole() {
    let replies = Samples.replies.filter { $0.method != .rescan }.map(\.reply.json)
    for json in Samples.structures.map(\.json) + replies { Self.expectWhole(json, "") }
  }

  /// Every field has something in it: a sample with an empty one shows nothing of it.
  private static func expectWhole(_ json: JSON, _ name: String) {
    switch json {
    case .null: Issue.record("\(name) is null")
    case .object(let object):
      for member in object.members { expectWhole(member.value, "\(name).\(member.key)") }
    case .array(let items):
      if items.isEmpty { Issue.record("\(name) is empty") }
      for item in items { expectWhole(item, name) }
    case .string(let text): if text.isEmpty { Issue.record("\(name) is empty") }
    default: break
    }
  }

  @Test("what may be left out is nothing where it is")
  func leftOut() throws {
    let own = InterfaceText(Interface.description).members
    var count = 0
    for (name, json) in Samples.structures where name != "Place" {
      for member in json.object?.members ?? [] {
        var object = json.object ?? [:]
        object[member.key] = .null
        guard own.first(where: { $0.name == name })?.optional.contains(member.key) == true else {
          continue
        }
        #expect(Self.refusal(of: name, .object(object)) == nil, "\(name).\(member.key)")
        count += 1
      }
    }
    #expect(count > 20)
  }

  @Test("a field that is missing or of another type is named")
  func fields() {
    let own = InterfaceText(Interface.description).members
    // Older daemons leave these out.
    let added = [
      "Album.moved", "Album.came", "Album.because", "Change.moves", "LibraryStatus.newAlbums",
      "LibraryStatus.settingsPath",
    ]
    for (name, json) in Samples.structures where name != "Place" {
      for member in json.object?.members ?? [] where member.value != .null {
        var object = json.object ?? [:]
        object[member.key] = .object([:])
        #expect(Self.refusal(of: name, .object(object)) == FieldError(member.key))
        guard
          own.first(where: { $0.name == name })?.optional.contains(member.key) == false
            && !added.contains("\(name).\(member.key)")
        else { continue }
        for missing in [nil, JSON.null] {
          object[member.key] = missing
          #expect(Self.refusal(of: name, .object(object)) == FieldError(member.key))
        }
      }
      #expect(Self.refusal(of: name, []) == FieldError(""))
    }
  }

  @Test("fields and values of newer servers are accepted")
  func newer() throws {
    var album = Samples.album.json.object ?? [:]
    album["mood"] = "blue"
    album["presence"] = "lent"
    album["year"] = nil
    let read = try Interface.Album(json: .object(album))
    #expect(read.presence == .unknown)
    #expect(read.year == nil)
    #expect(read.title == Samples.album.title)
  }

  @Test("what an older daemon leaves out is read as what it meant then")
  func older() throws {
    func without(_ json: JSON, _ names: [String]) -> JSON {
      var object = json.object ?? [:]
      for name in names { object[name] = nil }
      return .object(object)
    }
    let album = try Interface.Album(
      json: without(Samples.album.json, ["moved", "came", "cover", "because"]))
    #expect(!album.moved && album.came == 0 && album.cover == nil && album.because == "")
    let song = try Interface.Song(
      json: without(
        Samples.song.json,
        [
          "year", "genre", "composer", "bitRate", "sampleRate", "recording", "release", "evidence",
        ]))
    #expect(song.details == Interface.SongDetails())
    let change = try Interface.Change(json: without(Samples.change.json, ["origin", "moves"]))
    #expect(change.origin == nil && change.moves.isEmpty)
    let status = try Interface.LibraryStatus(
      json: without(
        Samples.status.json, ["newAlbums", "settingsPath", "playlists", "player", "mpd"]))
    #expect(status.newAlbums == "" && status.mpd == nil)
    let reply = try Reply(to: .listAlbums, json: ["albums": [], "sequence": 3])
    #expect(reply == .albums([], total: nil, sequence: 3))
  }

  @Test("every error is read back the same, and has a line for people", arguments: Samples.errors)
  func errors(error: InterfaceError) throws {
    let parameters = try JSON(parsing: error.parameters.bytes)
    #expect(InterfaceError(name: error.name, parameters: parameters) == error)
    #expect(!error.message.isEmpty)
    #expect(!error.message.contains("\n"))
  }

  @Test("an error that is not known, or lacks what it carries, is kept as it came")
  func unknownErrors() {
    #expect(
      InterfaceError(name: "org.x.New", parameters: ["a": 1])
        == .unknown(name: "org.x.New", parameters: ["a": 1]))
    #expect(
      InterfaceError(name: "org.crated.Crates.NoSuchCrate", parameters: nil)
        == .unknown(name: "org.crated.Crates.NoSuchCrate", parameters: [:]))
    #expect(
      InterfaceError(name: "org.crated.Crates.NothingToUndo", parameters: nil) == .nothingToUndo())
  }

  private static func refusal(of name: String, _ json: JSON) -> FieldError? {
    do throws(FieldError) {
      switch name {
      case "Crate": _ = try Interface.Crate(json: json)
      case "Album": _ = try Interface.Album(json: json)
      case "Song": _ = try Interface.Song(json: json)
      case "Change": _ = try Interface.Change(json: json)
      case "MusicFolder": _ = try Interface.MusicFolder(json: json)
      case "Thing": _ = try Interface.Thing(json: json)
      case "Meaning": _ = try Interface.Meaning(json: json)
      case "Wanted": _ = try Interface.Wanted(json: json)
      case "Matched": _ = try Interface.Matched(json: json)
      case "Machine": _ = try Interface.Machine(json: json)
      case "Move": _ = try Interface.Move(json: json)
      case "LibraryStatus": _ = try Interface.LibraryStatus(json: json)
      case "TraceEntry": _ = try Interface.TraceEntry(json: json)
      default: _ = try Interface.Problem(json: json)
      }
      return nil
    } catch {
      return error
    }
  }
}

/// The members of an interface text: what it takes to compare names.
struct InterfaceText {
  struct Member {
    var kind: String
    var name: String
    /// Fields, values or parameters, in order.
    var input: [String]
    var output: [String] = []
    /// Those of the input that may be null.
    var optional: Set<String> = []
  }

  private(set) var members: [Member] = []

  init(_ text: String) {
    let lines = text.split(separator: "\n").filter { !$0.drop { $0 == " " }.hasPrefix("#") }
    var words = Self.words(lines.joined(separator: " "))[...]
    while let word = words.popFirst() {
      guard ["type", "method", "error"].contains(word), let name = words.popFirst() else {
        continue
      }
      let types = words
      var member = Member(kind: word, name: name, input: Self.names(&words))
      member.optional = Set(member.input.filter { Self.isOptional($0, types) })
      if words.first == "->" {
        words.removeFirst()
        member.output = Self.names(&words)
      }
      members.append(member)
    }
  }

  /// Whether the first that is called so is of a type with a question mark.
  private static func isOptional(_ name: String, _ words: ArraySlice<String>) -> Bool {
    guard let place = words.firstIndex(of: name), words.count > 2 else { return false }
    return words.dropFirst(place + 2 - words.startIndex).first?.hasPrefix("?") ?? false
  }

  private static func words(_ text: String) -> [String] {
    var spaced = ""
    for character in text {
      spaced += "(),:".contains(character) ? " \(character) " : String(character)
    }
    return spaced.split(separator: " ").map(String.init)
  }

  /// From an opening parenthesis to its end: the words that are not types.
  private static func names(_ words: inout ArraySlice<String>) -> [String] {
    var names: [String] = []
    var isType = false
    words.removeFirst()
    while let word = words.popFirst(), word != ")" {
      switch word {
      case ":": isType = true
      case ",": isType = false
      default: if !isType { names.append(word) }
      }
    }
    return names
  }
}
