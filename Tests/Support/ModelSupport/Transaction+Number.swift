package import LibraryModel

extension Transaction {
  /// The transaction as it is when it is durable.
  package func at(_ sequence: Int) -> Transaction {
    var transaction = self
    transaction.sequence = sequence
    return transaction
  }
}
