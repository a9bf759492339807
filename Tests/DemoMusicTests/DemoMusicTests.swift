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
    #expect(songs.count == 22)
    var all: [UInt8] = []
    for (place, song) in songs { all += Array(place.joined(separator: "/").utf8) + song.encoded() }
    #expect(hexadecimal(MD5.digest(of: all)) == "68767f51fba4cc06afaa005e28658bfb")
    #expect(songs.first?.place == ["The Paper Lanterns", "Harbour Songs", "01 Low Tide.flac"])
    #expect(songs.last?.place == ["Various Artists", "Small Hours Sampler", "04 Doves.flac"])
    let short = DemoSong(
      title: "T", artist: "A", album: "B", track: 2, seconds: 0.000_01, sampleRate: 8_000)
    #expect(short.encoded() == short.encoded() && short.encoded().count < 250)
  }
}
