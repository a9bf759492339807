import CratesInterface

/// The next step for a request.
enum WebStep: Sendable {
  case respond(WebResponse)
  /// Calls the daemon; with `streams` each reply is passed on as it comes.
  case call(method: String, parameters: JSON, streams: Bool, Device)
  case cover(CoverName)
  case play(PlayRequest, Device)
}

/// The albums or songs to play, in order.
struct PlayRequest: Sendable, Hashable {
  enum Things: Sendable, Hashable {
    case albums([String])
    case songs([String])
  }

  let things: Things
  /// Whether they are appended to what the player has instead of replacing it.
  let adds: Bool
  /// The most ids in one request.
  private static let most = 1_000

  /// Returns nil for anything but `{"albums": […]}` or `{"songs": […]}`, optionally with `"add":
  /// true`.
  init?(_ body: JSON.Object) {
    func ids(_ name: String) -> [String]? {
      let ids = body[name]?.array?.compactMap(\.string) ?? []
      let isWhole = ids.count == body[name]?.array?.count
      return isWhole && (1...Self.most).contains(ids.count) ? ids : nil
    }
    switch (ids("albums"), ids("songs")) {
    case (let albums?, nil): things = .albums(albums)
    case (nil, let songs?): things = .songs(songs)
    default: return nil
    }
    adds = body["add"]?.bool ?? false
  }
}

/// The picture of an album.
struct CoverName: Sendable, Hashable {
  let album: String
  /// The cover's digest. The response is an error if the album has another cover.
  let digest: String
  /// The pixels of the longer side.
  let side: Int

  /// Parses the part between the secret and the end of `/covers/SECRET/ALBUM/DIGEST-SIDE.jpg`.
  init?(_ album: Substring, _ file: Substring) {
    guard file.hasSuffix(".jpg"), let dash = file.lastIndex(of: "-"),
      let side = Int(file[file.index(after: dash)...].dropLast(4)),
      Interface.Thumbnail.sides.contains(side)
    else { return nil }
    let digest = file[..<dash]
    guard
      [album, digest].allSatisfy({ text in
        !text.isEmpty && text.utf8.count <= 128
          && text.utf8.allSatisfy { (48...57).contains($0) || (97...122).contains($0) }
      })
    else { return nil }
    (self.album, self.digest, self.side) = (String(album), String(digest), side)
  }
}
