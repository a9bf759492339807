/// The reply to a call. A call with "more" gets several of the same kind.
package enum Reply: Sendable, Hashable {
  case status(Interface.LibraryStatus)
  case crates([Interface.Crate], sequence: Int)
  /// `total`: the number of albums without the window; nil from an older daemon.
  case albums([Interface.Album], total: Int? = nil, sequence: Int)
  case songs([Interface.Song], total: Int? = nil, sequence: Int)
  case meanings([Interface.Meaning], sequence: Int)
  case matches([Interface.Matched], sequence: Int)
  case found(
    albums: [Interface.Album], songs: [Interface.Song], totalAlbums: Int? = nil,
    totalSongs: Int? = nil, sequence: Int)
  case change(Interface.Change)
  case text(String, sequence: Int)
  case changes([Interface.Change])
  case progress(sequence: Int, scanned: Int?, toScan: Int?)
  case problems([Interface.Problem])
  case statusNews(Interface.LibraryStatus, problems: [Interface.Problem]?)
  case trace([Interface.TraceEntry])
  case artwork(mimeType: String, base64: String)
  case thumbnail(Interface.Thumbnail)
  case machines(Interface.Machines)
  case nothing
}

extension Reply {
  /// The parameters of the reply.
  package var json: JSON {
    switch self {
    case .status(let status): ["status": status.json]
    case .crates(let crates, let sequence):
      ["crates": .array(crates.map(\.json)), "sequence": JSON(sequence)]
    case .albums(let albums, let total, let sequence):
      [
        "albums": .array(albums.map(\.json)), "total": JSON(total), "sequence": JSON(sequence),
      ]
    case .songs(let songs, let total, let sequence):
      ["songs": .array(songs.map(\.json)), "total": JSON(total), "sequence": JSON(sequence)]
    case .meanings(let meanings, let sequence):
      ["meanings": .array(meanings.map(\.json)), "sequence": JSON(sequence)]
    case .matches(let matched, let sequence):
      ["matched": .array(matched.map(\.json)), "sequence": JSON(sequence)]
    case .found(let albums, let songs, let totalAlbums, let totalSongs, let sequence):
      [
        "albums": .array(albums.map(\.json)), "songs": .array(songs.map(\.json)),
        "totalAlbums": JSON(totalAlbums), "totalSongs": JSON(totalSongs),
        "sequence": JSON(sequence),
      ]
    case .change(let change): ["change": change.json]
    case .text(let text, let sequence): ["text": .string(text), "sequence": JSON(sequence)]
    case .changes(let changes): ["changes": .array(changes.map(\.json))]
    case .progress(let sequence, let scanned, let toScan):
      ["sequence": JSON(sequence), "scanned": JSON(scanned), "toScan": JSON(toScan)]
    case .problems(let problems): ["problems": .array(problems.map(\.json))]
    case .statusNews(let status, let problems):
      [
        "status": status.json,
        "problems": problems.map { .array($0.map(\.json)) } ?? .null,
      ]
    case .trace(let entries): ["entries": .array(entries.map(\.json))]
    case .artwork(let mimeType, let base64):
      ["mimeType": .string(mimeType), "base64": .string(base64)]
    case .thumbnail(let thumbnail): thumbnail.json
    case .machines(let machines): machines.json
    case .nothing: [:]
    }
  }

  /// Reads the parameters of a reply to a call of `method`.
  package init(to method: Call.Method, json: JSON) throws(FieldError) {
    let fields = try Fields(json)
    switch method {
    case .status: self = .status(try fields.structure("status"))
    case .listCrates:
      self = .crates(try fields.structures("crates"), sequence: try fields.int("sequence"))
    case .listAlbums:
      self = .albums(
        try fields.structures("albums"), total: try fields.optional("total", \.integer),
        sequence: try fields.int("sequence"))
    case .listSongs:
      self = .songs(
        try fields.structures("songs"), total: try fields.optional("total", \.integer),
        sequence: try fields.int("sequence"))
    case .resolve:
      self = .meanings(try fields.structures("meanings"), sequence: try fields.int("sequence"))
    case .match:
      self = .matches(try fields.structures("matched"), sequence: try fields.int("sequence"))
    case .search:
      self = .found(
        albums: try fields.structures("albums"), songs: try fields.structures("songs"),
        totalAlbums: try fields.optional("totalAlbums", \.integer),
        totalSongs: try fields.optional("totalSongs", \.integer),
        sequence: try fields.int("sequence"))
    case .moveAlbums, .moveSongs, .moveCrate, .renameCrate, .sortAlbums, .sortSongs, .applyText,
      .undo, .redo, .forget, .watch, .joinMachines:
      self = .change(try fields.structure("change"))
    case .readText:
      self = .text(try fields.string("text"), sequence: try fields.int("sequence"))
    case .history: self = .changes(try fields.structures("changes"))
    case .sync, .rescan:
      self = .progress(
        sequence: try fields.int("sequence"), scanned: try fields.optional("scanned", \.integer),
        toScan: try fields.optional("toScan", \.integer))
    case .problems: self = .problems(try fields.structures("problems"))
    case .watchStatus:
      self = .statusNews(
        try fields.structure("status"), problems: try fields.optionalStructures("problems"))
    case .trace: self = .trace(try fields.structures("entries"))
    case .artwork:
      self = .artwork(
        mimeType: try fields.string("mimeType"), base64: try fields.string("base64"))
    case .thumbnails: self = .thumbnail(try Interface.Thumbnail(json: json))
    case .machines: self = .machines(try Interface.Machines(json: json))
    case .dropMachine: self = .nothing
    }
  }
}
