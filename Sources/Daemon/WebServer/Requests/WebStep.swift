import CratesInterface

/// What a request comes to.
enum WebStep: Sendable {
  case respond(WebResponse)
  /// A call of the daemon; with `streams` all its replies are wanted, as they come.
  case call(method: String, parameters: JSON, streams: Bool, Device)
  case cover(CoverName)
  case play(PlayRequest, Device)
}

/// What is to be played, in its order.
struct PlayRequest: Sendable, Hashable {
  enum Things: Sendable, Hashable {
    case albums([String])
    case songs([String])
  }

  let things: Things
  /// Whether it follows what the player has, or takes its place.
  let adds: Bool
  /// Ids in one request; more than anybody listens to.
  private static let most = 1_000

  /// Nil for anything but `{"albums": […]}` or `{"songs": […]}`, with `"add": true` or without.
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

/// Which picture of which album.
struct CoverName: Sendable, Hashable {
  let album: String
  /// The cover's digest: another picture is not the one that is asked for.
  let digest: String
  /// Pixels of the longer side.
  let side: Int

  /// What is between the secret and the end of `/covers/SECRET/ALBUM/DIGEST-SIDE.jpg`.
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
