extension Interface {
  /// The kinds of things that a name may denote.
  package enum Kind: String, WireEnumeration {
    case crate, album, song
  }

  /// A crate, an album or a song to which a name refers or may refer.
  package struct Thing: WireStructure {
    package var crate: String?
    package var album: String?
    package var song: String?
    /// The name shown to the user.
    package var label: String
    package var presence: Presence

    package init(
      crate: String? = nil, album: String? = nil, song: String? = nil, label: String,
      presence: Presence
    ) {
      self.crate = crate
      self.album = album
      self.song = song
      self.label = label
      self.presence = presence
    }

    package init(json: JSON) throws(FieldError) {
      let fields = try Fields(json)
      crate = try fields.optional("crate", \.string)
      album = try fields.optional("album", \.string)
      song = try fields.optional("song", \.string)
      label = try fields.string("label")
      presence = try fields.enumeration("presence", otherwise: .unknown)
    }

    package var json: JSON {
      [
        "crate": JSON(crate), "album": JSON(album), "song": JSON(song), "label": .string(label),
        "presence": .string(presence.rawValue),
      ]
    }
  }

  /// The meaning of one name in a call.
  package struct Meaning: WireStructure {
    /// The things to which the name refers, in order.
    package var what: [Thing]
    /// The things that match an ambiguous name.
    package var candidates: [Thing]
    /// The things that are spelled alike if nothing matches, best first.
    package var near: [Thing]

    package init(what: [Thing] = [], candidates: [Thing] = [], near: [Thing] = []) {
      self.what = what
      self.candidates = candidates
      self.near = near
    }

    package init(json: JSON) throws(FieldError) {
      let fields = try Fields(json)
      what = try fields.structures("what")
      candidates = try fields.structures("candidates")
      near = try fields.structures("near")
    }

    package var json: JSON {
      [
        "what": .array(what.map(\.json)), "candidates": .array(candidates.map(\.json)),
        "near": .array(near.map(\.json)),
      ]
    }
  }
}
