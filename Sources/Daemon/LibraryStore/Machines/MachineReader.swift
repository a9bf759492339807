import LibraryModel
package import SharedOrder
import Text

/// Reads a machine's file of the order, or the stored state of this machine. A file counts as a
/// whole or not at all.
package struct MachineReader {
  package enum Fault: Error, Hashable, Sendable {
    /// A later version of crated wrote the file.
    case newerVersion(Int)
    case damaged(line: Int, String)
  }

  private var order: MachineOrder
  private var state: MachineState?
  private var lastMachine: MachineID?
  private var crates: Set<CrateID> = []
  private var names: Set<String> = []
  private var albums: Set<AlbumID> = []
  private var songs: Set<SongID> = []

  /// Reads the file of another machine.
  ///
  /// - Parameter now: in milliseconds since 1970. A file from a far future is damaged.
  /// - Throws: why the file does not count.
  package static func order(_ bytes: [UInt8], now: Int64) throws(Fault) -> MachineOrder {
    var reader = try read(bytes)
    if reader.state != nil { throw .damaged(line: 1, "this is no file of an order") }
    if reader.order.clock.isBeyondBelief(at: now) {
      throw .damaged(line: 1, "it is from a time that is more than a hundred years ahead")
    }
    reader.state = nil
    return reader.order
  }

  /// Reads the stored state of this machine.
  ///
  /// - Throws: why it does not count.
  package static func state(_ bytes: [UInt8]) throws(Fault) -> MachineState {
    let reader = try read(bytes)
    guard var state = reader.state else { throw .damaged(line: 1, "this is no file of machines") }
    state.order = reader.order
    return state
  }

  private static func read(_ bytes: [UInt8]) throws(Fault) -> MachineReader {
    let text = SealedText.lines(of: bytes)
    var number = 1
    do {
      var reader = try MachineReader(header: text[..<(text[...].place(of: 0x0A) ?? text.endIndex)])
      let end = try SealedText.end(of: text)
      if end.isEdited { throw ParseError("only the machine itself may write it") }
      _ = try SealedText.seal(of: text, end)
      var start = (text[...].place(of: 0x0A) ?? end.start - 1) + 1
      while start < end.start {
        let lineEnd = text[start..<end.start].place(of: 0x0A) ?? end.start
        number += 1
        try reader.readLine(text[start..<lineEnd])
        start = lineEnd + 1
      }
      return reader
    } catch let fault as Fault {
      throw fault
    } catch let fault as SealedText.Fault {
      throw .damaged(line: fault.line, fault.reason)
    } catch {
      throw .damaged(line: number, (error as? ParseError)?.reason ?? "\(error)")
    }
  }

  private init(header line: ArraySlice<UInt8>) throws {
    var words = Words(line)
    let isState = words.consume("crated-machines")
    if !isState { try words.require("crated-order") }
    let version = try words.number("the version")
    if version > MachineText.version { throw Fault.newerVersion(version) }
    guard version > 0 else { throw ParseError("version \(version) is not known") }
    try words.require("share")
    let share = try words.machine()
    try words.require("machine")
    let machine = try words.machine()
    try words.require("version")
    let written = try words.number("the version of the file")
    try words.require("clock")
    guard let clock = SharedClock(try words.word("a time")) else { throw ParseError("a bad time") }
    order = MachineOrder(share: share, machine: machine, name: "", version: written, clock: clock)
    if isState {
      try words.require("sequence")
      var state = MachineState(order: order, sequence: try words.number("the sequence number"))
      state.written = try words.value("written=").map { try $0.text() }
      state.intended = try words.value("intended=").map { try $0.text() }
      self.state = state
    }
    order.name = try words.machineName()
  }

  // MARK: Lines

  private mutating func readLine(_ line: ArraySlice<UInt8>) throws {
    guard line.count < MachineText.longestLine else { throw ParseError("the line is too long") }
    let tabs = line.prefix { $0 == 0x09 }.count
    var words = Words(line.dropFirst(tabs))
    let kind = String(decoding: try words.word("a word"), as: UTF8.self)
    switch (kind, tabs) {
    case ("machine", 0) where state != nil && crates.isEmpty: try readMachine(&words)
    case ("has", 1) where state != nil && crates.isEmpty: try readHeld(&words)
    case ("crate", 0): try readCrate(&words)
    case ("album", 1): try readAlbum(&words, isArranged: false, isOwn: true)
    case ("album*", 1): try readAlbum(&words, isArranged: true, isOwn: true)
    case ("elsewhere", 1): try readAlbum(&words, isArranged: false, isOwn: false)
    case ("elsewhere*", 1): try readAlbum(&words, isArranged: true, isOwn: false)
    case ("song", 2): try readSong(&words)
    default:
      throw ParseError("\"\(kind.prefix(20))\" with \(tabs) tabs before it is no line of an order")
    }
  }

  private mutating func readMachine(_ words: inout Words) throws {
    let id = try words.machine()
    try words.require("version")
    let version = try words.number("the version of the file")
    guard let heard = try words.value("heard=") else { throw ParseError("a time is missing") }
    state?.others[id] = MachineState.Other(
      name: try words.machineName(), version: version, heard: try heard.time())
    lastMachine = id
  }

  private mutating func readHeld(_ words: inout Words) throws {
    guard let machine = lastMachine else { throw ParseError("albums of no machine") }
    while !words.remaining.isEmpty { state?.held[machine, default: []].insert(try words.album()) }
  }

  private mutating func readCrate(_ words: inout Words) throws {
    guard let id = words.consumeCrateID() else { throw ParseError("a crate's id is missing") }
    guard crates.insert(id).inserted else { throw ParseError("crate \(id) is there twice") }
    let key = try key(words.value("at="))
    let placed = try mark(words.value("by="))
    let named = try mark(words.value("named="))
    let name = try words.remaining.text()
    if let fault = crateNameFault(name) { throw ParseError(fault) }
    order.crates.append(
      (id, OrderTable.Crate(name: Marked(name, named), place: Marked(key, placed))))
  }

  private mutating func readAlbum(
    _ words: inout Words, isArranged: Bool, isOwn: Bool
  ) throws {
    guard let crate = order.crates.last?.id else { throw ParseError("an album in no crate") }
    let id = try words.album()
    guard albums.insert(id).inserted else { throw ParseError("album \(id) is there twice") }
    guard albums.count <= MachineText.mostAlbums else {
      throw ParseError("there are too many albums")
    }
    let entered = try mark(words.value("in="))
    let key = try key(words.value("at="))
    let spot = OrderTable.Spot(
      crate: crate, entered: entered, place: Marked(key, try mark(words.value("by="))))
    let arranged = try words.value("arranged=").map { try mark($0) }
    guard let group = try words.value("group=") else { throw ParseError("the group is missing") }
    let sounds = try words.value("sounds=").map { try self.sounds($0) } ?? []
    let traits = AlbumTraits(
      group: GroupText.group(try group.text()), sounds: sounds, songs: try words.count("songs="),
      seconds: try words.count("seconds="), shown: try words.remaining.text())
    if isArranged && arranged == nil { throw ParseError("an arranged album says when it was") }
    songs = []
    let album = OrderTable.Album(
      spot: spot,
      songs: arranged.map { Marked(OrderTable.SongOrder(isArranged: isArranged, songs: []), $0) },
      traits: traits)
    order.albums.append(MachineOrder.Album(id: id, value: album, isOwn: isOwn))
  }

  private mutating func readSong(_ words: inout Words) throws {
    let last = order.albums.count - 1
    guard last >= 0, order.albums[last].value.songs?.value.isArranged == true,
      order.albums[last].value.spot.crate == order.crates.last?.id
    else { throw ParseError("a song in no arranged album") }
    let id = try words.song()
    guard songs.insert(id).inserted else { throw ParseError("song \(id) is there twice") }
    let sound = try words.value("sound=").map { try self.sounds($0) }
    let disc = try words.value("disc=").map { try $0.count() }
    let track = try words.value("track=").map { try $0.count() }
    let song = SharedSong(
      id: id, sound: sound?.first, disc: disc, track: track, seconds: try words.count("seconds="),
      title: try words.remaining.text())
    order.albums[last].value.songs?.value.songs.append(song)
  }

  // MARK: Words

  private func mark(_ text: ArraySlice<UInt8>?) throws(ParseError) -> Mark {
    guard let text, let mark = Mark(text) else { throw ParseError("a mark is missing or bad") }
    guard mark.clock <= order.clock else { throw ParseError("a mark is later than the file") }
    return mark
  }

  private func key(_ text: ArraySlice<UInt8>?) throws(ParseError) -> PlaceKey {
    guard let text, text.count <= MachineText.longestKey, let key = PlaceKey(text) else {
      throw ParseError("a place is missing or bad")
    }
    guard key.clock <= order.clock else { throw ParseError("a place is later than the file") }
    return key
  }

  private func sounds(_ text: ArraySlice<UInt8>) throws(ParseError) -> [SharedSound] {
    let parts = text.split(separator: UInt8(ascii: ","), omittingEmptySubsequences: false)
    guard parts.count <= AlbumTraits.soundsTold else { throw ParseError("too many sounds") }
    return try parts.map { (digits) throws(ParseError) in
      guard digits.count == 8, let number = Hexadecimal.number(digits) else {
        throw ParseError("a bad sound")
      }
      return SharedSound(number: UInt32(truncatingIfNeeded: number))
    }
  }
}

extension Words {
  /// Consumes the next word if it begins with the key, and returns the rest of it.
  fileprivate mutating func value(_ key: String) throws(ParseError) -> ArraySlice<UInt8>? {
    var ahead = self
    guard let word = ahead.next(), word.starts(with: key.utf8) else { return nil }
    self = ahead
    return word.dropFirst(key.utf8.count)
  }

  fileprivate mutating func count(_ key: String) throws(ParseError) -> Int {
    guard let value = try value(key) else { throw ParseError("\(key) is missing") }
    return try value.count()
  }

  fileprivate mutating func machine() throws(ParseError) -> MachineID {
    guard let id = MachineID(try word("a machine")) else { throw ParseError("a bad machine") }
    return id
  }

  fileprivate mutating func machineName() throws(ParseError) -> String {
    try require("name")
    let name = try remaining.text()
    if let fault = machineNameFault(name) { throw ParseError(fault) }
    return name
  }
}
