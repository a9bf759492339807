import CratesInterface
import Glibc
import LibraryModel
import Platform
import Synchronization
import TagReading

/// Finds the covers of albums. Each music folder is accessed on its own thread, since a drive may
/// be slow or hang; the lane of this class never touches a music folder.
final class Artwork: Sendable {
  typealias Found = @Sendable (Result<Picture?, InterfaceError>) -> Void

  /// A place to search, and its music folder.
  private typealias Step = (root: BytePath, place: CoverFolder.Place)

  /// The time after which a call is answered even if its folder has not answered, in nanoseconds. A
  /// folder that takes as long becomes offline.
  static let patience: Int64 = 10_000_000_000

  private let lane: WorkPool.Lane
  private let published: PublishedLibrary
  private let folders: CoverFolders
  private let clock: Clock

  init(on lane: WorkPool.Lane, published: PublishedLibrary, folders: CoverFolders, clock: Clock) {
    self.lane = lane
    self.published = published
    self.folders = folders
    self.clock = clock
  }

  /// Calls back once with the picture embedded in the album's first song that has one, else with
  /// the image file in its folders; nil if there is neither. Fails after the stop.
  func find(for album: String, found: @escaping Found) {
    let isTaken = lane.add { [self] in
      let library = published.library
      do throws(InterfaceError) {
        let steps = Self.steps(of: try Resolving.album(album, in: library), in: library)
        look(steps[...], until: clock.monotonic() + Self.patience, nil, found)
      } catch {
        found(.failure(error))
      }
    }
    if !isTaken { found(.failure(Librarian.stopping)) }
  }

  /// Searches the next place.
  ///
  /// - Parameter unknown: Why one of the previous places could not be searched.
  private func look(
    _ steps: ArraySlice<Step>, until deadline: Int64, _ unknown: InterfaceError?,
    _ found: @escaping Found
  ) {
    guard let step = steps.first else {
      return found(unknown.map { .failure($0) } ?? .success(nil))
    }
    let late = PictureOutcome.unknown(CoverFolder.hangs)
    let answer = folders.deadlines.answer(until: deadline, late: late) { [weak self] outcome in
      switch outcome {
      case .found(let bytes) where Picture(bytes) != nil: found(.success(Picture(bytes)))
      case .found, .noPicture: self?.look(steps.dropFirst(), until: deadline, unknown, found)
      case .unknown(let problem):
        // A folder that hangs is asked once, not for each song.
        let hangs = problem == CoverFolder.hangs
        var path = step.root
        if case .song(let song) = step.place, !hangs { path = song }
        let reason = unknown ?? Self.refusal(path, problem)
        let rest = hangs ? steps.filter { $0.root != step.root }[...] : steps.dropFirst()
        self?.look(rest, until: deadline, reason, found)
      }
    }
    folders.folder(step.root).find(
      CoverFolder.Job(place: step.place, request: .whole(found: answer)))
  }

  /// Returns the error for an album whose places could not be searched, which differs from having
  /// no cover.
  ///
  /// - Parameter path: The song, or a music folder that hangs.
  private static func refusal(_ path: BytePath, _ problem: FileProblem) -> InterfaceError {
    .changesRefused(reason: "no cover could be looked for in \(path.display): \(problem.message)")
  }

  // MARK: Places

  /// Returns where the album's cover may be, the best place first: its present songs in the user's
  /// order, then the image files beside them.
  private static func steps(of album: Album, in library: Library) -> [Step] {
    let songs = library.songs(of: album).compactMap { song -> (song: Song, root: BytePath)? in
      guard library.presence(of: song) == .present else { return nil }
      return library.away.folder(of: song.path).map { (song, $0) }
    }
    // A song whose file is not read yet may have one.
    var steps = songs.filter { song, _ in song.facts.map { $0.cover != nil } ?? true }
      .map { song, root in Step(root, .song(song.path)) }
    var looked: Set<BytePath> = []
    for (song, root) in songs {
      // With several discs, the cover lies beside their folders or in one of them.
      for folder in [AlbumFolder.directory(of: song.path, root: root), song.path.parent]
      where looked.insert(folder).inserted {
        steps.append((root, .beside([folder])))
      }
    }
    return steps
  }
}

/// An image of a common format.
struct Picture: Sendable {
  let bytes: [UInt8]
  let mimeType: String

  /// Recognizes the format by the first bytes, whatever a tag or a file name says; nil if it is
  /// none of these.
  init?(_ bytes: [UInt8]) {
    func begins(_ start: [UInt8], at place: Int = 0) -> Bool {
      bytes.dropFirst(place).starts(with: start)
    }
    if begins([0xFF, 0xD8, 0xFF]) {
      mimeType = "image/jpeg"
    } else if begins([0x89, 0x50, 0x4E, 0x47, 0x0D, 0x0A, 0x1A, 0x0A]) {
      mimeType = "image/png"
    } else if begins(Array("GIF87a".utf8)) || begins(Array("GIF89a".utf8)) {
      mimeType = "image/gif"
    } else if begins(Array("RIFF".utf8)) && begins(Array("WEBP".utf8), at: 8) {
      mimeType = "image/webp"
    } else if begins(Array("BM".utf8)) {
      mimeType = "image/bmp"
    } else {
      return nil
    }
    self.bytes = bytes
  }
}
