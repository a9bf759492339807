import CratesInterface
import Glibc
import LibraryModel
import Platform
import Synchronization
import TagReading

/// Finds the covers of albums, on a thread of its own: a drive may be slow, and the readers busy.
final class Artwork: Sendable {
  private struct Wish {
    /// The album as a client names it.
    var album: String
    var found: @Sendable (Result<Picture?, InterfaceError>) -> Void
  }

  private struct State {
    // Bounded by the clients, who have one call each in work.
    var waiting: [Wish] = []
    var isAtWork = false
    var isStopping = false
  }

  /// A drive that hangs must not hold up the end.
  private static let stopsWithin: Int64 = 1_000_000_000

  private let published: PublishedLibrary
  private let readers: ReaderShare
  private let clock: Clock
  private let state = Monitor(State())
  private let thread = Mutex<BlockingThread?>(nil)

  init(published: PublishedLibrary, readers: ReaderPool, clock: Clock) {
    self.published = published
    self.readers = readers.others
    self.clock = clock
  }

  func start() {
    let started = BlockingThread("artwork") { [self] in run() }
    thread.withLock { $0 = started }
  }

  /// Stops the search: nothing is found of what is asked for later, and of what a drive that hangs
  /// keeps back.
  func stop() {
    state.withLock { $0.isStopping = true }
    let until = clock.monotonic() + Self.stopsWithin
    let isDone: Bool? = state.wait(until: until) { state in
      state.isAtWork || !state.waiting.isEmpty ? nil : true
    }
    if let thread = thread.withLock({ $0.take() }), isDone != nil { thread.join() }
  }

  /// Calls back once with the picture in the album's first song that has one, else with the image
  /// file in its folders; nil where there is neither.
  func find(
    for album: String, found: @escaping @Sendable (Result<Picture?, InterfaceError>) -> Void
  ) {
    let isTaken = state.withLock { state in
      if !state.isStopping { state.waiting.append(Wish(album: album, found: found)) }
      return !state.isStopping
    }
    if !isTaken { found(.success(nil)) }
  }

  private func run() {
    while let wish = next() {
      wish.found(picture(for: wish.album))
      state.withLock { $0.isAtWork = false }
    }
  }

  private func next() -> Wish? {
    state.wait { state -> Wish?? in
      if state.waiting.isEmpty { return state.isStopping ? .some(nil) : nil }
      state.isAtWork = true
      return .some(state.waiting.removeFirst())
    }
  }

  private func picture(for album: String) -> Result<Picture?, InterfaceError> {
    let library = published.library
    do throws(InterfaceError) {
      return .success(picture(in: files(of: try Resolving.album(album, in: library), library)))
    } catch {
      return .failure(error)
    }
  }

  /// The album's files that are there, in the person's order, with their music folders.
  private func files(of album: Album, _ library: Library) -> [(path: BytePath, root: BytePath)] {
    library.songs(of: album).compactMap { song in
      guard library.presence(of: song) == .present else { return nil }
      return library.away.folders.first { song.path.isInside($0) }.map { (song.path, $0) }
    }
  }

  private func picture(in files: [(path: BytePath, root: BytePath)]) -> Picture? {
    for (path, _) in files {
      if let picture = embedded(in: path).flatMap({ Picture($0) }) { return picture }
    }
    var looked: Set<BytePath> = []
    for (path, root) in files {
      // With several discs, the cover is beside their folders, or in one of them.
      for folder in [AlbumFolder.directory(of: path, root: root), path.parent]
      where looked.insert(folder).inserted {
        if let picture = beside(folder) { return picture }
      }
    }
    return nil
  }

  private func embedded(in path: BytePath) -> [UInt8]? {
    guard let file = ImageFiles.open(path) else { return nil }
    // Here, since it may hang.
    let descriptor = file.release()
    defer { close(descriptor) }
    let answer = Monitor<[UInt8]??>(nil)
    readers.readPicture(descriptor, pathExtension: path.pathExtension) { picture in
      answer.withLock { $0 = .some(picture) }
    }
    // The pool has limits on time, and answers in any case.
    return answer.wait { $0 }
  }

  private func beside(_ folder: BytePath) -> Picture? {
    guard let file = ImageFiles.best(in: folder).flatMap({ ImageFiles.open($0) }) else {
      return nil
    }
    return contents(file).flatMap { Picture($0) }
  }

  private func contents(_ file: borrowing OpenFile) -> [UInt8]? {
    let most = ReaderReply.pictureBytesMost
    var bytes = [UInt8](repeating: 0, count: most + 1)
    var count = 0
    while count <= most {
      let got = bytes.withUnsafeMutableBytes { bytes in
        retrying {
          read(file.descriptor, bytes.baseAddress?.advanced(by: count), bytes.count - count)
        }
      }
      if got < 0 { return nil }
      if got == 0 { return Array(bytes[..<count]) }
      count += got
    }
    return nil
  }
}

/// An image of a kind that programs show.
struct Picture: Sendable {
  let bytes: [UInt8]
  let mimeType: String

  /// Nil where the bytes begin like none: what a tag or a name says is not asked.
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
