/// A target position in a list.
@usableFromInline
package enum Place<Anchor: Hashable & Sendable>: Hashable, Sendable {
  case top, bottom, up, down
  case before(Anchor)
  case after(Anchor)
}

extension Place {
  /// The same place with `after` replaced by `before`, for finding the anchor.
  package var normalized: Place {
    if case .after(let anchor) = self { return .before(anchor) }
    return self
  }

  /// Returns the same place with another anchor.
  ///
  /// - Throws: what `change` throws for the anchor.
  package func mapped<New, Failure: Error>(
    _ change: (Anchor) throws(Failure) -> New
  ) throws(Failure) -> Place<New> {
    switch self {
    case .top: .top
    case .bottom: .bottom
    case .up: .up
    case .down: .down
    case .before(let anchor): .before(try change(anchor))
    case .after(let anchor): .after(try change(anchor))
    }
  }

  /// Whether it is one step away from the current position.
  package var isStep: Bool { self == .up || self == .down }
}
