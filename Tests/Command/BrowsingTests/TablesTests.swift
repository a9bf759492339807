import TestSupport
import Testing

@testable import Browsing

@Suite("What is known of albums and crates", .limited) struct TablesTests {
  @Test("An album is looked for in what it is called now, by whatever part that is new")
  func retitled() {
    var tables = Tables()
    var facts = AlbumFacts(id: "a", crate: "Music", title: "Ölmez", artist: "Ayla")
    let album = tables.take(facts)
    #expect(tables.searched(album) == Search.text("Ölmez Ayla"))
    facts.title = "Aşk"
    #expect(tables.take(facts) == album && tables.searched(album) == Search.text("Aşk Ayla"))
    facts.artist = "Berrin"
    #expect(tables.take(facts) == album && tables.searched(album) == Search.text("Aşk Berrin"))
    facts.songs = 7
    #expect(tables.take(facts) == album && tables.searched(album) == Search.text("Aşk Berrin"))
    #expect(tables[album].songs == 7 && tables[album].crate.isEmpty)
  }

  @Test("An album is known when more than its id was told")
  func known() {
    var tables = Tables()
    let album = tables.number(ofAlbum: "a")
    #expect(!tables.isKnown(album) && tables.known(album: "a") == album)
    #expect(tables.known(album: "b") == nil)
    tables.take(AlbumFacts(id: "a", crate: "Music", title: "A", artist: "B"))
    #expect(tables.isKnown(album) && tables.isThere(album))
  }

  @Test("A crate keeps its number under another name, and its former name is free")
  func renamed() {
    var tables = Tables()
    let crate = tables.number(ofCrate: "Jazz")
    #expect(tables.number(ofCrate: "JAZZ") == crate && tables.known(crate: "jazz") == crate)
    tables.rename(crate, from: "Jazz", to: "Late")
    #expect(tables.known(crate: "late") == crate && tables.known(crate: "Jazz") == nil)
    let other = tables.number(ofCrate: "Jazz")
    #expect(other != crate)
    // What is renamed to another's former name takes nothing from it.
    tables.rename(crate, from: "Jazz", to: "Early")
    #expect(tables.known(crate: "Jazz") == other && tables.known(crate: "Early") == crate)
  }
}
