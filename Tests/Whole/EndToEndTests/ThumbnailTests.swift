import CratesInterface
import Glibc
import ProgramSupport
import TestSupport
import Testing

@Suite("Shrunk covers of a whole library", .serialized, .limited)
struct ThumbnailTests {
  private let home: Home
  private var covers: String { home.folder.path("cache/crated/covers") }

  init() throws {
    home = try Home()
    try copy(try SampleMusic.albums([.flac, .mp3, .ogg]), to: "\(home.music)/Here")
  }

  /// Puts a picture into an MP3.
  private func embed(_ picture: [UInt8], in path: String) throws {
    let file = try home.folder.write(picture, to: "embedded")
    let script = """
      import sys
      from mutagen.id3 import ID3, APIC
      tags = ID3(sys.argv[1])
      tags.delall("APIC")
      data = open(sys.argv[2], "rb").read()
      tags.add(APIC(encoding=0, mime="image/jpeg", type=3, desc="", data=data))
      tags.save()
      """
    let result = try run("/usr/bin/python3", ["-c", script, path, file])
    try #require(result.status == 0, "\(result.errors)")
  }

  private func thumbnails(
    _ albums: [String], side: Int, form: Interface.ThumbnailForm? = nil
  ) throws -> [Interface.Thumbnail] {
    let client = try RawClient(home)
    let call = Call.thumbnails(albums: albums, side: side, form: form)
    let message: JSON = [
      "method": .string(call.method.fullName), "parameters": call.parameters, "more": true,
    ]
    client.send(message.bytes + [0])
    var found: [Interface.Thumbnail] = []
    while let reply = try client.reply() {
      try #require(reply["error"] == nil, "\(reply.text)")
      found.append(try Interface.Thumbnail(json: try #require(reply["parameters"])))
      if reply["continues"]?.bool != true { return found }
    }
    Issue.record("the connection was closed")
    return found
  }

  @Test("come in the order asked, whatever they are in, from the cache or made anew")
  func order() throws {
    let song = "\(home.music)/Here/Album mp3/2 Second mp3.mp3"
    try embed(try SamplePicture.bytes("jpeg"), in: song)
    try writeFile(try SamplePicture.bytes("png"), to: "\(home.music)/Here/Album flac/Folder.PNG")
    var daemon = try RunningDaemon(home)
    try daemon.sync()
    var client = try CratesClient(home)
    let ids = try ["Album flac", "Album ogg", "Album mp3"].map { try client.album($0).id }
    let asked = [ids[0], ids[1], "zzzzzzzzzzzz", ids[2], String(ids[0].prefix(8))]
    let found = try thumbnails(asked, side: 16)
    #expect(found.map(\.album) == [ids[0], ids[1], "zzzzzzzzzzzz", ids[2], ids[0]])
    #expect(found.map(\.width) == [16, 0, 0, 16, 16])
    #expect(found.map(\.height) == [8, 0, 0, 8, 8])
    #expect(found[0].bytes.prefix(3) == [255, 0, 0] && found[4] == found[0])
    #expect(found[1].digest == nil && found[2].digest == nil && found[1].bytes.isEmpty)
    let embedded = try #require(try client.album("Album mp3").cover)
    #expect(found[3].digest == embedded)
    #expect(found[0].digest == (try client.album("Album flac").cover))
    #expect(found[0].digest != nil && found[0].digest != embedded)
    #expect(try client.album("Album ogg").cover == nil)

    // Kept by digest; damaged or deleted, they are made anew.
    let kept = try names(in: covers)
    #expect(Set(kept) == Set([found[0], found[3]].compactMap { $0.digest.map { "\($0)-16" } }))
    for name in kept {
      var bytes = try readFile("\(covers)/\(name)")
      bytes[20] ^= 1
      try writeFile(bytes, to: "\(covers)/\(name)")
    }
    #expect(try thumbnails(asked, side: 16) == found)
    #expect(try run("rm", ["-r", covers]).status == 0)
    #expect(try thumbnails(asked, side: 16) == found)
    #expect(try names(in: covers).count == 2)

    // The same as JPEGs, which have a file each.
    let jpegs = try thumbnails(asked, side: 16, form: .jpeg)
    #expect(jpegs.map(\.album) == found.map(\.album) && jpegs.map(\.width) == found.map(\.width))
    #expect(jpegs.map(\.digest) == found.map(\.digest))
    #expect(jpegs.allSatisfy { $0.form == .jpeg && $0.bytes.isEmpty == ($0.width == 0) })
    #expect(try names(in: covers).count == 4)
    #expect(try thumbnails(asked, side: 16, form: .jpeg) == jpegs)

    // The same after a restart, and told before anyone asks.
    client = try CratesClient(home)
    try daemon.stop()
    daemon = try RunningDaemon(home)
    let listed = try CratesClient(home).albums()
    #expect(listed.first { $0.id == ids[2] }?.cover == embedded)
    // Whether its directory was looked at by now or not, nothing else is told than lists tell.
    let early = try thumbnails([ids[0]], side: 16).first
    #expect(early?.bytes == found[0].bytes)
    #expect(early?.digest == nil || early?.digest == found[0].digest)
    try daemon.sync()
    #expect(try thumbnails(asked, side: 16) == found)
    // Another picture is another cover.
    try embed(try SamplePicture.bytes("jpeg-grey"), in: song)
    try daemon.sync()
    let later = try #require(try CratesClient(home).album("Album mp3").cover)
    #expect(later != embedded)
    #expect(try thumbnails([ids[2]], side: 100).first?.digest == later)
    #expect(try thumbnails([ids[2]], side: 100).first?.width == 40)
    try daemon.stop()
  }

  @Test("Albums tell which image lies beside them as it comes, changes and goes")
  func beside() throws {
    let folder = "\(home.music)/Here/Album flac"
    let daemon = try RunningDaemon(home)
    try daemon.sync()
    let client = try CratesClient(home)
    let album = try client.album("Album flac")
    #expect(album.cover == nil)
    var seen: Set<String?> = [nil]
    for (name, picture) in [("folder.jpg", "jpeg"), ("cover.png", "png"), ("cover.png", "jpeg")] {
      try writeFile(try SamplePicture.bytes(picture), to: "\(folder)/\(name)")
      try client.sync()
      let cover = try client.album("Album flac").cover
      #expect(seen.insert(cover).inserted, "\(name)")
      let found = try thumbnails([album.id], side: 64).first
      #expect(found?.digest == cover && found?.width == 40)
    }
    #expect(unlink("\(folder)/folder.jpg") == 0 && unlink("\(folder)/cover.png") == 0)
    try client.sync()
    #expect(try client.album("Album flac").cover == nil)
    // In a song, by another program.
    try embed(try SamplePicture.bytes("jpeg"), in: "\(home.music)/Here/Album mp3/1 First mp3.mp3")
    try client.sync()
    #expect(try client.album("Album mp3").cover != nil)
    try daemon.stop()
  }

  @Test("What is no JPEG or PNG is no cover here, and one album at a time needs no more")
  func odd() throws {
    let folder = "\(home.music)/Here/Album ogg"
    try writeFile(Array("GIF89a".utf8), to: "\(folder)/cover.gif")
    let daemon = try RunningDaemon(home)
    try daemon.sync()
    let client = try CratesClient(home)
    let id = try client.album("Album ogg").id
    func width() throws -> Int {
      guard case .thumbnail(let found) = try client.ask(.thumbnails(albums: [id], side: 64)) else {
        throw WrongReply()
      }
      return found.width
    }
    #expect(try width() == 0)
    try writeFile(Array("no picture".utf8), to: "\(folder)/cover.jpg")
    #expect(try width() == 0)
    // Too many pixels, and a picture that is cut off.
    var png = try SamplePicture.bytes("png")
    png.replaceSubrange(16..<24, with: [0, 0, 0xC3, 0x50, 0, 0, 0xC3, 0x50])
    try writeFile(png, to: "\(folder)/cover.jpg")
    #expect(try width() == 0)
    try writeFile(Array(try SamplePicture.bytes("png").prefix(60)), to: "\(folder)/cover.jpg")
    #expect(try width() == 0)
    try writeFile(try SamplePicture.bytes("jpeg"), to: "\(folder)/cover.jpg")
    #expect(try width() == 40)
    #expect(throws: InterfaceError.expectedMore) {
      try client.ask(.thumbnails(albums: [id, id], side: 64))
    }
    try daemon.stop()
  }

  @Test("Files that are opened for covers, beside songs and in them, are closed")
  func closed() throws {
    try embed(try SamplePicture.bytes("jpeg"), in: "\(home.music)/Here/Album mp3/1 First mp3.mp3")
    try writeFile(try SamplePicture.bytes("png"), to: "\(home.music)/Here/Album flac/Folder.PNG")
    let daemon = try RunningDaemon(home)
    try daemon.sync()
    let client = try CratesClient(home)
    let albums = try ["Album flac", "Album mp3"].map { try client.album($0).id }
    for side in 16..<56 {
      let found = try thumbnails(albums, side: side)
      #expect(found.allSatisfy { $0.width > 0 })
      for album in albums { try client.ask(.artwork(album: album)) }
    }
    // The last ones may be closed when they have been answered.
    let open = try daemon.openFiles().filter { $0.hasPrefix(home.music + "/") }
    #expect(open.count <= 2, "\(open)")
    try daemon.stop()
  }

  @Test("Sixty covers and more, asked for by several at once, all come")
  func several() throws {
    try embed(try SamplePicture.bytes("jpeg"), in: "\(home.music)/Here/Album mp3/1 First mp3.mp3")
    let daemon = try RunningDaemon(home)
    try daemon.sync()
    let client = try CratesClient(home)
    let album = try client.album("Album mp3").id
    let asked = [String](repeating: album, count: 300)
    // One that never reads what it asked for, and one that goes away.
    let idle = try RawClient(home)
    let call = Call.thumbnails(albums: asked, side: 512)
    let message: JSON = [
      "method": .string(call.method.fullName), "parameters": call.parameters, "more": true,
    ]
    idle.send(message.bytes + [0])
    do {
      let leaving = try RawClient(home)
      leaving.send(message.bytes + [0])
    }
    for side in [16, 40, 512] {
      let found = try thumbnails(asked, side: side)
      #expect(found.count == 300 && Set(found).count == 1)
      #expect(found.first?.width == min(side, 40))
    }
    try daemon.stop()
  }

  // MARK: crate art

  /// Runs `crate art` in a terminal of 24 rows that answers questions as it is told, and is as it
  /// was afterwards.
  private func art(_ album: String, answer: String, _ variables: [String: String]) throws -> String
  {
    let script = """
      import fcntl, os, pty, signal, struct, sys, termios
      answer = sys.argv[1].encode("latin1")
      pid, screen = pty.fork()
      if pid == 0:
          # Tests have it blocked; who runs them in the background, ignored.
          signal.signal(signal.SIGINT, signal.SIG_DFL)
          signal.pthread_sigmask(signal.SIG_UNBLOCK, [signal.SIGINT])
          os.execv(sys.argv[2], sys.argv[2:])
      fcntl.ioctl(screen, termios.TIOCSWINSZ, struct.pack("HHHH", 24, 80, 800, 480))
      said = b""
      while True:
          try:
              said += os.read(screen, 65536)
          except OSError:
              break
          if said.endswith(b"\\x1b[c"):
              os.write(screen, answer)
      sys.stdout.buffer.write(said)
      usual = termios.ICANON | termios.ECHO | termios.ISIG
      if termios.tcgetattr(screen)[3] & usual != usual:
          sys.stderr.write("the terminal is not as it was")
      """
    // Who runs tests may want them without colours.
    let environment = home.environment.merging(["NO_COLOR": ""]) { $1 }.merging(variables) { $1 }
    let result = try run(
      "/usr/bin/python3", ["-c", script, answer, try Home.program("crate"), "art", album],
      environment: environment)
    #expect(result.errors == "")
    return result.output
  }

  @Test("crate art shows what the terminal can show")
  func command() throws {
    try embed(try SamplePicture.bytes("jpeg"), in: "\(home.music)/Here/Album mp3/1 First mp3.mp3")
    try writeFile(Array("GIF89a".utf8), to: "\(home.music)/Here/Album ogg/cover.gif")
    let daemon = try RunningDaemon(home)
    try daemon.sync()
    let plain = ["TERM": "xterm", "COLORTERM": "truecolor"]
    let kitty = try art("Album mp3", answer: "\u{1B}_Gi=31;OK\u{1B}\\\u{1B}[?62;c", plain)
    #expect(kitty.contains("\u{1B}_Ga=t,f=24,s=40,v=20,i="))
    #expect(kitty.contains("c=40,r=10,C=1"))
    let sixels = try art("Album mp3", answer: "\u{1B}[?1;0;16S\u{1B}[?62;4c", plain)
    #expect(sixels.contains("\u{1B}P0;1;0q\"1;1;400;198#0;2;"))
    #expect(!sixels.contains("#16"))
    // tmux answers, and shows neither.
    let blocks = try art("Album mp3", answer: "\u{1B}[?1;2c", plain)
    #expect(blocks.contains("▀") && !blocks.contains("\u{1B}P"))
    #expect(blocks.split(separator: "\r\n").filter { $0.contains("▀") }.count == 10)
    #expect(blocks.contains(";2;"))
    let few = try art("Album mp3", answer: "\u{1B}[?1;2c", ["TERM": "xterm-256color"])
    #expect(few.contains("38;5;"))
    let none = try art("Album mp3", answer: "", ["TERM": "dumb"])
    // In the person's words, and not by the album's id.
    let advice = "write it to a file: crate art 'Album mp3' > cover"
    #expect(none.contains("this terminal shows no pictures; \(advice)"))
    let interrupted = try art("Album mp3", answer: "\u{3}", plain)
    #expect(!interrupted.contains("▀"))
    let gif = try art("Album ogg", answer: "\u{1B}[?1;2c", plain)
    #expect(gif.contains("a picture of type image/gif can't be shown here"))
    let nothing = try art("Album flac", answer: "\u{1B}[?1;2c", plain)
    #expect(nothing.contains("has no cover; put a picture called cover.jpg into its folder"))
    try daemon.stop()
  }
}
