import CratesInterface
import LibraryModel
import Platform
import TestSupport
import Testing

@testable import DaemonCore

@Suite("What answers give and take", .limited)
struct AnswerCountTests {
  @Test("Nobody who asks for everything gets more than there is room for")
  func counts() {
    let asked: [Int?] = [nil, 0, 7, 1_000, 1_001, 5_000, 5_001]
    #expect(asked.map(AnswerCount.history.of) == [100, 0, 7, 1_000, 1_000, 1_000, 1_000])
    #expect(asked.map(AnswerCount.search.of) == [100, 0, 7, 1_000, 1_001, 5_000, 5_000])
    #expect(asked.map(AnswerCount.resolve.of) == [20, 0, 7, 1_000, 1_000, 1_000, 1_000])
  }

  @Test("Of many problems the first of each kind are listed, and the number of the others")
  func problems() {
    func problem(_ kind: Interface.ProblemKind, _ number: Int) -> Interface.Problem {
      .init(kind: kind, path: "/\(number)", uri: nil, message: "", since: "")
    }
    let some = (1...500).map { problem(.unreadable, $0) }
    let many = (1...18_000).map { problem(.duplicate, $0) }
    let listed = AnswerCount.problems(some + many + [problem(.folder, 1)])
    #expect(listed.map(\.path) == (some + many[..<500] + [problem(.folder, 1)]).map(\.path))
    #expect(listed.compactMap(\.others) == [17_500] && listed[999].others == 17_500)
  }

  @Test("What does not fit into a reply is left out, and said to be")
  func fitting() {
    let changes = (1...4).map { number in
      Interface.Change(
        changed: true, sequence: number, time: "", author: .folder, summary: "S\(number)",
        notes: [String(repeating: "n", count: number == 2 ? 90 : 20)], songs: ["abcd2345wxyz"])
    }
    let listed = AnswerCount.fitting(changes, in: 100)
    #expect(
      listed.map(\.sequence) == [1, 2, 3, 4] && listed.map(\.summary) == changes.map(\.summary))
    #expect(listed.map(\.notes.isEmpty) == [false, true, false, true])
    #expect(listed.map(\.complete) == [true, false, true, false])
    #expect(listed[1].songs.isEmpty && listed[2].songs == changes[2].songs)
    var left = 10
    #expect(AnswerCount.fitting([4, 4, 4, 1], in: &left) { $0 } == [4, 4])
  }

  @Test("Of the past twice as much is read as is asked for, within bounds, and never less")
  func read() {
    let cases = [
      (wanted: 0, newer: 0, read: 4), (2, 0, 4), (3, 0, 6), (1, 4, 10), (100, 400, 1_000),
      (100, 500, 1_000), (1_000, 0, 1_000), (1_000, 7, 1_007),
    ]
    for (wanted, newer, read) in cases {
      #expect(AnswerCount.read(wanted, newer: newer) == read, "\(wanted) behind \(newer)")
    }
  }

  @Test("All that a client knows of a song is looked for")
  func wanted() {
    var told = Interface.Wanted(path: "/m/a.flac", title: "Title")
    (told.artist, told.album, told.albumArtist) = ("Artist", "Album", "Album Artist")
    (told.disc, told.track, told.seconds) = (2, 3, 1.2346)
    (told.recording, told.release) = ("recording", "release")
    told.song = "abcd2345wxyz"
    var expected = Wanted()
    expected.song = SongID("abcd2345wxyz")
    (expected.path, expected.title) = (Array("/m/a.flac".utf8), "Title")
    (expected.artist, expected.album, expected.albumArtist) = ("Artist", "Album", "Album Artist")
    (expected.disc, expected.track, expected.milliseconds) = (2, 3, 1_235)
    (expected.recording, expected.release) = ("recording", "release")
    #expect(Wanted(told) == expected)
    #expect(Wanted(Interface.Wanted()) == Wanted())
    told.song = "no id"
    #expect(Wanted(told).song == nil)
    told.seconds = 1e300
    #expect(Wanted(told).milliseconds == 1_000_000_000)
  }

  @Test("What has another name is noted for the index, until all names are cheaper to read")
  func news() {
    let album = AlbumID(number: 1)
    var news = Naming.News()
    news.note([album], [])
    #expect(!news.isWanted && news.albums == [])
    news = Naming.News(isWanted: true)
    news.note([album], [])
    let songs = Set((1...65_535).map { SongID(number: $0) })
    news.note([], songs)
    #expect(news.isWanted && news.albums == [album] && news.songs == songs)
    news.note([], [SongID(number: 65_536)])
    #expect(!news.isWanted && news.albums == [] && news.songs == [])
  }

  @Test("Who waits for folders is called once: when all are merged, or one is refused")
  func countdown() {
    let told = Monitor<[String?]>([])
    func countdown(_ count: Int, _ refusals: [String?]) -> [String?] {
      told.withLock { $0 = [] }
      let waiting = Countdown(count) { refusal in told.withLock { $0.append(refusal) } }
      for refusal in refusals { waiting.count(refusal) }
      return told.withLock { $0 }
    }
    #expect(countdown(0, []) == [nil] && countdown(1, []) == [])
    #expect(countdown(2, [nil]) == [] && countdown(2, [nil, nil]) == [nil])
    #expect(countdown(3, [nil, "full", nil, "full"]) == ["full"])
    #expect(countdown(1, [nil, "full"]) == [nil])
  }

  @Test("Each thing has a number of its own, also where others went")
  func numbered() {
    var things = Numbered<String>()
    #expect(things.isEmpty)
    let numbers = ["a", "b", "c"].map { things.add($0) }
    #expect(numbers == [1, 2, 3] && !things.isEmpty)
    let gone = things.remove(3)
    #expect(gone == "c" && things[3] == nil && things[2] == "b")
    things[3] = "later"
    things[2] = "B"
    let next = things.add("d")
    #expect(next == 4 && things.values == [1: "a", 2: "B", 4: "d"])
    let all = things.removeAll()
    #expect(all.sorted() == ["B", "a", "d"] && things.isEmpty)
    let last = things.add("e")
    #expect(last == 5)
  }
}
