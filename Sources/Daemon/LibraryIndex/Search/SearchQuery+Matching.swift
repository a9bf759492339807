import LibraryModel

extension SearchQuery.Term {
  /// Returns whether the tokens of a text contain the phrase. A token that begins with its last
  /// word is enough, unless `whole` is set.
  func matches(_ tokens: [String], whole: Bool = false) -> Bool {
    phrases.contains { phrase in
      guard tokens.count >= phrase.count else { return false }
      return (0...(tokens.count - phrase.count)).contains { start in
        Self.begins(tokens[start...], with: phrase, whole: whole)
      }
    }
  }

  /// The spellings of the phrase.
  private var phrases: [[String]] { joined.map { [words, [$0]] } ?? [words] }

  private static func begins(
    _ tokens: ArraySlice<String>, with phrase: [String], whole: Bool
  ) -> Bool {
    guard let last = phrase.last else { return false }
    // Compares bytes, as SQLite does.
    for (token, word) in zip(tokens, phrase.dropLast()) where !token.utf8.elementsEqual(word.utf8) {
      return false
    }
    let token = tokens[tokens.startIndex + phrase.count - 1]
    return whole ? token.utf8.elementsEqual(last.utf8) : token.utf8.starts(with: last.utf8)
  }

  // MARK: SQLite's words for it

  /// Returns the expression of FTS5 for the term.
  ///
  /// - Parameters:
  ///   - columns: the columns to search.
  ///   - whole: whether the last word has to match whole.
  func expression(in columns: [String], whole: Bool = false) -> String {
    let phrases = phrases.map { "\"\($0.joined(separator: " "))\"" + (whole ? "" : " *") }
    let either = phrases.count == 1 ? phrases[0] : "(\(phrases.joined(separator: " OR ")))"
    return "{\(columns.joined(separator: " "))} : \(either)"
  }
}

/// How well an album or a song matches a query.
struct SearchMerit: Comparable {
  var grade: SearchGrade
  /// The number of terms of the query that are in its name.
  var inName: Int

  /// Returns whether the left one is better.
  static func < (left: SearchMerit, right: SearchMerit) -> Bool {
    (left.grade, right.inName) < (right.grade, left.inName)
  }
}

/// How much of a query a name contains, the best first.
enum SearchGrade: Int, CaseIterable, Comparable {
  /// The name is the query.
  case same
  /// The name begins with the words of the query.
  case begins
  /// The name contains all words.
  case words
  /// Artist, album and title together contain all words.
  case wordsAnywhere
  /// The name begins with the query, whose last word is unfinished.
  case started
  /// The name contains words that begin like those of the query.
  case beginnings
  case anywhere

  static func < (left: SearchGrade, right: SearchGrade) -> Bool { left.rawValue < right.rawValue }
}

extension SearchQuery {
  /// Returns the terms that may be in a name.
  private func terms(ofName name: Field) -> [Term] {
    terms.filter { $0.field == nil || $0.field == name }
  }

  /// - Parameters:
  ///   - name: `album` for albums, `title` for songs.
  ///   - tokens: the tokens of the name.
  func merit(_ name: Field, _ tokens: [String]) -> SearchMerit {
    let terms = terms(ofName: name)
    let count = terms.count { $0.matches(tokens) }
    return SearchMerit(grade: count == 0 ? .anywhere : grade(terms, tokens), inName: count)
  }

  /// Returns the merit of rows that the expression of a grade finds, and those of better grades
  /// don't.
  func wholeMerit(_ name: Field, _ grade: SearchGrade) -> SearchMerit {
    SearchMerit(grade: grade, inName: terms(ofName: name).count)
  }

  private func grade(_ terms: [Term], _ tokens: [String]) -> SearchGrade {
    let words = terms.flatMap(\.words)
    let whole = SearchDocument.wholeName(words)
    let name = tokens.last ?? ""
    let isBegun = !whole.isEmpty && name.utf8.starts(with: whole.utf8)
    if isBegun, name.utf8.count == whole.utf8.count { return .same }
    if isBegun, name.utf8.starts(with: SearchDocument.unfinishedName(words).utf8) { return .begins }
    if terms.allSatisfy({ $0.matches(tokens, whole: true) }) { return .words }
    if isBegun { return .started }
    if terms.allSatisfy({ $0.matches(tokens) }) { return .beginnings }
    return .anywhere
  }

  /// Returns the expression that finds rows of a grade or better in the table of words; nil if
  /// there can't be any.
  func expression(_ name: Field, _ grade: SearchGrade) -> String? {
    let inName = terms(ofName: name)
    let isOfName = grade != .anywhere && grade != .wordsAnywhere
    if inName.isEmpty, isOfName { return nil }
    let words = inName.flatMap(\.words)
    func named(_ token: String) -> String { "{\(name)} : \"\(token)\"" }
    var parts: [String] =
      switch grade {
      case .same: [named(SearchDocument.wholeName(words))]
      case .begins: [named(SearchDocument.unfinishedName(words)) + " *"]
      case .started: [named(SearchDocument.wholeName(words)) + " *"]
      case .words: inName.map { $0.expression(in: [name.rawValue], whole: true) }
      case .beginnings: inName.map { $0.expression(in: [name.rawValue]) }
      case .wordsAnywhere, .anywhere:
        inName.map {
          $0.expression(in: columns($0.field, of: name), whole: grade == .wordsAnywhere)
        }
      }
    for term in terms where term.field != nil && term.field != name && term.field?.isRare == false {
      parts += [term.expression(in: columns(term.field, of: name))]
    }
    parts += years.map(Self.expression)
    if parts.isEmpty { return nil }
    let found = parts.joined(separator: " AND ")
    let without = exclusions(name)
    return without.isEmpty ? found : "(\(found))" + without.map { " NOT (\($0))" }.joined()
  }

  /// Returns the columns in which a term of a field is searched, for albums or for songs.
  private func columns(_ field: Field?, of name: Field) -> [String] {
    let artists = name == .album ? ["artist"] : ["artist", "album_artist"]
    switch field {
    case .artist: return artists
    case nil: return artists + (name == .album ? ["album"] : ["album", "title"])
    case .some(let field): return [field.rawValue]
    }
  }

  private static func expression(_ years: ClosedRange<Int>) -> String {
    "{year} : (\(years.map { "\"\($0)\"" }.joined(separator: " OR ")))"
  }

  /// Returns the expressions for rows of the table of words to leave out. Albums have no titles
  /// besides their names.
  func exclusions(_ name: Field) -> [String] {
    let terms = excluded.filter { term in
      term.field?.isRare != true && !(term.field == .title && name == .album)
    }
    return terms.map { $0.expression(in: columns($0.field, of: name)) }
      + excludedYears.map(Self.expression)
      + (name == .title ? songsOfListedAlbums : [])
  }

  /// The expression for songs that match only by the title and artist of their album, which is
  /// found itself. Empty if another condition could leave the album out, or if the query asks for
  /// titles of songs.
  private var songsOfListedAlbums: [String] {
    let isOfNames = { (term: Term) in term.field != .year && term.field?.isRare != true }
    guard years.isEmpty, excludedYears.isEmpty, !isForSongsOnly, terms.allSatisfy(isOfNames),
      excluded.allSatisfy({ isOfNames($0) && $0.field != .title })
    else { return [] }
    let byAlbum = terms.map { term in
      let columns = columns(term.field, of: .album).map { $0 == "artist" ? "album_artist" : $0 }
      return term.expression(in: columns)
    }.joined(separator: " AND ")
    let byTitle = terms.filter { $0.field == nil }
      .map { $0.expression(in: ["title"]) }.joined(separator: " OR ")
    return [byTitle.isEmpty ? byAlbum : "(\(byAlbum)) NOT (\(byTitle))"]
  }

  /// The expressions for rows of the table of rare columns to leave out.
  var excludedRareExpressions: [String] {
    excluded.compactMap(Self.rareExpression)
  }

  /// The expression for the table of rare columns; nil if the query names none of them.
  var rareExpression: String? {
    let parts = terms.compactMap(Self.rareExpression)
    return parts.isEmpty ? nil : parts.joined(separator: " AND ")
  }

  private static func rareExpression(_ term: Term) -> String? {
    guard let field = term.field, field.isRare else { return nil }
    return term.expression(in: [field.rawValue])
  }

  /// Whether the query asks for titles of songs, which no album has.
  var isForSongsOnly: Bool { terms.contains { $0.field == .title } }
}
