import TestSupport
import Testing

@testable import Databases

@Suite("What SQLite refuses", .limited)
struct ErrorTests {
  @Test("Errors are told apart by the lower bits of their number")
  func kinds() {
    for (code, kind) in [
      (5, "busy unreadable"), (11, "damage"), (26, "damage"), (9, "interrupted"),
      (14, "unreadable"), (10, "unreadable"), (3, "unreadable"), (23, "unreadable"), (1, ""),
      (8, ""), (19, ""),
    ] as [(Int32, String)] {
      for error in [DatabaseError(code, nil), DatabaseError(code | 3 << 8, nil, sql: "X")] {
        let kinds = [
          error.isBusy ? "busy" : nil, error.isDamage ? "damage" : nil,
          error.isInterrupted ? "interrupted" : nil, error.isUnreadable ? "unreadable" : nil,
        ]
        #expect(kinds.compactMap(\.self).joined(separator: " ") == kind, "\(code)")
        #expect(error.code == code)
      }
    }
    #expect(DatabaseError(11, nil).message == "database disk image is malformed")
    #expect(DatabaseError(11, nil, sql: "X").message.hasSuffix("malformed, in “X”"))
  }
}
