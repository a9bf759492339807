extension Interface {
  package enum Where: String, WireEnumeration {
    case top, bottom, up, down, before, after

    /// Whether a place of this kind is relative to an anchor.
    package var needsAnchor: Bool { self == .before || self == .after }
  }

  package struct Place: WireStructure {
    package var `where`: Where
    /// The name of a crate, or the id of an album or song. Set for `before` and `after` only.
    package var anchor: String?

    package init(_ where: Where, anchor: String? = nil) {
      self.where = `where`
      self.anchor = anchor
    }

    package init(json: JSON) throws(FieldError) {
      let fields = try Fields(json)
      `where` = try fields.required("where") { $0.string.flatMap(Where.init(rawValue:)) }
      anchor = try fields.optional("anchor", \.string)
    }

    package var json: JSON {
      ["where": .string(`where`.rawValue), "anchor": JSON(anchor)]
    }
  }

  /// The order among several things that move together.
  package enum Gathering: String, WireEnumeration {
    /// The order in which they are now.
    case kept
    /// The order in which they were named.
    case given
  }

  package enum AlbumOrder: String, WireEnumeration {
    case added, released, artist, title, reversed, shuffled

    /// Whether the order can be ascending or descending.
    package var takesDirection: Bool { self != .reversed && self != .shuffled }
  }

  package enum SongOrder: String, WireEnumeration {
    case track, added, title, reversed, shuffled

    /// Whether the order can be ascending or descending.
    package var takesDirection: Bool { self != .reversed && self != .shuffled }
  }
}
