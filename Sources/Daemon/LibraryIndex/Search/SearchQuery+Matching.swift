import LibraryModel

extension SearchQuery.Term {
  /// Whether the tokens of a text have it: all words one after the other, the last one begun.
  func matches(_ tokens: [String], whole: Bool = false) -> Bool {
    phrases.contains { phrase in
      guard tokens.count >= phrase.count else { return false }
      return (0...(tokens.count - phrase.count)).contains { start in
        Self.begins(tokens[start...], with: phrase, whole: whole)
      }
    }
  }

  /// The ways in which it is looked for.
  private var phrases: [[String]] { joined.map { [words, [$0]] } ?? [words] }

  private static func begins(
    _ tokens: ArraySlice<String>, with phrase: [String], whole: Bool
  ) -> Bool {
    guard let last = phrase.last else { return false }
    // Byte for byte, as SQLite compares.
    for (token, word) in zip(tokens, phrase.dropLast()) where !token.utf8.elementsEqual(word.utf8) {
      return false
    }
    let token = tokens[tokens.startIndex + phrase.count - 1]
    return whole ? token.utf8.elementsEqual(last.utf8) : token.utf8.starts(with: last.utf8)
  }

  // MARK: SQLite's words for it

  /// An expression of FTS5.
  ///
  /// - Parameters:
  ///   - columns: in which it is looked for.
  ///   - whole: no longer word will do.
  func expression(in columns: [String], whole: Bool = false) -> String {
    let phrases = phrases.map { "\"\($0.joined(separator: " "))\"" + (whole ? "" : " *") }
    let either = phrases.count == 1 ? phrases[0] : "(\(phrases.joined(separator: " OR ")))"
    return "{\(columns.joined(separator: " "))} : \(either)"
  }
}

/// How well something matches a query.
struct SearchMerit: Comparable {
  var grade: SearchGrade
  /// How many of the query's words its name has.
  var inName: Int

  /// The better one first.
  static func < (left: SearchMerit, right: SearchMerit) -> Bool {
    (left.grade.rawValue, right.inName) < (right.grade.rawValue, left.inName)
  }
}

/// How much of a query a name has, the best first.
enum SearchGrade: Int, CaseIterable {
  /// The name is what was searched for.
  case same
  /// The name begins with it.
  case begins
  /// The name has all the words.
  case words
  /// The name has words that begin so.
  case beginnings
  case anywhere
}

extension SearchQuery {
  /// What may be in a name.
  private func terms(ofName name: Field) -> [Term] {
    terms.filter { $0.field == nil || $0.field == name }
  }

  /// - Parameters:
  ///   - name: `album` for albums, `title` for songs.
  ///   - tokens: of the name.
  func merit(_ name: Field, _ tokens: [String]) -> SearchMerit {
    let terms = terms(ofName: name)
    let count = terms.count { $0.matches(tokens) }
    return SearchMerit(grade: count == 0 ? .anywhere : grade(terms, tokens), inName: count)
  }

  /// The merit of what the expression of a grade finds that those of the better ones don't.
  func wholeMerit(_ name: Field, _ grade: SearchGrade) -> SearchMerit {
    SearchMerit(grade: grade, inName: terms(ofName: name).count)
  }

  private func grade(_ terms: [Term], _ tokens: [String]) -> SearchGrade {
    let words = terms.flatMap(\.words)
    let whole = SearchDocument.wholeName(words)
    if let name = tokens.last, !whole.isEmpty, name.utf8.starts(with: whole.utf8) {
      return name.utf8.count == whole.utf8.count ? .same : .begins
    }
    if terms.allSatisfy({ $0.matches(tokens, whole: true) }) { return .words }
    if terms.allSatisfy({ $0.matches(tokens) }) { return .beginnings }
    return .anywhere
  }

  /// The expression that finds in the words what is of a grade or better; nil where nothing can be.
  func expression(_ name: Field, _ grade: SearchGrade) -> String? {
    let usual: [Field] = name == .album ? [.artist, .album] : [.artist, .album, .title]
    let inName = terms(ofName: name)
    if inName.isEmpty, grade != .anywhere { return nil }
    let whole = "{\(name)} : \"\(SearchDocument.wholeName(inName.flatMap(\.words)))\""
    var parts: [String] =
      switch grade {
      case .same: [whole]
      case .begins: [whole + " *"]
      case .words: inName.map { $0.expression(in: [name.rawValue], whole: true) }
      case .beginnings: inName.map { $0.expression(in: [name.rawValue]) }
      case .anywhere:
        inName.map { $0.expression(in: ($0.field.map { [$0] } ?? usual).map(\.rawValue)) }
      }
    for term in terms where term.field != nil && term.field != name && term.field != .path {
      parts += [term.expression(in: term.field.map { [$0.rawValue] } ?? [])]
    }
    for range in years {
      parts.append("{year} : (\(range.map { "\"\($0)\"" }.joined(separator: " OR ")))")
    }
    if parts.isEmpty { return nil }
    let found = parts.joined(separator: " AND ")
    let without = exclusions(name, usual)
    return without.isEmpty ? found : "(\(found))" + without.map { " NOT (\($0))" }.joined()
  }

  /// Expressions for what is not to be found; albums have no titles besides their names.
  private func exclusions(_ name: Field, _ usual: [Field]) -> [String] {
    excluded.compactMap { term in
      if term.field == .path || (term.field == .title && name == .album) { return nil }
      return term.expression(in: (term.field.map { [$0] } ?? usual).map(\.rawValue))
    }
  }

  /// The expressions for paths that are not to be found.
  var excludedPathExpressions: [String] {
    excluded.filter { $0.field == .path }.map { $0.expression(in: [Field.path.rawValue]) }
  }

  /// The expression that finds in the paths; nil where none are asked for.
  var pathExpression: String? {
    let parts = terms.filter { $0.field == .path }.map { $0.expression(in: [Field.path.rawValue]) }
    return parts.isEmpty ? nil : parts.joined(separator: " AND ")
  }

  /// Whether no album can be found: they have no titles besides their names.
  var isForSongsOnly: Bool { terms.contains { $0.field == .title } }
}
