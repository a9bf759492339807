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

  static func begins(
    _ tokens: ArraySlice<String>, with phrase: [String], whole: Bool
  ) -> Bool {
    guard tokens.count >= phrase.count, let last = phrase.last else { return false }
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
  ///   - column: in which alone it is looked for.
  ///   - whole: no longer word will do.
  func expression(in column: String? = nil, whole: Bool = false) -> String {
    let phrases = phrases.map { "\"\($0.joined(separator: " "))\"" + (whole ? "" : " *") }
    let either = phrases.count == 1 ? phrases[0] : "(\(phrases.joined(separator: " OR ")))"
    guard let column = column ?? field?.rawValue else { return either }
    return "{\(column)} : \(either)"
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
  /// Its name is what was searched for.
  case same
  /// Its name begins with it.
  case begins
  /// Its name has all the words.
  case words
  /// Its name has words that begin so.
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

  private func grade(_ terms: [Term], _ tokens: [String]) -> SearchGrade {
    let words = terms.flatMap(\.words)
    if Term.begins(tokens[...], with: words + [SearchDocument.end], whole: true) { return .same }
    if Term.begins(tokens[...], with: words, whole: false) { return .begins }
    if terms.allSatisfy({ $0.matches(tokens, whole: true) }) { return .words }
    if terms.allSatisfy({ $0.matches(tokens) }) { return .beginnings }
    return .anywhere
  }

  /// The expression that finds what is of a grade or better; nil where nothing can be.
  func expression(_ name: Field, _ grade: SearchGrade) -> String? {
    // An album has no title besides its name.
    if name == .album, terms.contains(where: { $0.field == .title }) { return nil }
    var parts = indexed.map { $0.expression() }
    let terms = terms(ofName: name)
    if terms.isEmpty, grade != .anywhere { return nil }
    let words = terms.flatMap(\.words).joined(separator: " ")
    switch grade {
    case .same: parts.append("{\(name)} : ^\"\(words) \(SearchDocument.end)\"")
    case .begins: parts.append("{\(name)} : ^\"\(words)\" *")
    case .words: parts += terms.map { $0.expression(in: name.rawValue, whole: true) }
    case .beginnings: parts += terms.map { $0.expression(in: name.rawValue) }
    case .anywhere: break
    }
    return parts.isEmpty ? nil : parts.joined(separator: " AND ")
  }

  /// Whether a song passes what only looking can tell.
  func passesFilters(_ song: Song) -> Bool {
    filters.allSatisfy { $0.field == .path ? $0.matches(song.path) : $0.matches(year: song.year) }
  }

  func passesFilters(_ album: Album, _ face: AlbumFace, _ library: Library) -> Bool {
    filters.allSatisfy { term in
      guard term.field == .path else { return term.matches(year: face.year) }
      return library.listedSongs(of: album).contains { term.matches($0.path) }
    }
  }
}

extension SearchQuery.Term {
  fileprivate func matches(year: Int?) -> Bool {
    guard let year else { return false }
    return matches(["\(year)"])
  }

  fileprivate func matches(_ path: BytePath) -> Bool {
    matches(SearchDocument.tokens(String(path.display.map { $0 == "/" ? " " : $0 })))
  }
}
