import CratesInterface
import LibraryModel
import LibraryStore
import Synchronization

/// The order as text, to be read and to be applied.
enum EditingText {
  /// Bytes. A longer text could not come back in one message, and is not given out.
  private static let longest = 8 << 20

  static func read(
    _ library: Library, crate name: String?, album id: String?, songs: Bool
  ) throws(InterfaceError) -> Reply {
    var crates = library.crates
    if let name { crates = [try Resolving.crate(name, in: library)] }
    let album = try id.map { id throws(InterfaceError) in try Resolving.album(id, in: library) }
    if let album {
      crates = crates.filter { $0.id == album.crate }
      if crates.isEmpty { throw .noSuchAlbum(id: id ?? "") }
    }
    let text = OrderText.text(library, of: crates, only: album?.id, hasSongs: songs)
    guard text.utf8.count <= longest else { throw .expectedMore }
    return .text(text, sequence: library.sequence)
  }

  /// The text is read here, on the caller's thread; it is refused for what makes no sense in any
  /// library. Nil for a call that applies none.
  static func request(
    _ call: Call, in library: Library, _ answer: @escaping Librarian.AnswerMaker
  ) throws(InterfaceError) -> Librarian.EditRequest? {
    guard
      case .applyText(
        let text, let sequence, let crate, let album, let songs, let isPartial, let origin,
        let isTrial) = call
    else { return nil }
    if let origin, !Transaction.isOrigin(origin) { throw .invalidParameter(parameter: "origin") }
    var scope = TextScope(crate: crate, hasSongs: songs ?? true, isPartial: isPartial)
    scope.album = try album.map { id throws(InterfaceError) in
      try Resolving.album(id, in: library).id
    }
    let written: WrittenOrder
    do throws(Refusal) {
      written = try OrderText.written(text)
    } catch {
      throw InterfaceError(error)
    }
    return Librarian.EditRequest(
      wish: .text(written, readAt: sequence, scope, origin: origin), isTrial: isTrial,
      answer: answer)
  }
}

/// The libraries whose text was read last: what an edited text is compared with. They share what
/// they have in common with the library of now, so keeping some costs little.
final class ReadLibraries: Sendable {
  /// Libraries that are kept; of more, those that were read longest ago are let go of, but the
  /// store may still know them.
  private static let most = 8
  private let libraries = Mutex<[Library]>([])

  func keep(_ library: Library) {
    libraries.withLock { libraries in
      libraries.removeAll { $0.sequence == library.sequence }
      libraries.append(library)
      if libraries.count > Self.most { libraries.removeFirst() }
    }
  }

  func library(at sequence: Int) -> Library? {
    libraries.withLock { $0.first { $0.sequence == sequence } }
  }
}
