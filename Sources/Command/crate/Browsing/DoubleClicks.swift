import Terminal

/// Marks the second press of a double click.
struct DoubleClicks {
  private var last: (at: Int64, spot: Grid.Spot)?
  /// The most nanoseconds between the presses of a double click; desktops use about 400 ms.
  static let most: Int64 = 400_000_000

  mutating func marked(_ event: InputEvent, at now: Int64) -> InputEvent {
    guard case .mouse(var mouse) = event, case .press(let button) = mouse.action else {
      if case .key = event { last = nil }
      return event
    }
    guard button == .left, mouse.modifiers.isEmpty else {
      last = nil
      return event
    }
    if let last, last.spot == mouse.spot, now - last.at <= Self.most {
      mouse.isSecond = true
      self.last = nil
    } else {
      last = (now, mouse.spot)
    }
    return .mouse(mouse)
  }
}
