// The crates at the side, and the head of the open one.

import { count, duration, short } from './model.js';
import { $, h, isSmall, sleeve } from './dom.js';
import { albumsIn, arrivals, library } from './library.js';
import { state } from './state.js';
import { ask } from './commands.js';

const box = $('crates'), side = $('side');
const rows = new Map();
let cursor = null, made = 0;
let openCrate = () => {};
export function onOpen(action) { openCrate = action; }

const albumsText = (crate) => count(crate.albums, 'album', 'albums');

function makeRow() {
  return h('div', { class: 'crate', role: 'option', id: `c-${made++}` },
    h('span', { class: 'pile', 'aria-hidden': 'true' }),
    h('span', { class: 'words' }, h('b'), h('small')));
}

export function paintCrates() {
  if (!library.crates.some(({ name }) => name === cursor)) cursor = state.crate;
  const before = new Set(rows.keys());
  let last = null;
  for (const crate of library.crates) {
    before.delete(crate.name);
    let row = rows.get(crate.name);
    if (!row) rows.set(crate.name, row = makeRow());
    row.crate = crate.name;
    const album = library.albums.get(albumsIn(crate.name)[0]);
    if (row.top !== album) {
      if (row.top === undefined || row.top?.cover !== album?.cover || row.top?.id !== album?.id) {
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
    const place = last ? last.nextSibling : box.firstChild;
    if (place !== row) box.insertBefore(row, place);
    last = row;
  }
  for (const name of before) {
    rows.get(name).remove();
    rows.delete(name);
  }
  const active = rows.get(cursor);
  if (active) box.setAttribute('aria-activedescendant', active.id);
  else box.removeAttribute('aria-activedescendant');
}

export function renameRow(old, name) {
  const row = rows.get(old);
  if (!row) return;
  rows.delete(old);
  rows.set(name, row);
  if (cursor === old) cursor = name;
}

export function paintHead() {
  const crate = library.crates.find(({ name }) => name === state.crate);
  $('title').textContent = short(state.crate ?? 'Crated');
  document.title = state.crate ? `${short(state.crate)} – Crated` : 'Crated';
  $('facts').textContent = crate ? `${albumsText(crate)} · ${duration(crate.seconds)}` : '';
  const number = arrivals().length, button = $('arrivals');
  button.hidden = number === 0;
  button.lastElementChild.textContent = number.toLocaleString('en');
  button.setAttribute('aria-label', `New arrivals, ${number}`);
  const isEmpty = library.isWhole && library.crates.length === 0;
  $('empty').hidden = !isEmpty;
  if (isEmpty) $('empty').textContent = 'There are no albums yet. They appear here as Crated finds them in your music folders.';
  box.hidden = isEmpty;
  $('grid').hidden = isEmpty;
}

/** The crate of a row, for what happens in it. */
export const crateAt = (target) => target.closest?.('.crate')?.crate ?? null;

export const crateUnderCursor = () => cursor;

export function stepCrate(number) {
  const names = library.crates.map(({ name }) => name);
  const index = names.indexOf(cursor) + number;
  cursor = names[Math.max(0, Math.min(names.length - 1, index))] ?? null;
  paintCrates();
  rows.get(cursor)?.scrollIntoView({ block: 'nearest' });
}

export const moveCrate = (where) => ask('MoveCrate', { crate: cursor, place: { where } });

export function showSheet(isOpen) {
  side.classList.toggle('open', isOpen);
  $('pick-crate').setAttribute('aria-expanded', isOpen);
  if (isOpen) {
    cursor = state.crate;
    paintCrates();
    rows.get(cursor)?.scrollIntoView({ block: 'nearest' });
    box.focus({ preventScroll: true });
  }
}
export const isSheetOpen = () => isSmall.matches && side.classList.contains('open');

$('pick-crate').addEventListener('click', () => showSheet(!isSheetOpen()));
addEventListener('pointerdown', (event) => {
  if (isSheetOpen() && !event.target.closest('#side, #pick-crate, dialog')) showSheet(false);
});
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

/** Where the crates are on the screen, for a drag. */
export function crateBoxes() {
  const boxes = [...box.children].map((row) => ({ row, crate: row.crate, rect: row.getBoundingClientRect() }));
  const add = $('new-crate');
  boxes.push({ row: add, crate: null, rect: add.getBoundingClientRect() });
  return { boxes, side: side.getBoundingClientRect() };
}
export { box as cratesBox };
