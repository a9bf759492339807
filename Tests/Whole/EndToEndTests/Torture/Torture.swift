import CratesInterface
import Glibc
import ProgramSupport
import TestSupport
import Testing

/// One run of the torture test: what was done so far, and what has to be the order by now.
final class Torture {
  let files: TortureFiles
  let session: Session
  var chance: SeededGenerator
  var model = OrderModel()
  /// Ids by the model's numbers, as they were given at first.
  private(set) var songIDs: [Int: String] = [:]
  private(set) var albumIDs: [Int: String] = [:]
  /// The order before each of the person's changes that can be taken back, and done again.
  var undoable: [(before: OrderModel, after: OrderModel)] = []
  var redoable: [(before: OrderModel, after: OrderModel)] = []
  /// Whether the daemon is stopped.
  var isDown = false
  /// Songs whose files were touched since the last look at what came of it.
  var touched: Set<Int> = []
  private var lastNumber = 0
  private var log: [String] = []

  init(_ chance: SeededGenerator) throws {
    self.chance = chance
    files = try TortureFiles()
    session = try Session(files.home)
  }

  var client: CratesClient { session.client }

  func nextNumber() -> Int {
    lastNumber += 1
    return lastNumber
  }

  func pick<Item>(_ items: [Item]) -> Item? { items.randomElement(using: &chance) }

  func oneIn(_ count: Int) -> Bool { Int.random(in: 0..<count, using: &chance) == 0 }

  func note(_ words: String) { log.append("\(log.count + 1): \(words)") }

  var count: Int { log.count }

  /// For the comment of a failure.
  var story: String {
    "CRATED_TORTURE_SEED=\(chance.seed), step \(log.count):\n"
      + log.suffix(25).joined(separator: "\n")
  }

  /// No rule says what taking back comes to where the folder has changed the order since.
  func orderChangedByFolder() {
    undoable = []
    redoable = []
  }

  /// Does what the person asked for, and in the model what that has to come to.
  ///
  /// - Parameter album: the one whose songs are put in order. Where it keeps slots of songs that
  ///   left, of which no rule says where they are, no more than those may change.
  func edit(
    _ words: String, _ call: Call, in album: Int? = nil, _ change: (inout OrderModel) -> Void
  ) throws {
    try settle()
    let before = model
    change(&model)
    note(words)
    guard case .change(let answer) = try client.ask(call) else { throw WrongReply() }
    if let album, model == before, answer.changed, model.albums[album]?.wanderers.isEmpty == false {
      model.arrange(album, model.members(album))
    } else {
      #expect(answer.changed == (model != before), "\(story)")
    }
    if answer.changed {
      undoable.append((before, model))
      redoable = []
    }
    try compare()
  }

  /// Waits for what was done to the files, and compares.
  func settle() throws {
    if touched.isEmpty || isDown { return }
    try client.sync()
    touched = []
    try compare()
  }

  // MARK: Comparing

  /// The order as the daemon lists it has to be that of the model: every kept place, every id,
  /// every path.
  func compare() throws {
    let songs = try client.songs(gone: true)
    let albums = try client.albums(gone: true)
    learnIDs(songs, albums)
    let numbers = Dictionary(uniqueKeysWithValues: songIDs.map { ($1, $0) })
    let albumNumbers = Dictionary(uniqueKeysWithValues: albumIDs.map { ($1, $0) })
    let members = Dictionary(grouping: songs, by: \.album)
    let found = albums.map { album in
      let listed = (members[album.id] ?? []).map { song in
        "\(numbers[song.id].map(String.init) ?? song.id)\(mark(song.presence))"
      }
      let number = albumNumbers[album.id].map(String.init) ?? album.id
      return line(album.crate, number, album.title, album.arranged, listed)
    }
    let expected = model.crates.flatMap { crate in
      crate.albums.filter { !model.members($0).isEmpty }.map { album in
        let listed = model.members(album).map { "\($0)\(mark(presence($0)))" }
        return line(
          crate.name, "\(album)", model.albums[album]?.title ?? "",
          model.albums[album]?.isArranged ?? false, listed)
      }
    }
    let wrongPaths = songs.compactMap { song -> String? in
      // Which of several files of one sound is the song's depends on what went before.
      let own = numbers[song.id].map(files.pathsThere) ?? []
      return song.presence != .present || own.contains(song.path)
        ? nil : "\(song.path) is the file, not one of \(own)"
    }
    if found == expected && wrongPaths.isEmpty { return }
    let differences = zip(found, expected).filter { $0 != $1 }.map { "is  \($0)\nnot \($1)" }
    let lines = ["\(found.count) albums, expected \(expected.count)"] + differences + wrongPaths
    Issue.record("\(lines.joined(separator: "\n"))\n\(story)\n\(try journalEnd())")
    throw OutOfOrder()
  }

  private func line(
    _ crate: String, _ album: String, _ title: String, _ isArranged: Bool, _ songs: [String]
  ) -> String {
    // What isn't there says nothing of its album when the index is lost.
    let isThere = songs.contains { $0.last?.isNumber == true }
    return "\(crate) / \(album)\(isThere ? " \(title)" : "")\(isArranged ? " arranged" : ""): "
      + songs.joined(separator: " ")
  }

  /// What the daemon wrote last.
  private func journalEnd() throws -> String {
    let journals = try files.home.storeContents().filter { $0.key.contains("journal.") }
    let inOrder = journals.sorted { ($0.key.count, $0.key) < ($1.key.count, $1.key) }
    let lines = String(decoding: inOrder.flatMap(\.value), as: UTF8.self).split(separator: "\n")
    return lines.suffix(25).joined(separator: "\n")
  }

  private func learnIDs(_ songs: [Interface.Song], _ albums: [Interface.Album]) {
    for number in songIDs.keys where model.songs[number] == nil { songIDs[number] = nil }
    for number in albumIDs.keys where model.albums[number] == nil { albumIDs[number] = nil }
    for number in model.songs.keys where songIDs[number] == nil {
      guard let own = files.path(of: number) else { continue }
      songIDs[number] = songs.first { $0.path == own }?.id
    }
    for number in model.albums.keys where albumIDs[number] == nil {
      let first = model.members(number).first.flatMap { songIDs[$0] }
      albumIDs[number] = songs.first { $0.id == first }?.album
    }
  }

  private func presence(_ song: Int) -> Interface.Presence {
    if model.songs[song]?.isGone == true { return .gone }
    return files.path(of: song) == nil ? .offline : .present
  }

  private func mark(_ presence: Interface.Presence) -> String {
    switch presence {
    case .present: ""
    case .offline: "~"
    default: "-"
    }
  }
}

/// The order is not what it has to be, which was recorded.
struct OutOfOrder: Error {}
