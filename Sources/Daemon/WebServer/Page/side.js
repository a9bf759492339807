// The panes beside the grid: the crates, the open crate's header, and the current album.

import { Choice, count, duration, isSameList, moving, short } from './model.js';
import {
  $, arrange, coverSide, dressSleeve, h, icon, isSmall, point, showCover, sleeve,
} from './view.js';
import { albumsIn, arrivals, call, coverAddress, library, memory, Refused } from './link.js';
import { ask, complain, hush, play, say, sayUnmoved, state } from './commands.js';

const box = $('crates'), side = $('side');
const crateRows = new Map();
let cursor = null, made = 0;
let openCrate = () => {};
export function onOpen(action) { openCrate = action; }

const albumsText = (crate) => count(crate.albums, 'album');

function makeRow() {
  return h('div', { class: 'crate', role: 'option', id: `c-${made++}` },
    h('span', { class: 'pile', 'aria-hidden': 'true' }),
    h('span', { class: 'words' }, h('b'), h('small')));
}

export function paintCrates() {
  if (!library.crates.some(({ name }) => name === cursor)) cursor = state.crate;
  arrange(box, crateRows, library.crates.map(({ name }) => name), makeRow, (row, index) => {
    const crate = library.crates[index];
    row.crate = crate.name;
    const album = library.albums.get(albumsIn(crate.name)[0]);
    if (row.top !== album) {
      if (row.top?.cover !== album?.cover || row.top?.id !== album?.id) {
        row.firstChild.replaceChildren(sleeve(album, 44));
      }
      row.top = album;
    }
    const [name, facts] = row.children[1].children, text = albumsText(crate);
    if (name.textContent !== short(crate.name)) name.textContent = short(crate.name);
    if (facts.textContent !== text) facts.textContent = text;
    row.setAttribute('aria-label', `${short(crate.name)}, ${text}`);
    row.setAttribute('aria-selected', crate.name === state.crate);
    row.classList.toggle('cursor', crate.name === cursor);
  });
  point(box, crateRows.get(cursor));
}

export function renameRow(old, name) {
  const row = crateRows.get(old);
  if (!row) return;
  crateRows.delete(old);
  crateRows.set(name, row);
  if (cursor === old) cursor = name;
}

export function paintHead() {
  const crate = library.crates.find(({ name }) => name === state.crate);
  $('title').textContent = short(state.crate ?? 'Crated');
  document.title = state.crate ? `${short(state.crate)} – Crated` : 'Crated';
  $('facts').replaceChildren(crate ? albumsText(crate) : '',
    h('span', { text: crate ? ` · ${duration(crate.seconds)}` : '' }));
  const number = arrivals().length, button = $('arrivals');
  button.hidden = number === 0;
  button.lastElementChild.textContent = number.toLocaleString('en');
  button.setAttribute('aria-label', `New arrivals, ${number}`);
  const isEmpty = library.isWhole && library.crates.length === 0;
  $('empty').hidden = !isEmpty;
  box.hidden = isEmpty;
  $('grid').hidden = isEmpty;
}

export const crateAt = (target) => target.closest?.('.crate')?.crate ?? null;

export const crateUnderCursor = () => cursor;

export function stepCrate(number) {
  const names = library.crates.map(({ name }) => name);
  const index = names.indexOf(cursor) + number;
  cursor = names[Math.max(0, Math.min(names.length - 1, index))] ?? null;
  paintCrates();
  crateRows.get(cursor)?.scrollIntoView({ block: 'nearest' });
}

export const moveCrate = (where) => ask('MoveCrate', { crate: cursor, place: { where } });

export function showSheet(isOpen) {
  side.classList.toggle('open', isOpen);
  $('pick-crate').setAttribute('aria-expanded', isOpen);
  if (isOpen) {
    hush();
    cursor = state.crate;
    paintCrates();
    crateRows.get(cursor)?.scrollIntoView({ block: 'nearest' });
    box.focus({ preventScroll: true });
  }
}
export const isSheetOpen = () => isSmall.matches && side.classList.contains('open');

$('pick-crate').addEventListener('click', () => showSheet(!isSheetOpen()));
addEventListener('pointerdown', (event) => {
  if (!isSheetOpen() || event.target.closest('#side, #pick-crate, dialog')) return;
  showSheet(false);
  event.stopPropagation();
}, { capture: true });
side.addEventListener('keydown', (event) => {
  if (event.key !== 'Escape' || !isSheetOpen()) return;
  event.stopPropagation();
  showSheet(false);
  $('pick-crate').focus();
});

box.addEventListener('click', (event) => {
  const crate = crateAt(event.target);
  if (crate === null) return;
  cursor = crate;
  showSheet(false);
  openCrate(crate);
});

export function crateBoxes() {
  const boxes = [...box.children].map((row) =>
    ({ row, crate: row.crate, rect: row.getBoundingClientRect() }));
  const add = $('new-crate');
  boxes.push({ row: add, crate: null, rect: add.getBoundingClientRect() });
  return { boxes, side: side.getBoundingClientRect() };
}
export { box as cratesBox };

const WIDE = matchMedia('(min-width: 1180px)');
const REST = 90;   // Milliseconds that the cursor rests before songs are read.

// The album: its cover, its songs, and the reason why they are one album.

const pane = $('album');
export const songs = new Choice();
let shown = null, known = new Map(), parts = null, timer = 0, asked = 0;
let wantsPane = memory.get('pane') !== 'closed';
let changedSelection = () => {};
export function onSongs(action) { changedSelection = action; }

export const isOpen = () => !pane.hidden;
export const songBox = () => parts?.list ?? null;
export const areSongsInUse = () => isOpen() && parts.list === document.activeElement;

export function followCursor(id) {
  if (id === null) return closeAlbum();
  if (isOpen() ? !isSmall.matches : WIDE.matches && wantsPane) show(id);
}

/** Opens the album; `isEntered`: with the focus on its songs. */
export function openAlbum(id, { isEntered = false, song = null } = {}) {
  if (!library.albums.has(id)) return;
  if (WIDE.matches) setWanted(true); else hush();
  show(id, song);
  if (isEntered) parts.list.focus({ preventScroll: true });
}

function setWanted(isWanted) {
  wantsPane = isWanted;
  memory.set('pane', isWanted ? null : 'closed');
}

export function closeAlbum() {
  if (!isOpen()) return;
  const hadFocus = pane.contains(document.activeElement);
  pane.hidden = true;
  shown = null;
  songs.follow([]);
  songs.none();
  changedSelection();
  if (hadFocus) $('grid').focus({ preventScroll: true });
}

function build() {
  const list = h('div', {
    id: 'songs', role: 'listbox', tabindex: '0', 'aria-multiselectable': 'true',
  });
  parts = {
    list, cover: h('div', { class: 'sleeve', 'aria-hidden': 'true' }, h('i')),
    title: h('h2'), by: h('p', { class: 'by' }), facts: h('p', { class: 'facts' }),
    why: h('p', { class: 'why' }), playing: h('button', { class: 'play' }, icon('play'), 'Play'),
  };
  parts.playing.addEventListener('click', () => play({ albums: [shown] }));
  pane.replaceChildren(
    h('button', {
      class: 'icon close', 'aria-label': 'Close',
      onclick: () => {
        if (WIDE.matches) setWanted(false);
        closeAlbum();
      },
    }, icon('close')),
    parts.cover, parts.title, parts.by, h('div', { class: 'row' }, parts.playing, parts.facts),
    list, parts.why);
}

function show(id, song = null) {
  const album = library.albums.get(id);
  if (!album) return closeAlbum();
  if (!parts) build();
  pane.hidden = false;
  if (shown !== id) {
    shown = id;
    songs.follow([]);
    songs.none();
    known = new Map();
    pane.scrollTop = 0;
    paintSongs();
    clearTimeout(timer);
    timer = setTimeout(() => readSongs(song), song ? 0 : REST);
  } else if (song) readSongs(song);
  paintAlbum();
}

export function paintAlbum() {
  if (shown === null) return;
  const album = library.albums.get(shown);
  if (!album) return closeAlbum();
  if (parts.album === album) return;
  const title = short(album.title);
  parts.album = album;
  pane.setAttribute('aria-label', `Album ${title}`);
  parts.list.setAttribute('aria-label', `Songs of ${title}`);
  parts.playing.setAttribute('aria-label', `Play ${title}`);
  parts.title.replaceChildren(h('bdi', { text: title }));
  const year = album.year ? ` · ${album.year}` : '';
  parts.by.replaceChildren(h('bdi', { text: short(album.artist) }), year);
  parts.facts.textContent = `${count(album.songs, 'song')} · ${duration(album.seconds)}`;
  parts.why.textContent = album.because ? short(album.because) : '';
  parts.cover.classList.toggle('away', album.presence !== 'present');
  dressSleeve(parts.cover, album);
  if (parts.cover.picture !== album.cover) showCover(parts.cover, null);
  parts.cover.picture = album.cover;
  showCover(parts.cover, coverAddress(album, coverSide(300)));
}

export async function readSongs(song = null) {
  clearTimeout(timer);
  const album = shown, mine = ++asked;
  if (album === null) return;
  let reply;
  try { reply = await call('ListSongs', { album }); } catch (error) {
    if (!(error instanceof Refused)) throw error;
    return;
  }
  if (mine !== asked || album !== shown) return;
  known = new Map(reply.songs.map((one) => [one.id, one]));
  follow(reply.songs.map(({ id }) => id));
  if (song !== null && known.has(song)) goToSong(song);
}

function follow(ids) {
  songs.follow(ids);
  paintSongs();
}

const rows = new Map();
const makeSong = () => h('div', { role: 'option' }, h('span', { class: 'n' }),
  h('span', { class: 'words' }, h('bdi'), h('small')), h('span', { class: 'l' }));

export function paintSongs() {
  if (!parts) return;
  arrange(parts.list, rows, songs.ids, makeSong, (row, index, id) => {
    const song = known.get(id), [number, words, length] = row.children;
    const isForeign = song.artist !== library.albums.get(shown)?.artist;
    row.song = id;
    row.id = `s-${id}`;
    row.className = 'song' + (id === songs.cursor ? ' cursor' : '')
      + (state.held.isSongs && state.held.ids.includes(id) ? ' held' : '')
      + (song.presence === 'present' ? '' : ' away');
    number.textContent = index + 1;
    words.firstChild.textContent = short(song.title);
    words.lastChild.textContent = isForeign ? short(song.artist) : '';
    length.textContent = song.seconds ? duration(song.seconds) : '';
    row.setAttribute('aria-label', short(song.title));
    row.setAttribute('aria-posinset', index + 1);
    row.setAttribute('aria-setsize', songs.ids.length);
    row.setAttribute('aria-selected', songs.selected.has(id));
  });
  point(parts.list, rows.get(songs.cursor));
  changedSelection();
}

export function goToSong(id) {
  songs.go(id);
  paintSongs();
  rows.get(id)?.scrollIntoView({ block: 'nearest' });
}

export const songAt = (target) => target.closest?.('.song')?.song ?? null;
export const titleOf = (id) => known.get(id)?.title ?? '';
export const shownAlbum = () => shown;

export const keepSongs = () => say('Songs stay in their album.');

export async function moveSongs(ids, place) {
  if (ids.length === 0 || songs.ids.length === 0) return;
  if (ids.some((id) => songs.index(id) < 0)) return keepSongs();
  const before = songs.ids, next = moving(new Set(ids), place, before);
  if (isSameList(before, next)) return sayUnmoved();
  if (library.isAway) return complain(new Refused('Away'));
  asked++;
  follow(next);
  rows.get(songs.cursor)?.scrollIntoView({ block: 'nearest' });
  await ask('MoveSongs', { songs: ids, place });
  await readSongs();
}

/** The gap between two rows of a list at a point. */
export function gapAmong(list, x, y) {
  const box = list.getBoundingClientRect(), all = [...list.children];
  if (x < box.left || x > box.right || all.length === 0) return null;
  let gap = all.length, isBehind = true;
  for (const [index, row] of all.entries()) {
    const rect = row.getBoundingClientRect();
    if (y < rect.top + rect.height / 2) { gap = index; isBehind = false; break; }
    if (y < rect.bottom) { gap = index + 1; break; }
  }
  const edge = gap < all.length ? all[gap].getBoundingClientRect().top
    : all.at(-1).getBoundingClientRect().bottom;
  return { gap, isBehind, line: { x: box.left, y: edge, length: box.width, isFlat: true } };
}
