extension InterfaceError: CustomStringConvertible {
  package var description: String { message }

  /// One line for the user that says what is wrong and what to do about it.
  package var message: String {
    switch self {
    case .noSuchCrate(let name):
      "there is no crate called “\(name)”; crate list shows the crates"
    case .noSuchAlbum(let id): "there is no album \(id); crate list CRATE shows the albums"
    case .noSuchSong(let id): "there is no song \(id); crate list ALBUM shows the songs"
    case .ambiguousId(let id, let matches):
      "\(id) may be any of \(Self.some(of: matches)); give more letters of the id"
    case .notOneAlbum:
      "the songs belong to different albums; move the songs of one album at a time"
    case .invalidPlace(let reason): "they cannot go there: \(reason)"
    case .crateExists(let name):
      "there is a crate called “\(name)” already; "
        + "to join the two, move all albums of one into the other"
    case .invalidName(let name, let reason):
      "“\(name)” cannot be the name of a crate: \(reason)"
    case .nothingToUndo(let steps): Self.tooFew(steps, "undo", "undone")
    case .nothingToRedo(let steps): Self.tooFew(steps, "redo", "redone")
    case .editRejected(let line, let reason): "line \(line): \(reason)"
    case .noArtwork:
      "the album has no cover; put a picture called cover.jpg into its folder"
    case .noSuchPath(let path): "\(path) is not in a music folder; crate status shows those"
    case .invalidQuery(let word, let reason): "“\(word)”: \(reason)"
    case .noSuchMachine(let name):
      "there is no other machine called “\(name)”; crate machines shows them"
    case .nothingToJoin:
      "there is no order of other machines to join; crate machines shows what there is"
    case .outdated(let sequence):
      "the library has changed (now at \(sequence)): read it again before you retry"
    case .changesRefused(let reason): "nothing was changed: \(reason)"
    case .outcomeUnknown(let reason):
      "it is not known whether the change is on disk: \(reason); look again before trying again"
    case .tooManyClients(let limit):
      "crated serves \(limit) clients already; close one, or try again later"
    case .interfaceNotFound(let interface):
      "the daemon has no interface \(interface); it may be of another version"
    case .methodNotFound(let method), .methodNotImplemented(let method):
      "the daemon cannot do \(method); it may be older than this program"
    case .invalidParameter(let parameter):
      "the daemon does not accept this value of \(parameter)"
    case .permissionDenied: "crated serves the user it runs as and nobody else"
    case .expectedMore:
      "the answer comes in several parts; ask for it with “more”, or for less at a time"
    case .unknown(let name, let parameters): "the daemon refused: \(name) \(parameters.text)"
    }
  }

  private static let namedMost = 10

  private static func tooFew(_ steps: Int?, _ verb: String, _ done: String) -> String {
    guard let steps, steps > 0 else { return "there is nothing to \(verb)" }
    return steps == 1
      ? "only 1 change can be \(done); nothing was changed"
      : "only \(steps) changes can be \(done); nothing was changed"
  }

  private static func some(of names: [String]) -> String {
    let named = names.prefix(namedMost).joined(separator: ", ")
    return names.count > namedMost ? "\(named) and \(names.count - namedMost) more" : named
  }
}
