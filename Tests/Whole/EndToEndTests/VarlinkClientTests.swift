import CratesInterface
import Glibc
import ProgramSupport
import TestSupport
import Testing

/// A client that knows nothing of ours: the varlink project's own, in Python.
@Suite("Python's varlink client", .limited)
struct VarlinkClientTests {
  @Test("It lists interfaces, calls, gets typed errors and streams")
  func client() throws {
    let home = try Home()
    let formats: [SampleFormat] = [.mp3, .flac, .ogg]
    try copy(try SampleMusic.albums(formats), to: "\(home.music)/Here")
    let daemon = try RunningDaemon(home)
    try daemon.sync()
    let before = try home.albums("Music")
    try home.folder.write(Self.script, to: "client.py")
    let result = try run(
      "timeout", ["\(Patience.seconds)", try python(), home.folder.path("client.py"), home.socket])
    #expect(result.status == 0, "\(result.errors)")

    let lines = result.output.split(separator: "\n").map(String.init)
    try #require(lines.count == 10, "\(lines)")
    #expect(lines[0] == "interfaces: org.crated.Crates org.varlink.service")
    #expect(lines[1] == "crates: Music 3 9")
    #expect(lines[2] == "albums: " + before.joined(separator: ", "))
    #expect(lines[3] == "watching: False")
    #expect(lines[4] == "moved: True person")
    #expect(lines[5] == "told: True")
    #expect(lines[6] == "albums: " + [before[2], before[0], before[1]].joined(separator: ", "))
    let songs = try home.json("paths", "Music").compactMap { $0["title"]?.string }
    #expect(lines[7] == "songs: " + songs.joined(separator: ", "))
    #expect(lines[8] == "refused: org.crated.Crates.NoSuchAlbum zzzzzzzzzzzz")
    #expect(lines[9] == "refused: org.varlink.service.InvalidParameter albums")
    try daemon.stop()
  }

  /// `make test` installs the client and says where; it lies in the build directory anyhow.
  private func python() throws -> String {
    if let named = getenv("CRATED_PYTHON"), named.pointee != 0 { return String(cString: named) }
    let products = try Home.program("")
    let path = "\(products)../../varlink/bin/python3"
    try #require(
      access(path, X_OK) == 0,
      "there is no Python with varlink's client: sh scripts/varlink-client.sh .build/varlink")
    return path
  }

  private static let script = """
    import sys
    import varlink

    address = "unix:" + sys.argv[1]
    client = varlink.Client.new_with_address(address)
    print("interfaces:", *sorted(client.get_interfaces()))

    with client.open("org.crated.Crates") as crates, client.open("org.crated.Crates") as other:
        for crate in crates.ListCrates()["crates"]:
            print("crates:", crate["name"], crate["albums"], crate["songs"])

        def albums():
            listed = crates.ListAlbums(crate="Music")["albums"]
            print("albums:", ", ".join(album["title"] for album in listed))
            return listed

        last = albums()[-1]
        watch = other.Watch(_more=True)
        print("watching:", next(watch)["change"]["changed"])
        change = crates.MoveAlbums(albums=[last["id"]], place={"where": "top"})["change"]
        print("moved:", change["changed"], change["author"])
        print("told:", next(watch)["change"] == change)
        albums()
        songs = [song for reply in crates.ListSongs(_more=True) for song in reply["songs"]]
        print("songs:", ", ".join(song["title"] for song in songs))
        for albums in ["zzzzzzzzzzzz"], []:
            try:
                crates.MoveAlbums(albums=albums, place={"where": "top"})
            except varlink.VarlinkError as error:
                print("refused:", error.error(), *error.parameters().values())
    """
}
