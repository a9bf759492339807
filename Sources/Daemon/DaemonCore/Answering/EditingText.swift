import CratesInterface
import LibraryModel
import LibraryStore
import Synchronization

/// Reads and applies the order as text.
enum EditingText {
  /// The limit in bytes. A longer text would not fit into one message when it is sent back.
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

  /// Parses the text on the caller's thread, and returns the request; nil for a call that applies
  /// no text.
  ///
  /// - Throws: The error of a text that is invalid in any library.
  static func request(
    _ call: Call, in library: Library, _ answer: @escaping Librarian.AnswerMaker
  ) throws(InterfaceError) -> Librarian.EditRequest? {
    guard
      case .applyText(
        let text, let sequence, let crate, let album, let songs, let isPartial, let origin,
        let isDryRun) = call
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
      action: .text(written, readAt: sequence, scope, origin: origin), isDryRun: isDryRun,
      answer: answer)
  }
}

/// The libraries whose text was read last, which edited texts are compared with. They share their
/// storage with the current library, so that keeping some costs little.
final class ReadLibraries: Sendable {
  /// The maximum number of libraries. Beyond it the one that was read longest ago is dropped; the
  /// store may still know it.
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
