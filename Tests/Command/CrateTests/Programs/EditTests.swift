import CratesInterface
import Glibc
import ProgramSupport
import TestSupport
import Testing

/// `crate edit` with editors that are small scripts.
@Suite("Editing the order as text", .serialized, .limited)
struct EditTests {
  let home: Home
  let daemon: RunningDaemon

  init() throws {
    home = try Home()
    home.environment["XDG_STATE_HOME"] = home.folder.path("state")
    try copy(try SampleMusic.albums([.flac, .mp3, .ogg, .opus]), to: "\(home.music)/Here")
    daemon = try RunningDaemon(home)
    try daemon.sync()
    try home.crate("sort", "Music", "by", "title")
    try home.crate("move", "Music", "3-4", "to", "Jazz")
  }

  /// An editor that does this to the text, whose path is `$1`.
  private func edit(with script: String) throws {
    let path = try home.folder.write("#!/bin/sh\nset -e\n\(script)\n", to: "an editor")
    chmod(path, 0o700)
    home.environment["EDITOR"] = "'\(path)' --wait"
    home.environment["VISUAL"] = nil
  }

  /// The last argument is the text; the first is an option of the editor's own.
  private static let file = "file=$2\n"

  private var kept: [String] {
    guard let folder = opendir(home.folder.path("state/crated")) else { return [] }
    defer { closedir(folder) }
    var names: [String] = []
    while let entry = readdir(folder) {
      let name = withUnsafeBytes(of: &entry.pointee.d_name) { bytes in
        String(decoding: bytes.prefix { $0 != 0 }, as: UTF8.self)
      }
      if !name.hasPrefix(".") { names.append(home.folder.path("state/crated/\(name)")) }
    }
    return names.sorted()
  }

  private func order() throws -> [[String]] {
    try home.json("list").compactMap { $0["name"]?.string }.map { [$0] + (try home.albums($0)) }
  }

  private static let start = [
    ["Music", "Album flac", "Album mp3"], ["Jazz", "Album ogg", "Album opus"],
  ]

  @Test("lines that are moved move what they stand for, crates are renamed, and undo takes it back")
  func edited() throws {
    let before = try home.listings()
    try edit(
      with: Self.file + """
        [ "$1" = --wait ] && [ "$(stat -c %a "$file")" = 600 ]
        awk '/crate Jazz/ { sub("Jazz", "Late 100%25") } /album .*opus/ { keep = 1 }
          keep { held = held $0 "\\n"; next } { print }
          END { printf "%s", "crate New\\n" held }' "$file" > "$file.new"
        mv "$file.new" "$file"
        """)
    let said = try home.crate("edit")
    #expect(
      said.output
        == "Jazz is now called Late 100%, and Album opus is in the new crate New\n")
    let after = [
      ["Music", "Album flac", "Album mp3"], ["Late 100%", "Album ogg"], ["New", "Album opus"],
    ]
    #expect(try order() == after)
    #expect(kept.isEmpty)
    try home.crate("undo")
    #expect(try home.listings() == before)
    try home.crate("redo")
    #expect(try order() == after)

    // One crate, and its songs; the arranged flag follows.
    try edit(
      with: Self.file + """
        grep -q '^# sequence [0-9]*, with songs, crate Music$' "$file"
        ! grep -q Late "$file"
        sed -i '/First mp3/{h;d};/Third mp3/{G}' "$file"
        """)
    let change = try #require(try home.json("edit", "music", "--songs").first)
    #expect(change["change"] == nil && change["changed"]?.bool == true)
    #expect(change["songs"]?.array?.count == 1)
    let songs = try home.json("list", "Music", "2").compactMap { $0["title"]?.string }
    #expect(songs == ["Second mp3", "Third mp3", "First mp3"])
    #expect(try home.json("list", "Music").map { $0["arranged"]?.bool } == [false, true])
    try daemon.stop()
  }

  @Test("crates and albums are shown, with artist, title and year; songs where they are asked for")
  func scopes() throws {
    try edit(with: Self.file + "cp \"$file\" '\(home.folder.path("text"))'")
    func text(_ words: String...) throws -> [String] {
      try home.crate(["edit"] + words)
      for file in kept { unlink(file) }
      let text = String(decoding: try readFile(home.folder.path("text")), as: UTF8.self)
      return text.split(separator: "\n").filter { !$0.hasPrefix("# ") || $0.contains("# sequence") }
        .map {
          String($0).replacing(/[a-z0-9]{12}/, with: "ID")
            .replacing(/sequence \d+/, with: "sequence N")
        }
    }
    let all = try text()
    #expect(all.first == "# sequence N" && all.count == 1 + 2 + 4, "\(all)")
    let line = /\talbum ID Artist mp3 - Album mp3 \(\d{4}\)/
    #expect(all.contains { $0.wholeMatch(of: line) != nil }, "\(all)")
    let jazz = try text("jazz")
    #expect(jazz.first == "# sequence N, crate Jazz" && jazz.count == 1 + 1 + 2, "\(jazz)")
    let album = try text("Jazz", "2")
    #expect(album.first?.hasPrefix("# sequence N, with songs, album ") == true, "\(album)")
    #expect(album.count { $0.hasPrefix("\t\tsong ") } == 3 && album.count == 1 + 2 + 3, "\(album)")
    #expect(try text("--songs").count == 1 + 2 + 4 + 12)

    // One album's songs, another way round.
    try edit(with: Self.file + "sed -i '/First opus/{h;d};/Third opus/{G}' \"$file\"")
    let said = try home.crate("edit", "Album opus", "--dry-run")
    #expect(said.output.hasPrefix("First opus would be at the bottom of Album opus"), "\(said)")
    #expect(said.errors.contains("crate edit --from"))
    try home.crate("edit", "--from", try #require(kept.first))
    let songs = try home.json("list", "Jazz", "2").compactMap { $0["title"]?.string }
    #expect(songs == ["Second opus", "Third opus", "First opus"])
    #expect(kept.isEmpty)
    try daemon.stop()
  }

  @Test("a text that somebody made is read as of now, in the command's own scope")
  func made() throws {
    let ids = try home.json("list", "Jazz").compactMap { $0["id"]?.string }
    let file = home.folder.path("made")
    try writeFile(Array("crate Jazz\nalbum \(ids[1])\nalbum \(ids[0])\n".utf8), to: file)
    try home.crate("edit", "Jazz", "--from", file)
    #expect(try order() == [Self.start[0], ["Jazz", "Album opus", "Album ogg"]])

    // One that says itself which crate it is of may be given that crate, and no other.
    let sequence = try home.status().sequence
    try writeFile(
      Array(
        "# sequence \(sequence), crate Jazz\ncrate Jazz\nalbum \(ids[0])\nalbum \(ids[1])\n".utf8),
      to: file)
    let refused = try home.crate("edit", "Music", "--from", file, status: 64)
    #expect(refused.errors.contains("says itself which order it is of; leave “Music” out"))
    try home.crate("edit", "jazz", "--from", file)
    #expect(try order() == Self.start)
    try daemon.stop()
  }

  @Test("a text that is not changed, or emptied, does nothing, and no editor is an error")
  func nothing() throws {
    for script in ["file=$2; : > \"$file\"", "file=$2; sed -i '/^#/!d' \"$file\""] {
      try edit(with: script)
      #expect(try home.crate("edit").output == "nothing to do: the text was not changed\n")
      #expect(try home.json("edit").first?["changed"]?.bool == false)
    }
    #expect(kept.isEmpty)
    try edit(with: "exit 3")
    #expect(try home.crate("edit", status: 1).errors.contains("status 3"))
    home.environment["EDITOR"] = "/nowhere/editor"
    #expect(try home.crate("edit", status: 1).errors.contains("/nowhere/editor"))
    home.environment["EDITOR"] = nil
    try home.crate("edit", status: 64)
    #expect(kept.isEmpty)
    try home.crate("edit", "nosuch", status: 1)
    #expect(try order() == Self.start)
    try daemon.stop()
  }

  @Test("what a killed edit leaves is told of, and goes after a month where nobody changed it")
  func leftovers() throws {
    let parent = "kill -KILL $(ps -o ppid= $PPID)\n"
    try edit(with: parent)
    try home.crate("edit", status: 128 + SIGKILL)
    let untouched = try #require(kept.first)
    try edit(with: Self.file + "echo '# mine' >>\"$file\"\n" + parent)
    try home.crate("edit", status: 128 + SIGKILL)
    let touched = try #require(kept.first { $0 != untouched })

    try edit(with: ": > \"$2\"")
    try run("touch", ["--date", "29 days ago", untouched, touched])
    try home.crate("edit")
    #expect(kept.count == 2)
    try run("touch", ["--date", "31 days ago", untouched, touched])
    try home.crate("edit")
    #expect(kept == [touched])
    try edit(with: Self.file + "sed -i 's/^crate Jazz/crates Jazz/' \"$file\"")
    let said = try home.crate("edit", status: 1).errors
    #expect(
      said.contains("another text is kept in \(home.folder.path("state/crated"))"), "\(said)")
    try daemon.stop()
  }

  @Test("what is refused is kept with its line, and applied when it is put right")
  func refused() throws {
    try edit(with: Self.file + "sed -i 's/^crate Jazz/crates Jazz/' \"$file\"")
    let said = try home.crate("edit", status: 1).errors
    #expect(try order() == Self.start)
    let file = try #require(kept.first)
    let text = String(decoding: try readFile(file), as: UTF8.self)
    let lines = text.split(separator: "\n", omittingEmptySubsequences: false)
    let line = try #require(lines.firstIndex { $0.hasPrefix("crates Jazz") }) + 1
    #expect(said.contains("line \(line): “crates”"), "\(said)")
    #expect(said.contains("crate edit --from \(file)"), "\(said)")
    try home.crate("edit", "--from", file, status: 1)
    // It says itself that it is of everything.
    try home.crate("edit", "Jazz", "--from", file, status: 64)
    #expect(kept == [file])
    try home.crate("move", "Jazz", "1", "bottom")
    try writeFile(Array(text.replacing("crates Jazz", with: "crate Late").utf8), to: file)
    try home.crate("edit", "--from", file)
    #expect(try order() == [Self.start[0], ["Late", "Album opus", "Album ogg"]])
    #expect(kept.isEmpty)

    // An editor that fails after it changed the text.
    try edit(with: Self.file + "echo '# note' >> \"$file\"; exit 1")
    #expect(try home.crate("edit", status: 1).errors.contains("crate edit --from"))
    #expect(kept.count == 1)
    try home.crate("edit", "--from", home.folder.path("an editor"), status: 1)
    try home.crate("edit", "--from", home.music, status: 1)
    try home.crate("edit", "--from", "/nowhere", status: 1)
    try daemon.stop()
  }

  @Test("what finds no room on the disk is kept as it was edited, and applied when there is room")
  func fullDisk() throws {
    let limits = "prlimit --pid \(daemon.pid) --fsize"
    // The disk is full by the time that the person has saved.
    let journal = try #require(try home.newestJournal())
    try edit(
      with: Self.file + """
        sed -i 's/^crate Jazz/crate Late/; $a # my note' "$file"
        \(limits)=$(stat -c %s '\(journal)'):unlimited
        """)
    let said = try home.crate("edit", status: 75).errors
    let file = try #require(kept.first)
    #expect(said.contains("make room") && said.contains("crate edit --from \(file)"), "\(said)")
    let text = String(decoding: try readFile(file), as: UTF8.self)
    #expect(text.contains("crate Late\n") && text.hasSuffix("# my note\n"))
    #expect(try home.status().store == .full)
    #expect(try order() == Self.start)
    // The same again while nothing has changed.
    try home.crate("edit", "--from", file, status: 75)
    #expect(kept == [file])
    #expect(try readFile(file) == Array(text.utf8))
    try #require(try run("sh", ["-c", "\(limits)=unlimited:unlimited"]).status == 0)
    try home.crate("edit", "--from", file)
    #expect(try order() == [Self.start[0], ["Late", "Album ogg", "Album opus"]])
    #expect(kept.isEmpty)
    try daemon.stop()
  }

  @Test(
    "on a terminal one may edit again, which Enter alone means, and Ctrl-C is the editor's",
    arguments: ["y", "", "n"])
  func terminal(answer: String) throws {
    try edit(
      with: Self.file + """
        crate=$PPID
        grep -q '(crate)' /proc/$crate/stat || crate=$(cut -d' ' -f4 /proc/$crate/stat)
        grep -q '(crate)' /proc/$crate/stat
        kill -INT $crate; kill -QUIT $crate
        if grep -q '^crates' "$file"; then
          sed -i 's/^crates Jazz/crate Late/' "$file"
        else
          sed -i 's/^crate Jazz/crates Jazz/' "$file"
        fi
        """)
    // script(1) gives it a terminal.
    let line = "'\(try Home.program("crate"))' edit"
    let words = ["-c", "echo '\(answer)' | script -qec \"\(line)\" /dev/null"]
    let result = try run(
      "timeout", ["\(Patience.seconds)", "sh"] + words, environment: home.environment)
    let isMeant = answer != "n"
    #expect(result.status == (isMeant ? 0 : 1), "\(result.output)")
    #expect(result.output.contains("Edit it again?"))
    #expect(result.output.contains("Jazz is now called Late") == isMeant)
    let name = isMeant ? "Late" : "Jazz"
    #expect(try order() == [Self.start[0], [name, "Album ogg", "Album opus"]])
    #expect(kept.isEmpty == isMeant)
    try daemon.stop()
  }

  @Test(
    "what an editor leaves is read with care",
    arguments: [
      "rm \"$file\"; ln -s /etc/hostname \"$file\"", "rm \"$file\"; mkdir \"$file\"",
      "rm \"$file\"; mkfifo \"$file\"", "head -c 10000000 /dev/zero | tr '\\0' '#' > \"$file\"",
      "printf 'crate \\377\\n' > \"$file\"", "printf 'crate \\000\\n' > \"$file\"", "rm \"$file\"",
    ])
  func odd(script: String) throws {
    try edit(with: Self.file + script)
    let said = try home.crate("edit", status: 1).errors
    #expect(said.contains("state/crated/"), "\(said)")
    #expect(try order() == Self.start)
    try daemon.stop()
  }

  @Test("what changes while the editor is open stays, and deleted lines come back")
  func meanwhile() throws {
    let program = try Home.program("crate")
    try edit(
      with: Self.file + """
        '\(program)' move Jazz 2 top
        '\(program)' move Music 1 to Pop
        sed -i '/Album mp3/d;/ mp3$/d' "$file"
        sed -i 's/^crate Jazz/crate Late/' "$file"
        """)
    let said = try home.crate("edit").output
    #expect(said.contains("\n  put back Album mp3: "), "\(said)")
    #expect(
      try order() == [
        ["Music", "Album mp3"], ["Late", "Album opus", "Album ogg"], ["Pop", "Album flac"],
      ])
    try daemon.stop()
  }

  @Test("a daemon that is killed and started while the editor is open still knows what was read")
  func restarted() throws {
    try edit(
      with: Self.file + "cp \"$file\" '\(home.folder.path("text"))'; kill -9 \(daemon.pid)")
    // Nothing was changed in the text, so nobody is asked.
    #expect(try home.crate("edit").output == "nothing to do: the text was not changed\n")
    _ = try daemon.program.end()
    let text = String(decoding: try readFile(home.folder.path("text")), as: UTF8.self)
    let file = home.folder.path("my text")
    try writeFile(Array(text.replacing("crate Jazz", with: "crate Late").utf8), to: file)
    let said = try home.crate("edit", "--from", file, status: 69).errors
    #expect(said.contains("crate edit --from '\(file)'"), "\(said)")

    // The daemon starts twice, and the order changes in between.
    for _ in 0..<2 {
      let daemon = try RunningDaemon(home)
      try home.crate("move", "Music", "2", "top")
      try home.crate("move", "Jazz", "1", "bottom")
      try home.crate("move", "Jazz", "top")
      try daemon.stop()
    }
    let daemon = try RunningDaemon(home)
    #expect(try home.crate("edit", "--from", file).output == "Jazz is now called Late\n")
    #expect(
      try order() == [
        ["Late", "Album ogg", "Album opus"], ["Music", "Album flac", "Album mp3"],
      ])
    #expect(
      try home.crate("edit", "--from", file).output
        == "nothing to do: the order is as the text says\n")
    // A text that comes from nowhere.
    let now = try home.status().sequence
    let strange = text.replacing(/# sequence \d+/, with: "# sequence \(now + 1000)")
    try writeFile(Array(strange.utf8), to: file)
    let outdated = try home.crate("edit", "--from", file, status: 75).errors
    #expect(outdated.contains("# sequence \(now)”"), "\(outdated)")
    try daemon.stop()
  }
}
