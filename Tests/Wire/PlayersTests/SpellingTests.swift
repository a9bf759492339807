import TestSupport
import Testing

@testable import Players

@Suite("How MPD knows files, and where it is", .limited)
struct SpellingTests {
  private func spelled(_ spelling: MPDSpelling, _ path: String) -> [String] {
    let path = Array(path.utf8)
    return spelling.forms(of: path).map {
      String(decoding: spelling.spelled(path, $0), as: UTF8.self)
    }
  }

  @Test("by address, then by the longest end of the path, with a folder at least")
  func forms() {
    let local = MPDSpelling(isLocal: true, folders: [])
    #expect(
      spelled(local, "/m/a b/1.flac") == ["file:///m/a b/1.flac", "m/a b/1.flac", "a b/1.flac"])
    let remote = MPDSpelling(isLocal: false, folders: [])
    #expect(spelled(remote, "/m/a/1.flac") == ["m/a/1.flac", "a/1.flac"])
    // A song that lies in the music folder itself.
    let known = MPDSpelling(isLocal: false, folders: [Array("/m".utf8)])
    #expect(spelled(known, "/m/1.flac") == ["m/1.flac", "1.flac"])
    #expect(spelled(remote, "/m/1.flac") == ["m/1.flac"])
  }

  @Test("what was right is tried first, where it fits")
  func learned() {
    var spelling = MPDSpelling(isLocal: false, folders: [])
    spelling.learn(.below(Array("/m/x/".utf8)))
    spelling.learn(.below(Array("/m/".utf8)))
    #expect(spelled(spelling, "/m/x/a/1.flac") == ["x/a/1.flac", "a/1.flac", "m/x/a/1.flac"])
    #expect(spelled(spelling, "/n/a/1.flac").first == "n/a/1.flac")
    for number in 0..<20 { spelling.learn(.below(Array("/\(number)/".utf8))) }
    #expect(spelled(spelling, "/m/x/a/1.flac").first == "m/x/a/1.flac")
  }

  @Test("what was right again is the first again, and so many are known at most")
  func known() {
    var spelling = MPDSpelling(isLocal: true, folders: [])
    let path = Array("/1/2/3/4/5/6/7/8/9/10/song".utf8)
    let ends = path.indices.filter { path[$0] == UInt8(ascii: "/") }
    let forms = ends.map { MPDSpelling.Form.below(Array(path[...$0])) }
    spelling.learn(forms[3])
    spelling.learn(.address)
    #expect(spelling.forms(of: path).prefix(3) == [.address, forms[3], forms[0]])
    spelling.learn(forms[3])
    #expect(spelling.forms(of: path).prefix(3) == [forms[3], .address, forms[0]])
    spelling.learn(forms[3])
    #expect(spelling.forms(of: path).prefix(3) == [forms[3], .address, forms[0]])
    // The eighth before the last is known, the ninth no more.
    var other = MPDSpelling(isLocal: false, folders: [])
    for place in [8, 7, 1, 2, 3, 4, 5, 6, 9] { other.learn(forms[place]) }
    let expected = [9, 6, 5, 4, 3, 2, 1, 7, 0, 8].map { forms[$0] }
    #expect(other.forms(of: path) == expected)
  }

  @Test("its address is the set one, that of its clients, or a usual one")
  func addresses() {
    func all(_ set: String?, _ environment: [String: String]) -> [String] {
      MPDAddress.all(set: set) { environment[$0] }.map { address in
        (address.password.map { "\($0) at " } ?? "")
          + address.text.replacing("\0", with: "abstract ")
      }
    }
    #expect(all(nil, ["MPD_HOST": "@"]) == ["abstract "])
    #expect(all(nil, ["MPD_HOST": "secret@@mpd"]) == ["secret at abstract mpd"])
    for (host, isLocal) in [("nas", false), ("/run/s", true), ("@mpd", true)] {
      let found = MPDAddress.all(set: nil) { ["MPD_HOST": host][$0] }
      #expect(found.map(\.isLocal) == [isLocal])
    }
    #expect(all("/s", ["MPD_HOST": "elsewhere"]) == ["/s"])
    #expect(
      all(nil, ["XDG_RUNTIME_DIR": "/run/user/1"])
        == ["/run/user/1/mpd/socket", "/run/mpd/socket", "localhost:6600"])
    #expect(all(nil, [:]) == ["/run/mpd/socket", "localhost:6600"])
    #expect(all(nil, ["MPD_PORT": "7"]) == ["localhost:7"])
    #expect(all(nil, ["MPD_HOST": "nas"]) == ["nas:6600"])
    #expect(all(nil, ["MPD_HOST": "se@cret@nas", "MPD_PORT": "7"]) == ["se at cret@nas:7"])
    #expect(all(nil, ["MPD_HOST": "secret@/run/s"]) == ["secret at /run/s"])
    #expect(all(nil, ["MPD_HOST": "/run/s"]) == ["/run/s"])
    #expect(all(nil, ["MPD_HOST": "@mpd"]) == ["abstract mpd"])
  }
}
