package import LibraryModel

extension Transaction {
  /// As it is when it is durable.
  package func at(_ sequence: Int) -> Transaction {
    var transaction = self
    transaction.sequence = sequence
    return transaction
  }
}
