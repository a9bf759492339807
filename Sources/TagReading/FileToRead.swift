import LibraryModel

/// A file on its way through the pool. Its descriptor stays open until it has an outcome, since
/// another reader may have to be asked. Then whoever opened it closes it, which may hang.
final class FileToRead: Sendable {
  enum Wish: Sendable {
    case song(FileStamp, @Sendable (ReadOutcome) -> Void)
    case picture(@Sendable ([UInt8]?) -> Void)
  }

  let descriptor: Int32
  let pathExtension: String
  let share: ShareID
  private let wish: Wish

  init(_ descriptor: Int32, _ wish: Wish, pathExtension: String, _ share: ShareID) {
    self.descriptor = descriptor
    self.wish = wish
    self.pathExtension = pathExtension
    self.share = share
  }

  var wantsPicture: Bool {
    if case .picture = wish { true } else { false }
  }

  func fail(_ problem: FileProblem) {
    switch wish {
    case .song(_, let completion): completion(.problem(problem))
    case .picture(let completion): completion(nil)
    }
  }

  func complete(with reply: ReaderReply) {
    switch (wish, reply) {
    case (_, .problem(let status, let errorNumber)):
      fail(.of(status, errorNumber: errorNumber))
    case (.song(let stamp, let completion), .song(let song)):
      completion(
        .facts(
          FileFacts(
            stamp: stamp, tags: song.tags, audio: song.audio, digest: song.digest,
            format: song.format)))
    case (.picture(let completion), .song(let song)):
      completion(song.picture.isEmpty ? nil : song.picture)
    }
  }
}
