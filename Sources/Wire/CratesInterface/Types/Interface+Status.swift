extension Interface {
  package enum FolderState: String, WireEnumeration {
    case watching, polling, offline
    case unknown
  }

  package struct MusicFolder: WireStructure {
    package var path: String
    package var state: FolderState
    package var reason: String?
    package var directories: Int
    package var songs: Int
    package var scanned: Int?
    package var toScan: Int?

    package init(
      path: String, state: FolderState, reason: String? = nil, directories: Int, songs: Int,
      scanned: Int? = nil, toScan: Int? = nil
    ) {
      self.path = path
      self.state = state
      self.reason = reason
      self.directories = directories
      self.songs = songs
      self.scanned = scanned
      self.toScan = toScan
    }

    package init(json: JSON) throws(FieldError) {
      let fields = try Fields(json)
      path = try fields.string("path")
      state = try fields.enumeration("state", otherwise: .unknown)
      reason = try fields.optional("reason", \.string)
      directories = try fields.int("directories")
      songs = try fields.int("songs")
      scanned = try fields.optional("scanned", \.integer)
      toScan = try fields.optional("toScan", \.integer)
    }

    package var json: JSON {
      [
        "path": .string(path), "state": .string(state.rawValue), "reason": JSON(reason),
        "directories": JSON(directories), "songs": JSON(songs), "scanned": JSON(scanned),
        "toScan": JSON(toScan),
      ]
    }
  }

  package enum StoreState: String, WireEnumeration {
    case ready, full, readOnly
    case unknown
  }

  package struct LibraryStatus: WireStructure {
    package var version: String
    package var pid: Int
    package var started: String
    package var sequence: Int
    package var folders: [MusicFolder]
    package var store: StoreState
    package var storeReason: String?
    package var storePath: String
    package var crates: Int
    package var albums: Int
    package var songs: Int
    package var gone: Int
    package var problems: Int
    package var warnings: [String]
    /// The crate in which new albums arrive at present; empty from an older daemon.
    package var newAlbums: String
    package var settingsPath: String
    package var playlists: String?
    package var player: String?
    package var mpd: String?

    package init(
      version: String, pid: Int, started: String, sequence: Int, folders: [MusicFolder],
      store: StoreState, storeReason: String?, storePath: String, crates: Int, albums: Int,
      songs: Int, gone: Int, problems: Int, warnings: [String],
      newAlbums: String = "", settingsPath: String = "", playlists: String? = nil,
      player: String? = nil, mpd: String? = nil
    ) {
      self.version = version
      self.pid = pid
      self.started = started
      self.sequence = sequence
      self.folders = folders
      self.store = store
      self.storeReason = storeReason
      self.storePath = storePath
      self.crates = crates
      self.albums = albums
      self.songs = songs
      self.gone = gone
      self.problems = problems
      self.warnings = warnings
      self.newAlbums = newAlbums
      self.settingsPath = settingsPath
      self.playlists = playlists
      self.player = player
      self.mpd = mpd
    }

    package init(json: JSON) throws(FieldError) {
      let fields = try Fields(json)
      version = try fields.string("version")
      pid = try fields.int("pid")
      started = try fields.string("started")
      sequence = try fields.int("sequence")
      folders = try fields.structures("folders")
      store = try fields.enumeration("store", otherwise: .unknown)
      storeReason = try fields.optional("storeReason", \.string)
      storePath = try fields.string("storePath")
      crates = try fields.int("crates")
      albums = try fields.int("albums")
      songs = try fields.int("songs")
      gone = try fields.int("gone")
      problems = try fields.int("problems")
      warnings = try fields.strings("warnings")
      newAlbums = try fields.optional("newAlbums", \.string) ?? ""
      settingsPath = try fields.optional("settingsPath", \.string) ?? ""
      playlists = try fields.optional("playlists", \.string)
      player = try fields.optional("player", \.string)
      mpd = try fields.optional("mpd", \.string)
    }

    package var json: JSON {
      [
        "version": .string(version), "pid": JSON(pid), "started": .string(started),
        "sequence": JSON(sequence), "folders": .array(folders.map(\.json)),
        "store": .string(store.rawValue), "storeReason": JSON(storeReason),
        "storePath": .string(storePath), "crates": JSON(crates), "albums": JSON(albums),
        "songs": JSON(songs), "gone": JSON(gone), "problems": JSON(problems),
        "warnings": JSON(warnings), "newAlbums": .string(newAlbums),
        "settingsPath": .string(settingsPath), "playlists": JSON(playlists),
        "player": JSON(player), "mpd": JSON(mpd),
      ]
    }
  }

  /// A line of the watcher's log of a music folder, for the user.
  package struct TraceEntry: WireStructure {
    package var folder: String
    package var time: String
    package var text: String

    package init(folder: String, time: String, text: String) {
      self.folder = folder
      self.time = time
      self.text = text
    }

    package init(json: JSON) throws(FieldError) {
      let fields = try Fields(json)
      folder = try fields.string("folder")
      time = try fields.string("time")
      text = try fields.string("text")
    }

    package var json: JSON {
      ["folder": .string(folder), "time": .string(time), "text": .string(text)]
    }
  }

  package enum ProblemKind: String, WireEnumeration {
    case unreadable, crashedReader, timedOutReader, duplicate, skippedFolder, permission
    case watchLimit, damagedStore, playlist, folder, settings, store, machines
    case unknown
  }

  package struct Problem: WireStructure {
    package var kind: ProblemKind
    package var path: String?
    package var uri: String?
    package var message: String
    package var since: String
    /// The number of problems of this kind that are left out after this one; nil if there are none.
    package var others: Int?

    package init(
      kind: ProblemKind, path: String?, uri: String?, message: String, since: String,
      others: Int? = nil
    ) {
      self.kind = kind
      self.path = path
      self.uri = uri
      self.message = message
      self.since = since
      self.others = others
    }

    package init(json: JSON) throws(FieldError) {
      let fields = try Fields(json)
      kind = try fields.enumeration("kind", otherwise: .unknown)
      path = try fields.optional("path", \.string)
      uri = try fields.optional("uri", \.string)
      message = try fields.string("message")
      since = try fields.string("since")
      others = try fields.optional("others", \.integer)
    }

    package var json: JSON {
      [
        "kind": .string(kind.rawValue), "path": JSON(path), "uri": JSON(uri),
        "message": .string(message), "since": .string(since), "others": JSON(others),
      ]
    }
  }
}
