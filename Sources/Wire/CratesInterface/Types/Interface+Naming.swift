extension Interface {
  /// What a name may stand for.
  package enum Kind: String, WireEnumeration {
    case crate, album, song
  }

  /// A crate, an album or a song that is meant, or may be.
  package struct Thing: WireStructure {
    package var crate: String?
    package var album: String?
    package var song: String?
    /// How people call it.
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

  /// What one of the asked words means.
  package struct Meaning: WireStructure {
    /// What is meant, in order.
    package var what: [Thing]
    /// Several things fit, and none is meant.
    package var candidates: [Thing]
    /// Nothing fits, and these are spelt alike; the best first.
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
