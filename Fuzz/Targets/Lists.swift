import LibraryModel

@testable import ImportedLists

/// A file of another program's lists, in any format.
func fuzzLists(_ input: [UInt8]) {
  // By its name it is an M3U, whatever it looks like, or by its bytes.
  let name = input.count.isMultiple(of: 2) ? "House%%Deep" : "list.m3u8"
  do throws(ListFault) {
    let readings = try ListFile.readings(of: input, named: name)
    require((1...3).contains(readings.count), "a file means something, in one of three encodings")
    require((try? ListFile.readings(of: input, named: name)) == readings, "always the same")
    for file in readings { check(file) }
  } catch {
    switch error.place {
    case .line(let line):
      // In UTF-16 a line may end in every second byte, and in no LF at all.
      require((1...input.count + 2).contains(line), "a line is one of the file")
    case .offset(let offset):
      require((0...input.count).contains(offset), "a byte is one of the file")
    case .file: break
    }
    let controls = error.description.unicodeScalars.filter {
      $0.properties.generalCategory == .control
    }
    require(controls.isEmpty, "a message is one line")
  }
  fuzzRhythmbox(input)
}

private func fuzzRhythmbox(_ input: [UInt8]) {
  guard let songs = try? Rhythmbox.songs(in: input) else { return }
  for (path, song) in songs { require(path == song.path, "a song is found by its address") }
}

private func check(_ file: ListFile) {
  let songs = file.lists.reduce(0) { $0 + $1.songs.count }
  require(songs <= ListLimits.songs, "songs have a bound")
  for list in file.lists {
    require(crateNameFault(Importing.crateName(of: list)) == nil, "a crate can have the name")
    for song in list.songs {
      require(song.milliseconds >= 0, "a length is not negative")
      require(song.track ?? 1 > 0 && song.disc ?? 1 > 0, "a number counts something")
    }
  }
  guard let importing = try? Importing(file, choice: ImportChoice()) else { return }
  check(importing)
}

/// Each second song is found, in one of three albums.
private func check(_ importing: Importing) {
  var albums: [String: KnownAlbum] = [:]
  for id in ["a", "b", "c"] {
    albums[id] = KnownAlbum(id: id, title: id, artist: "", added: "", crate: "a", songs: 2)
    albums[id]?.order = ["\(id)0", "\(id)1"]
  }
  let found = importing.lists.map { list in
    list.songs.enumerated().map { place, song -> FoundSong in
      let number = place + song.path.utf8.count
      if number % 2 == 1 { return .missing("") }
      let album = ["a", "b", "c"][number / 2 % 3]
      return .found(song: "\(album)\(number / 6 % 2)", album: album)
    }
  }
  let plan = importing.plan(found, albums: albums)
  let moved = plan.lists.flatMap(\.albums).map(\.album.id)
  require(Set(moved).count == moved.count, "an album is in one list")
  require(plan.text.isEmpty == plan.isEmpty, "a plan that does something has a text")
  for list in plan.lists {
    require(list.found + list.missing.count == list.listed, "each song is found or missing")
  }
}
