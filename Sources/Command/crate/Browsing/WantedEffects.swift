import Browsing

/// What the browser wants of the daemon and nobody has begun yet. It stays short however long the
/// daemon takes: of what is looked at, only the last matters, and the browser bounds its edits.
struct WantedEffects: Sendable {
  private var effects: [Effect] = []

  mutating func add(_ effect: Effect) {
    switch effect {
    case .songs: effects.removeAll { if case .songs = $0 { true } else { false } }
    case .play: effects.removeAll { if case .play = $0 { true } else { false } }
    case .list: if effects.contains(.list) { return }
    case .lookUp(let ids):
      for (place, other) in effects.enumerated() {
        guard case .lookUp(let others) = other else { continue }
        effects[place] = .lookUp(others + Set(ids).subtracting(others).sorted())
        return
      }
    default: break
    }
    effects.append(effect)
  }

  mutating func next() -> Effect? { effects.isEmpty ? nil : effects.removeFirst() }
}
