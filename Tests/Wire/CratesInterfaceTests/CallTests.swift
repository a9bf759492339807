import CratesInterface
import TestSupport
import Testing

@Suite("Calls over the wire", .limited)
struct CallTests {
  private static let place = Interface.Place(.before, anchor: "abcd")

  static let calls: [Call] = [
    .status, .listCrates, .listAlbums(crate: nil, gone: false, first: nil, count: nil),
    .listAlbums(crate: "Jazz", gone: true, first: 1, count: 0),
    .listSongs(crate: nil, album: nil, gone: false, first: nil, count: nil),
    .listSongs(crate: "Jazz", album: "abcd", gone: true, first: 3, count: 4),
    .listAlbums(crate: nil, albums: ["abcd", "efgh"], gone: false, first: nil, count: nil),
    .listSongs(crate: nil, album: nil, songs: [], gone: false, first: nil, count: nil),
    .resolve(words: [["Jazz", "3"], ["Kind of Blue"]]),
    .match(wanted: []), .match(wanted: [Samples.wanted, Interface.Wanted()], relativeTo: "/lists"),
    .match(
      wanted: [Interface.Wanted(path: "a")], relativeTo: "file:///lists",
      roots: [
        Interface.Root(theirs: "D:\\Music", ours: "/music"),
        Interface.Root(theirs: "/a", ours: "/b"),
      ]),
    .resolve(words: [["Ja"]], wanted: [.crate, .song], beginning: true, count: 5),
    .search(query: "miles", limit: nil), .search(query: "", crate: "Jazz", limit: 3),
    .moveAlbums(albums: ["abcd"], place: place, crate: nil, sequence: nil),
    .moveAlbums(albums: ["abcd", "efgh"], place: nil, crate: "New", sequence: 5),
    .moveAlbums(
      albums: ["abcd"], place: nil, crate: "New", gather: .given, sequence: nil, dryRun: true),
    .moveSongs(songs: ["abcd"], place: Interface.Place(.top), sequence: 0),
    .moveSongs(
      songs: ["abcd"], place: Interface.Place(.top), gather: .kept, sequence: nil, dryRun: true),
    .moveCrate(crate: "Jazz", place: Interface.Place(.top), sequence: nil, dryRun: true),
    .renameCrate(crate: "Jazz", name: "Blue", sequence: nil, dryRun: true),
    .sortAlbums(albums: ["abcd"], order: .added, ascending: true, sequence: nil, dryRun: true),
    .sortSongs(songs: ["abcd"], order: .title, ascending: false, sequence: nil, dryRun: true),
    .moveCrate(crate: "Jazz", place: Interface.Place(.after, anchor: "Rock"), sequence: 1),
    .renameCrate(crate: "Jazz", name: "Blue", sequence: 1),
    .sortAlbums(albums: ["abcd"], order: .released, sequence: 1),
    .sortSongs(songs: ["abcd"], order: .track, sequence: 1),
    .readText(crate: nil), .readText(crate: "Jazz"),
    .readText(crate: nil, album: "abcd", songs: false),
    .applyText(text: "x\n", sequence: 3, crate: "Jazz"),
    .applyText(
      text: "x", sequence: 3, crate: nil, album: "abcd", songs: false, partial: true,
      origin: "Jazz.m3u", dryRun: true), .undo(sequence: nil), .undo(sequence: 2),
    .undo(count: 3, sequence: nil), .undo(to: 7, sequence: nil, dryRun: true),
    .undo(count: 1, change: 9, sequence: nil), .undo(only: 8, sequence: nil),
    .redo(count: 2, sequence: nil),
    .redo(to: 3, sequence: nil, dryRun: true),
    .forget(songs: nil, albums: nil, folder: "/music/old", all: false, sequence: nil, dryRun: true),
    .redo(sequence: 4), .history(limit: 5, before: 6), .history(limit: nil, before: nil),
    .forget(songs: ["abcd"], albums: nil, all: false, sequence: nil),
    .forget(songs: nil, albums: [], all: false, sequence: nil),
    .forget(songs: nil, albums: nil, all: true, sequence: 1), .watch(since: nil),
    .watch(since: 0), .sync, .rescan(path: nil), .rescan(path: "/music"), .problems,
    .watchStatus, .trace, .artwork(album: "abcd"), .thumbnails(albums: ["abcd", "efgh"], side: 96),
    .thumbnails(albums: ["abcd"], side: 96, form: .pixels),
    .thumbnails(albums: ["abcd"], side: 512, form: .jpeg), .machines, .joinMachines(),
    .joinMachines(mine: true, dryRun: true), .dropMachine(machine: "laptop"),
  ]

  @Test("every method is among the samples")
  func complete() {
    #expect(Set(Self.calls.map(\.method)) == Set(Call.Method.allCases))
  }

  @Test("what a client writes the daemon reads", arguments: calls)
  func roundTrip(call: Call) throws {
    let parameters = try JSON(parsing: call.parameters.bytes)
    #expect(try Call(method: call.method.fullName, parameters: parameters) == call)
  }

  @Test("a change that says nothing of a trial is none")
  func noTrials() {
    let place = Self.place
    let changes: [Call] = [
      .moveAlbums(albums: ["abcd"], place: place, crate: nil, sequence: nil),
      .moveSongs(songs: ["abcd"], place: place, sequence: nil),
      .moveCrate(crate: "Jazz", place: place, sequence: nil),
      .renameCrate(crate: "Jazz", name: "Blue", sequence: nil),
      .sortAlbums(albums: ["abcd"], order: .added, sequence: nil),
      .sortSongs(songs: ["abcd"], order: .title, sequence: nil),
      .applyText(text: "", sequence: 1, crate: nil), .undo(sequence: nil), .redo(sequence: nil),
      .forget(songs: nil, albums: nil, all: true, sequence: nil),
    ]
    for call in changes {
      #expect(call.parameters.object?["dryRun"]?.bool != true, "\(call)")
    }
    guard case .applyText(_, _, _, _, _, let partial, _, _) = changes[6] else {
      Issue.record("it applies a text")
      return
    }
    #expect(!partial)
  }

  @Test(
    "an order goes both ways, but for those that have none",
    arguments: [
      "added", "released", "artist", "title", "track", "reversed", "shuffled",
    ])
  func directions(order: String) {
    let goesBothWays = !["reversed", "shuffled"].contains(order)
    let albums = Interface.AlbumOrder(rawValue: order)?.takesDirection
    let songs = Interface.SongOrder(rawValue: order)?.takesDirection
    #expect(albums ?? goesBothWays == goesBothWays && songs ?? goesBothWays == goesBothWays)
    #expect(albums != nil || songs != nil)
  }

  @Test("an unknown parameter is refused by its name", arguments: calls)
  func unknown(call: Call) {
    var parameters = call.parameters.object ?? [:]
    parameters["surprise"] = nil
    parameters["surprise"] = .null
    #expect(
      Self.refusal(call.method, .object(parameters)) == .invalidParameter(parameter: "surprise"))
  }

  @Test("a parameter of another type is refused by its name", arguments: calls)
  func wrongType(call: Call) {
    for member in call.parameters.object?.members ?? [] {
      for wrong in [JSON.array([1]), .object(["x": 1]), 1.5, -1] {
        var parameters = call.parameters.object ?? [:]
        parameters[member.key] = wrong
        #expect(
          Self.refusal(call.method, .object(parameters))
            == .invalidParameter(parameter: member.key))
      }
    }
  }

  @Test("an optional parameter may be null, a required one is missed by its name", arguments: calls)
  func null(call: Call) {
    for member in call.parameters.object?.members ?? [] {
      var absent = call.parameters.object ?? [:]
      var null = absent
      absent[member.key] = nil
      null[member.key] = .null
      let refusals = [JSON.object(absent), .object(null)].map { Self.refusal(call.method, $0) }
      #expect(refusals[0] == refusals[1])
      if let refusal = refusals[0] {
        // The other one is named, of two of which one is needed.
        let names = [member.key, "place", "all"]
        #expect(names.map { .invalidParameter(parameter: $0) }.contains(refusal))
      }
    }
  }

  @Test("parameters may be absent, null or empty")
  func noParameters() throws {
    for parameters in [nil, JSON.null, [:]] {
      #expect(
        try Call(method: "org.crated.Crates.Undo", parameters: parameters) == .undo(sequence: nil))
    }
    for parameters in [JSON.array([]), "x", 1] {
      #expect(Self.refusal(.undo, parameters) == .invalidParameter(parameter: "parameters"))
    }
  }

  @Test(
    "what makes no sense is refused",
    arguments: [
      (.moveAlbums, ["albums": [], "crate": "Jazz"], .invalidParameter(parameter: "albums")),
      (.moveAlbums, ["albums": ["abcd"]], .invalidParameter(parameter: "place")),
      (
        .moveSongs, ["songs": [], "place": ["where": "top"]], .invalidParameter(parameter: "songs")
      ),
      (.moveSongs, ["songs": ["abcd"]], .invalidParameter(parameter: "place")),
      (
        .moveCrate, ["crate": "a", "place": ["where": "aside"]],
        .invalidParameter(parameter: "place")
      ),
      (
        .moveCrate, ["crate": "a", "place": ["where": "top", "x": 1]],
        .invalidParameter(parameter: "place")
      ),
      (
        .moveCrate, ["crate": "a", "place": ["where": "before"]],
        .invalidPlace(reason: "before needs an anchor")
      ),
      (
        .moveCrate, ["crate": "a", "place": ["where": "up", "anchor": "b"]],
        .invalidPlace(reason: "up takes no anchor")
      ),
      (.listAlbums, ["first": 0], .invalidParameter(parameter: "first")),
      (.listAlbums, ["count": -1], .invalidParameter(parameter: "count")),
      (.match, [:], .invalidParameter(parameter: "wanted")),
      (.match, ["wanted": [["paht": "a"]]], .invalidParameter(parameter: "wanted")),
      (.match, ["wanted": [["path": "\u{0}"]]], .invalidParameter(parameter: "wanted")),
      (.match, ["wanted": [["track": -1]]], .invalidParameter(parameter: "wanted")),
      (.match, ["wanted": [["seconds": -0.5]]], .invalidParameter(parameter: "wanted")),
      (
        .match, ["wanted": .array(Array(repeating: [:], count: 1_001))],
        .invalidParameter(parameter: "wanted")
      ),
      (
        .match, ["wanted": [], "relativeTo": "lists"],
        .invalidParameter(parameter: "relativeTo")
      ),
      (.match, ["wanted": [], "roots": ["/a": "b"]], .invalidParameter(parameter: "roots")),
      (.match, ["wanted": [], "roots": ["": "/b"]], .invalidParameter(parameter: "roots")),
      (.resolve, ["words": []], .invalidParameter(parameter: "words")),
      (.resolve, ["words": [[]]], .invalidParameter(parameter: "words")),
      (.resolve, ["words": [["a"]], "wanted": []], .invalidParameter(parameter: "wanted")),
      (.undo, ["count": 0], .invalidParameter(parameter: "count")),
      (.undo, ["count": 2, "to": 3], .invalidParameter(parameter: "to")),
      (.undo, ["count": 2, "change": 3], .invalidParameter(parameter: "change")),
      (.undo, ["to": 2, "change": 3], .invalidParameter(parameter: "change")),
      (
        .sortAlbums, ["albums": ["a"], "order": "shuffled", "ascending": true],
        .invalidParameter(parameter: "ascending")
      ),
      (.watch, ["since": .integer(.max)], .invalidParameter(parameter: "since")),
      (.history, ["before": .integer(.min)], .invalidParameter(parameter: "before")),
      (.forget, [:], .invalidParameter(parameter: "all")),
      (.forget, ["all": false], .invalidParameter(parameter: "all")),
      (.artwork, ["album": "a\u{0}b"], .invalidParameter(parameter: "album")),
      (.thumbnails, ["albums": [], "side": 16], .invalidParameter(parameter: "albums")),
      (.thumbnails, ["albums": ["a"]], .invalidParameter(parameter: "side")),
      (.thumbnails, ["albums": ["a"], "side": 15], .invalidParameter(parameter: "side")),
      (.thumbnails, ["albums": ["a"], "side": 513], .invalidParameter(parameter: "side")),
      (
        .thumbnails, ["albums": ["a"], "side": 16, "form": "png"],
        .invalidParameter(parameter: "form")
      ),
      (
        .thumbnails, ["albums": ["a"], "side": 16, "form": ""],
        .invalidParameter(parameter: "form")
      ),
      (
        .thumbnails, ["albums": ["a"], "side": 16, "form": 1], .invalidParameter(parameter: "form")
      ),
      (.sortAlbums, ["albums": ["a"], "order": "track"], .invalidParameter(parameter: "order")),
    ] as [(Call.Method, JSON, InterfaceError)])
  func nonsense(method: Call.Method, parameters: JSON, error: InterfaceError) {
    #expect(Self.refusal(method, parameters) == error)
  }

  @Test("methods and interfaces that do not exist are refused by name")
  func unknownMethods() {
    let refusal = { (method: String) -> InterfaceError? in
      do throws(InterfaceError) {
        _ = try Call(method: method, parameters: nil)
        return nil
      } catch { return error }
    }
    #expect(refusal("org.crated.Crates.Fly") == .methodNotFound(method: "org.crated.Crates.Fly"))
    #expect(refusal("org.crated.Crates.") == .methodNotFound(method: "org.crated.Crates."))
    #expect(refusal("org.other.A.Status") == .interfaceNotFound(interface: "org.other.A"))
    #expect(refusal(".Status") == .interfaceNotFound(interface: ""))
    #expect(refusal("Status") == .methodNotFound(method: "Status"))
    #expect(refusal("") == .methodNotFound(method: ""))
  }

  private static func refusal(_ method: Call.Method, _ parameters: JSON) -> InterfaceError? {
    do throws(InterfaceError) {
      _ = try Call(method: method.fullName, parameters: parameters)
      return nil
    } catch {
      return error
    }
  }
}
