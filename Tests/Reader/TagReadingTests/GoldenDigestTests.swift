import LibraryModel
import TagReading
import TestSupport
import Testing

/// Stores know songs by these: they are what the first version that made digests of each format
/// made of it.
@Suite("Digests that stores may hold", .limited) struct GoldenDigestTests {
  private static let digests: [GoldenSound: String] = [
    .mp3: "16514a2076057a32 47d0a57afc46e9e8",
    .mp3Noted: "16514a2076057a32 47d0a57afc46e9e8",
    .adts: "6907efc83dd3c009 3983515d3f8f8899",
    .flac: "a1294bde5d0c8a56 81290ea9e80a68c",
    .flacWithoutMD5: "d7d1ddd4acc81ac0 4bd897671316e664",
    .m4a: "8badd37542857f37 cff7d6c972d827c0",
    .mp4Fragments: "a4b12fc919821b1e bcb6de9d2ccaac58",
    .wav: "c4c418e8847ac9b5 2b4d066d74288cb2",
    .rf64: "852349c76b4d05f7 d9ace7b81373d539",
    .aiff: "e7cd815b848a2d2b fd5a7a1f6d3e0b25",
    .wavPack: "fbab53904370891c 4e6bf243cf99651",
    .monkeys: "f78a0aa6f2f65fb8 b08e0cc3a746ac17",
    .musepack7: "5b7a0e3d364f1b24 b92b5300a104e5f9",
    .musepack8: "4a4ecefc76cd6af5 c837dbf175449538",
    .trueAudio: "68759219ec7941e3 a1409e091fd57d4a",
    .windowsMedia: "e979f03da801f347 4f2f648d180d430f",
    .vorbis: "8209350b8eca364a 9242f6e177fe102b",
    .opus: "d008a5eb8bfef260 6e34f5e297ac3b5c",
    .speex: "547305ed53588be ecc7df6766ba1597",
    .oggFLAC: "8dbb4a6894c6e65 33010c27f80d341f",
    .oggFLACWithoutMD5: "29f4578e9b7ab6b3 67a4b49dbc82b34c",
    .oggInterleaved: "29f4578e9b7ab6b3 67a4b49dbc82b34c",
  ]

  @Test("are made of every format as ever", arguments: GoldenSound.allCases)
  func golden(_ sound: GoldenSound) throws {
    let folder = try TemporaryFolder()
    let path = try folder.write(sound.bytes, to: "song.\(sound.pathExtension)")
    let digest = try #require(try facts(of: path).digest)
    let shown = "\(String(digest.high, radix: 16)) \(String(digest.low, radix: 16))"
    #expect(shown == Self.digests[sound])
    // The same with another tag in front and behind.
    let tag = Array("ID3".utf8) + [4, 0, 0, 0, 0, 0, 10] + [UInt8](repeating: 0, count: 10)
    let end = Array("TAG".utf8) + [UInt8](repeating: 32, count: 125)
    if [.wav, .rf64, .aiff, .m4a, .mp4Fragments, .windowsMedia].contains(sound) { return }
    let tagged = try folder.write(tag + sound.bytes + end, to: "tagged.\(sound.pathExtension)")
    #expect(try facts(of: tagged).digest == digest)
  }
}
