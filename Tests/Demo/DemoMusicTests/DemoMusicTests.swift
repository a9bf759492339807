import TestSupport
import Testing

@testable import DemoMusic

@Suite("Demo music", .limited) struct DemoMusicTests {
  private func hexadecimal(_ bytes: some Sequence<UInt8>) -> String {
    bytes.map { String($0 >> 4, radix: 16) + String($0 & 15, radix: 16) }.joined()
  }

  private func digest(_ text: String) -> String { hexadecimal(MD5.digest(of: Array(text.utf8))) }

  @Test("MD5 is that of RFC 1321, also where what is padded just fits")
  func md5() throws {
    #expect(digest("") == "d41d8cd98f00b204e9800998ecf8427e")
    #expect(digest("abc") == "900150983cd24fb0d6963f7d28e17f72")
    #expect(
      digest(String(repeating: "1234567890", count: 8)) == "57edf4a22be3c955ac49da2e2107b67a")
    let folder = try TemporaryFolder()
    for count in [1, 54, 55, 56, 57, 63, 64, 65, 119, 120, 1000] {
      let text = String(repeating: "x", count: count)
      let file = try folder.write(text, to: "\(count)")
      let told = try run("md5sum", [file]).output
      #expect(told.hasPrefix("\(digest(text)) "), "\(count)")
    }
  }

  /// The check values of CRC-8/SMBUS and CRC-16/UMTS in the catalogue of parametrised CRC
  /// algorithms, reveng.sourceforge.io.
  @Test("The checksums of frames are those that FLAC means")
  func checksums() {
    #expect(CRC.eight(Array("123456789".utf8)) == 0xF4)
    #expect(CRC.sixteen(Array("123456789".utf8)) == 0xFEE8)
  }

  @Test(
    "Files decode without an error, to the sound that they were made of",
    arguments: DemoSong.Format.allCases)
  func decodes(format: DemoSong.Format) throws {
    let folder = try TemporaryFolder()
    let song = DemoSong(
      title: "Tïtle", artist: "A", album: "B", track: 1, disc: 1, date: "1999", format: format,
      seconds: 3, seed: 5, sampleRate: 11_025)
    let bytes = song.encoded()
    let path = try folder.write(bytes, to: "a.\(format.rawValue)")
    let result = try run(
      "ffmpeg",
      [
        "-nostdin", "-v", "error", "-err_detect", "crccheck+bitstream+explode", "-i", path, "-f",
        "md5", "-c:a", "pcm_s16le", "-",
      ])
    let samples = Melody(seed: 5, sampleRate: 11_025).samples(count: 33_075)
    let sound = samples.flatMap {
      [UInt8(truncatingIfNeeded: $0), UInt8(truncatingIfNeeded: $0 >> 8)]
    }
    let expected = hexadecimal(MD5.digest(of: sound))
    #expect(result.output == "MD5=\(expected)\n")
    #expect(result.errors == "")
    if format == .flac { #expect(hexadecimal(bytes[26..<42]) == expected) }
    let told = try run(
      "ffprobe", ["-v", "error", "-show_entries", "format_tags:stream_tags", "-of", "flat", path])
    for value in ["Tïtle", "\"A\"", "\"B\"", "\"1999\""] { #expect(told.output.contains(value)) }
  }

  @Test("The same values give the same bytes, on any machine and in any year")
  func same() {
    let songs = DemoLibrary.songs()
    #expect(songs.count == 63)
    var all: [UInt8] = []
    for (place, song) in songs {
      all += Array(place.joined(separator: "/").utf8)
      // One of each format, for they are long.
      if song.track == 3, song.date >= "2011" || song.format == .aiff { all += song.encoded() }
    }
    for (place, cover) in DemoLibrary.covers() {
      all += Array(place.joined(separator: "/").utf8) + cover.encoded()
    }
    #expect(hexadecimal(MD5.digest(of: all)) == "91e5f0280e17fa1a899f88fa1d345263")
    #expect(
      songs.first?.place
        == ["Various Artists", "Small Hours Sampler", "01 Four in the Morning.flac"])
    #expect(songs.last?.place == ["The Paper Lanterns", "Harbour Songs", "05 High Water.flac"])
  }

  @Test("Covers are pictures that other programs read", arguments: 0..<5)
  func covers(number: Int) throws {
    let colors: [UInt32] = [0x03045E, 0x0077B6, 0x90E0EF, 0xF8F7FF]
    for side in [1, 33, 600] {
      let folder = try TemporaryFolder()
      let cover = DemoCover(number: number, colors: colors, side: side)
      let path = try folder.write(cover.encoded(), to: "cover.png")
      let told = try run(
        "ffmpeg",
        [
          "-v", "error", "-xerror", "-i", path, "-f", "rawvideo", "-pix_fmt", "rgb24",
          folder.path("pixels"),
        ])
      #expect(told.status == 0 && told.errors.isEmpty, "\(told.errors)")
      let pixels = try readFile(folder.path("pixels"))
      #expect(pixels.count == side * side * 3)
      let found = Set(
        stride(from: 0, to: pixels.count, by: 3).map { place in
          pixels[place..<(place + 3)].reduce(UInt32(0)) { $0 << 8 | UInt32($1) }
        })
      #expect(found.isSubset(of: colors) && (side == 1 || found.count >= 3), "\(side)")
    }
  }

  @Test("A song has one sample at least, and is what is usual where nothing is said")
  func usual() {
    func song(_ seconds: Double) -> [UInt8] {
      DemoSong(title: "T", artist: "A", album: "B", track: 2, seconds: seconds).encoded()
    }
    #expect(song(0.000_01) == song(0.000_126) && song(0.000_126) != song(0.000_251))
    #expect(song(0.000_126).count < 250)
    let usual = DemoSong(title: "T", artist: "A", album: "B", track: 2).encoded()
    let said = DemoSong(
      title: "T", artist: "A", album: "B", albumArtist: "", track: 2, disc: nil, date: "",
      format: .flac, seconds: 2, seed: 0, sampleRate: 8_000)
    #expect(usual == said.encoded() && usual != song(1))
    #expect(hexadecimal(MD5.digest(of: usual)) == "07f357577479ca18d64db6fc9de59fe7")
  }

  @Test("A melody is the same on any machine, also where each sample is a note of its own")
  func melodies() {
    for (rate, expected) in [
      (1, "a570628ea2cc667b45b9e5e99dfe3a17"), (8, "bbe9526ad19fe297986279dc1d45761e"),
      (784, "54d99a3875c830fbedd7c782ae2269f7"),
    ] {
      let samples = Melody(seed: 3, sampleRate: rate).samples(count: 2_000)
      let bytes = samples.flatMap {
        [UInt8(truncatingIfNeeded: $0), UInt8(truncatingIfNeeded: $0 >> 8)]
      }
      #expect(hexadecimal(MD5.digest(of: bytes)) == expected, "\(rate)")
    }
  }

  @Test(
    "Tags stand under the names that each kind of file has for them, and only if they are there")
  func tags() {
    let names = [
      ("TITLE", "TIT2"), ("ARTIST", "TPE1"), ("ALBUM", "TALB"), ("ALBUMARTIST", "TPE2"),
      ("TRACKNUMBER", "TRCK"), ("DISCNUMBER", "TPOS"), ("DATE", "TDRC"),
    ]
    let values = ["the title", "the artist", "the album", "the other", "1234", "5678", "1999"]
    for format in DemoSong.Format.allCases {
      let all = DemoSong(
        title: values[0], artist: values[1], album: values[2], albumArtist: values[3], track: 1234,
        disc: 5678, date: values[6], format: format, seconds: 0.01)
      var few = all
      (few.albumArtist, few.disc, few.date) = ("", nil, "")
      for ((comment, frame), value) in zip(names, values) {
        let wanted =
          format == .flac
          ? Array("\(comment)=\(value)".utf8)
          : Array(frame.utf8) + [0, 0, 0, UInt8(value.utf8.count + 1), 0, 0, 3] + value.utf8
        #expect(all.encoded().firstRange(of: wanted) != nil, "\(format) \(comment)")
        let name = format == .flac ? "\(comment)=" : frame
        let isThere = few.encoded().firstRange(of: Array(name.utf8)) != nil
        #expect(isThere == !["ALBUMARTIST", "DISCNUMBER", "DATE"].contains(comment))
      }
    }
  }

  @Test("Sizes in ID3 have seven bits a byte")
  func sizes() throws {
    let count = 1 << 21 | 2 << 14 | 3 << 7 | 4
    let song = DemoSong(
      title: String(repeating: "t", count: count - 1), artist: "", album: "", track: 1,
      format: .wav, seconds: 0.001)
    let bytes = song.encoded()
    let frame = try #require(bytes.firstRange(of: Array("TIT2".utf8)))
    #expect(bytes[frame.upperBound...].starts(with: [1, 2, 3, 4, 0, 0, 3]))
    // Behind the title is a track number of one digit.
    let whole = try #require(bytes.firstRange(of: Array("ID3".utf8) + [4, 0, 0]))
    #expect(bytes[whole.upperBound...].starts(with: [1, 2, 3, 4 + 10 + 12]))
  }
}
