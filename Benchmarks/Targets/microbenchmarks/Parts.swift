import CratesInterface
import Glibc
import LibraryIndex
import LibraryModel
import LibraryStore
import Platform

@testable import DaemonCore
@testable import VarlinkServer

/// The parts, measured on one made library.
struct Parts {
  let songs: Int
  private let library: Library

  init(songs: Int) {
    self.songs = songs
    library = MadeLibrary(songs: songs).library
  }

  func measureAll(_ report: inout Report) throws {
    try measureStore(&report)
    try measureAnswers(&report)
    try measureSearch(&report)
  }

  // MARK: Store

  private func measureStore(_ report: inout Report) throws {
    let count = Double(songs)
    let folder = try TemporaryStore()
    defer { folder.remove() }
    let files = try DiskFiles(directory: folder.path)
    let store = try Recovery.open(files).store
    for var transaction in MadeLibrary(songs: songs, keepingBatches: true).batches ?? [] {
      transaction.time = 1_700_000_000_000
      _ = try store.commit([transaction], to: Library())
    }
    let journal = try folder.newest("journal")
    let parsed = try measure(most: 20) { use(try JournalReader.read(journal)) }
    report.add("parse a journal", songs, parsed, within: Threshold.journalOfSong * count)

    let checkpoint = try measure(
      most: 10,
      prepare: {
        let folder = try TemporaryStore()
        let store = try Recovery.open(try DiskFiles(directory: folder.path)).store
        let change = Transaction(
          by: .person, time: 1_700_000_000_000, sentence: "a crate",
          changes: [.crateAdded("Jazz", after: nil)])
        _ = try store.commit([change], to: Library())
        return (folder, store)
      },
      { folder, store in
        if let fault = store.close(library) { throw fault }
        folder.remove()
      })
    report.add(
      "write a checkpoint, to the disk", songs, checkpoint,
      within: Threshold.checkpointOfSong * count)
    store.close(library)

    let text = Snapshot.text(library)
    let written = measure(most: 20) { use(Snapshot.text(library)) }
    report.add("write a snapshot's text", songs, written, within: Threshold.snapshotOfSong * count)
    let read = try measure(most: 20) { use(try SnapshotReader.read(text)) }
    report.add("parse a snapshot", songs, read, within: Threshold.parsedSnapshotOfSong * count)
  }

  // MARK: Answers

  private func measureAnswers(_ report: inout Report) throws {
    let all = library.crates.flatMap { crate in
      crate.albums.compactMap { id in library.albums[id].map { (album: $0, crate: crate) } }
    }
    var dice = Dice(seed: 3)
    let whole = try Window(first: nil, count: nil)
    func songs(of albums: [(album: Album, crate: Crate)]) -> [Interface.Song] {
      albums.flatMap { album, _ in
        IteratorSequence(ListedSongs(of: [album.id], in: library, gone: false, window: whole))
      }
    }
    let listed = measure(
      prepare: { all.randomElement(using: &dice).map { [$0] } ?? [] }, { use(songs(of: $0)) })
    report.add("list an album's songs", self.songs, listed, within: Threshold.listedAlbum)

    let albums = measure(most: 20) {
      let listed = ListedAlbums(of: library.crates, in: library, gone: false, window: whole)
      use(IteratorSequence(listed).reduce(0) { count, _ in count + 1 })
    }
    report.add(
      "list all albums", self.songs, albums,
      within: Threshold.listedAlbumsOfSong * Double(self.songs))

    let reply = Reply.songs(songs(of: Array(all.prefix(1))), sequence: library.sequence)
    let encoded = measure { use(ReplyMessage.reply(reply.json, continues: false)) }
    report.add("encode a reply of ten songs", self.songs, encoded, within: Threshold.encodedSongs)

    let call = Call.moveAlbums(
      albums: ["\(all[0].album.id)"], place: nil, crate: "Jazz", sequence: 7)
    let message = JSON.object(
      JSON.Object([("method", .string(call.method.fullName)), ("parameters", call.parameters)])
    ).bytes
    let decoded = try measure {
      guard let message = CallMessage(message, limits: ServerLimits()) else { throw NoCall() }
      use(try Call(method: message.method, parameters: message.parameters))
    }
    report.add("decode a call", self.songs, decoded, within: Threshold.decodedCall)
  }

  private struct NoCall: Error {}

  // MARK: Search

  private func measureSearch(_ report: inout Report) throws {
    let index = try LibraryIndex.inMemory(library)
    let places = AlbumPlaces(in: library)
    var dice = Dice(seed: 4)
    let bound = songs <= 12_000 ? Threshold.search12k : Threshold.search100k
    let kinds: [(String, (inout Dice) -> String)] = [
      ("search a word", { $0.word() }),
      ("search two words", { "\($0.word()) \($0.word())" }),
      ("search the beginning of a word", { String($0.word().prefix(2)) }),
      ("search what is not there", { $0.word() + "zzz" }),
    ]
    for (name, word) in kinds {
      let median = try measure(
        prepare: { SearchQuery(word(&dice)) },
        { use(try index.search($0, in: library, places, limit: 50)) })
      report.add(name, songs, median, within: bound)
    }
    try index.close()
  }
}
