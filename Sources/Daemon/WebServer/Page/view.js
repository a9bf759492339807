// The view: elements, covers, dialogs, and the grid. Text is never set as markup.

import { albumName, gapAt, hue, shapeFor, short, spot } from './model.js';
import { coverAddress, isNew, library, totalIn } from './link.js';
import { here, state } from './commands.js';

/** Hoisted, since commands.js and this module need each other. */
export function $(id) { return document.getElementById(id); }

export const isSmall = matchMedia('(max-width: 720px)');
export const isCalm = matchMedia('(prefers-reduced-motion: reduce)');

export function h(tag, properties = {}, ...children) {
  const element = document.createElement(tag);
  for (const [name, value] of Object.entries(properties)) {
    if (value === undefined || value === null || value === false) continue;
    if (name.startsWith('on')) element.addEventListener(name.slice(2), value);
    else if (name === 'text') element.textContent = value;
    else if (name === 'class') element.className = value;
    else element.setAttribute(name, value === true ? '' : value);
  }
  element.append(...children.filter((child) => child !== null && child !== undefined));
  return element;
}

const PATHS = {
  close: 'M6 6l12 12M18 6 6 18',
  play: 'M8 5.5v13l10.5-6.5z',
};

export function icon(name) {
  const space = 'http://www.w3.org/2000/svg';
  const [svg, path] = ['svg', 'path'].map((tag) => document.createElementNS(space, tag));
  svg.setAttribute('viewBox', '0 0 24 24');
  svg.setAttribute('aria-hidden', 'true');
  path.setAttribute('d', PATHS[name]);
  svg.append(path);
  return svg;
}

export const coverSide = (pixels) =>
  [96, 256, 512].find((side) => side * 1.06 >= pixels * devicePixelRatio) ?? 512;

export function sleeve(album, pixels) {
  const element = h('div', { class: 'sleeve', 'aria-hidden': 'true' }, h('i'));
  dressSleeve(element, album);
  showCover(element, coverAddress(album, coverSide(pixels)));
  return element;
}

export function dressSleeve(element, album) {
  element.style.setProperty('--hue', hue(album?.artist || album?.title || ''));
  element.firstChild.textContent = [...(album?.title.trim() || '♪')][0].toUpperCase();
}

/** Shows the picture at an address; null cancels one that may still be loading. */
export function showCover(element, address) {
  let image = element.children[1];
  if (!address) {
    if (image) {
      image.removeAttribute('src');
      image.hidden = true;
    }
    return;
  }
  if (!image) {
    image = h('img', { alt: '', draggable: 'false', decoding: 'async' });
    image.addEventListener('error', () => showCover(element, null));
    element.append(image);
  }
  if (image.getAttribute('src') === address) return;
  image.hidden = false;
  image.src = address;
}

const stack = [];

/** Opens a dialog. Messages are shown in the top one, since the rest of the page is inert. */
export function dialog(name, kind, ...children) {
  const toast = $('toast');
  toast.className = '';
  const element = h('dialog', { class: kind, 'aria-label': name },
    h('header', {}, h('h2', { text: name }),
      h('button', { class: 'icon', 'aria-label': 'Close', onclick: () => element.close() },
        icon('close'))),
    ...children);
  element.addEventListener('close', () => {
    stack.splice(stack.indexOf(element), 1);
    (stack.at(-1) ?? $('toast-home')).append(toast);
    element.remove();
    if (document.activeElement === document.body) $('grid').focus({ preventScroll: true });
  });
  element.addEventListener('pointerdown', (event) => {
    const { left, right, top, bottom } = element.getBoundingClientRect();
    const { clientX: x, clientY: y, target } = event;
    if (target === element && (x < left || x > right || y < top || y > bottom)) element.close();
  });
  document.body.append(element);
  element.append(toast);
  stack.push(element);
  element.showModal();
  return element;
}

export const isDialogOpen = () => stack.length > 0;

/** Updates the children of a list to the given keys in order, and reuses existing ones. */
export function arrange(box, rows, keys, make, paintRow) {
  for (const [key, row] of rows) {
    if (keys.includes(key)) continue;
    row.remove();
    rows.delete(key);
  }
  keys.forEach((key, index) => {
    const row = rows.get(key) ?? make();
    rows.set(key, row);
    paintRow(row, index, key);
    if (box.children[index] !== row) box.insertBefore(row, box.children[index] ?? null);
  });
}

export function point(list, option) {
  if (option) list.setAttribute('aria-activedescendant', option.id);
  else list.removeAttribute('aria-activedescendant');
}

// The grid: positions are computed, and only albums on screen have a card.

const SPARE = 40;            // Cards that are kept for use again.
const GLIDE = 220;           // Milliseconds.
const FAST = 2.5;            // Pixels a millisecond, at which covers aren't asked for.
const FOOT = 110;            // Pixels below the last row, for the toolbar.

const grid = $('grid'), floor = $('floor');
const cards = new Map();
const spare = [];
let shape = shapeFor(0, false), height = 0, lead = 0;
let painted = [];

/** The dragged albums, and the card on which the pointer went down. */
export const lifted = { ids: new Set(), card: null };

export const columns = () => shape.cols;
export const rowsOnScreen = () => Math.max(1, Math.floor(height / shape.row));

let frame = 0;
export function paint() {
  frame ||= requestAnimationFrame(() => paintNow());
}

function makeCard() {
  const card = h('div', { role: 'option' },
    h('div', { class: 'sleeve', 'aria-hidden': 'true' }, h('i')),
    h('span', { class: 'tick', 'aria-hidden': 'true' }),
    h('div', { class: 't' }),
    h('div', { class: 's' }, h('span', { class: 'n' }), h('bdi')));
  return card;
}

function dress(card, album) {
  if (card.album === album) return;
  if (card.album?.id !== album.id) card.id = `a-${album.id}`;
  card.album = album;
  dressSleeve(card.firstChild, album);
  if (card.cover !== album.cover) {
    showCover(card.firstChild, null);
    card.cover = album.cover;
    card.hasPicture = false;
  }
  card.setAttribute('aria-label', albumName(album));
  card.children[2].textContent = short(album.title);
  card.children[3].lastChild.textContent = short(album.artist);
}

/** Sets a property of a card. Returns whether it changed, so that the DOM has to be updated. */
function differs(card, name, value) {
  if (card[name] === value) return false;
  card[name] = value;
  return true;
}

function put(id, index, choice, total) {
  const album = library.albums.get(id);
  if (!album) return;
  let card = cards.get(id);
  if (!card) {
    card = spare.pop() ?? makeCard();
    if (!card.isConnected) floor.append(card);
    card.hidden = false;
    cards.set(id, card);
  }
  dress(card, album);
  const [x, y] = spot(shape, index + lead);
  if (differs(card, 'x', x) | differs(card, 'y', y)) {
    card.style.transform = `translate(${x}px,${y}px)`;
  }
  if (differs(card, 'side', shape.side)) {
    card.style.width = `${shape.side}px`;
    card.style.height = `${shape.row - 8}px`;
  }
  if (differs(card, 'index', index)) {
    card.setAttribute('aria-posinset', index + 1);
    card.children[3].firstChild.textContent = index + 1;
  }
  if (differs(card, 'total', total)) card.setAttribute('aria-setsize', total);
  const isSelected = choice.selected.has(id);
  if (differs(card, 'isSelected', isSelected)) card.setAttribute('aria-selected', isSelected);
  const style = 'card' + (id === choice.cursor ? ' cursor' : '')
    + (lifted.ids.has(id) ? ' taken' : '') + (album.presence === 'present' ? '' : ' away')
    + (!state.held.isSongs && state.held.ids.includes(id) ? ' held' : '')
    + (isNew(album) ? ' new' : '');
  card.ariaDescription = isNew(album) ? 'New' : null;
  if (differs(card, 'look', style)) card.className = style;
}

function takeDown(id, card) {
  cards.delete(id);
  showCover(card.firstChild, null);
  card.hasPicture = false;
  card.album = null;
  card.hidden = true;
  card.removeAttribute('id');
  // Removing the card under the finger would end the touch.
  if (card === lifted.card) return;
  if (spare.length < SPARE) spare.push(card); else card.remove();
}

function fit(total) {
  const rows = Math.ceil((total + lead) / shape.cols);
  floor.style.height = `${shape.top + rows * shape.row + FOOT}px`;
}

export function paintNow() {
  cancelAnimationFrame(frame);
  frame = 0;
  const choice = here(), { ids } = choice, total = totalIn(state.crate);
  const top = grid.scrollTop, { cols } = shape;
  fit(total);
  const first = Math.max(0, (Math.floor((top - shape.top) / shape.row)) * cols - lead);
  const end = Math.min(ids.length, Math.ceil((top + height) / shape.row) * cols - lead);
  const cursor = choice.cursor === null ? -1 : choice.index(choice.cursor);
  const isOn = (index) => index >= first && index < end || index === cursor;
  for (const [id, card] of cards) if (!isOn(choice.index(id))) takeDown(id, card);
  for (let index = first; index < end; index++) put(ids[index], index, choice, total);
  if (cursor >= 0) {
    if (cursor < first || cursor >= end) put(choice.cursor, cursor, choice, total);
  }
  const active = cards.get(choice.cursor);
  if (active?.id !== grid.getAttribute('aria-activedescendant')) point(grid, active);
  painted = ids;
  hang(top);
}

/** Requests the covers again that failed to load. */
export function hangAgain() {
  for (const card of cards.values()) card.hasPicture = false;
  paint();
}

let lastTop = 0, lastTime = 0, later = 0;
function hang(top) {
  const now = performance.now(), speed = Math.abs(top - lastTop) / Math.max(1, now - lastTime);
  lastTop = top;
  lastTime = now;
  if (later) return;
  if (speed > FAST) {
    later = setTimeout(() => { later = 0; hang(grid.scrollTop); }, 90);
    return;
  }
  const side = coverSide(shape.side);
  for (const card of cards.values()) {
    if (card.hasPicture || card.y < top - shape.row || card.y > top + height + shape.row) continue;
    card.hasPicture = true;
    showCover(card.firstChild, coverAddress(card.album, side));
  }
}

grid.addEventListener('scroll', () => {
  if (lead && grid.scrollTop < 2) straighten();
  paint();
}, { passive: true });

/** Completes the first row again at the top. */
function straighten() {
  const before = places();
  lead = 0;
  paintNow();
  glide(before);
}

new ResizeObserver(([{ contentRect }]) => {
  const id = here().ids[firstShown()], wasTop = grid.scrollTop < shape.row / 2;
  shape = shapeFor(contentRect.width, isSmall.matches);
  height = contentRect.height;
  lead = 0;
  if (id && !wasTop) grid.scrollTop = spot(shape, here().index(id))[1] - shape.top;
  paintNow();
}).observe(grid);

const firstShown = () =>
  Math.max(0, Math.ceil((grid.scrollTop - shape.top - 4) / shape.row) * shape.cols - lead);

function places() {
  const top = grid.scrollTop, found = new Map();
  for (const [id, card] of cards) found.set(id, [card.x, card.y - top]);
  return found;
}

function glide(before, moved = new Set()) {
  if (isCalm.matches) return;
  const top = grid.scrollTop;
  for (const [id, card] of cards) {
    const from = before.get(id);
    if (!from || Math.abs(card.y - top) > 3 * height) continue;
    const x = from[0], y = Math.max(top - shape.row, Math.min(top + height, from[1] + top));
    if (Math.abs(x - card.x) < 1 && Math.abs(y - card.y) < 1) continue;
    const isMoved = moved.has(id);
    card.style.zIndex = isMoved ? 2 : '';
    const to = `translate(${card.x}px,${card.y}px)`;
    card.animate([{ transform: `translate(${x}px,${y}px)` }, { transform: to }],
      { duration: GLIDE, easing: 'cubic-bezier(.2,.8,.2,1)' })
      .onfinish = () => { card.style.zIndex = ''; };
  }
}

/** Shows the current list. The first album on screen that was not moved keeps its place. */
export function follow({ moved = new Set(), isOwn = false } = {}) {
  const old = painted, { ids } = here();
  if (old === ids) return paint();
  const before = places(), top = grid.scrollTop;
  for (const id of moved) {
    const index = before.has(id) ? -1 : old.indexOf(id);
    if (index >= 0) {
      const [x, y] = spot(shape, index + lead);
      before.set(id, [x, y - top]);
    }
  }
  const from = firstShown();
  const anchor = top < shape.row / 2 ? -1
    : old.findIndex((id, index) => index >= from && !moved.has(id) && here().index(id) >= 0);
  if (anchor >= 0) {
    const cell = anchor + lead, now = here().index(old[anchor]);
    lead = ((cell - now) % shape.cols + shape.cols) % shape.cols;
    const rows = (now + lead - cell) / shape.cols;
    if (rows) {
      fit(ids.length);
      grid.scrollTop = top + rows * shape.row;
    }
  } else if (top < shape.row / 2) lead = 0;
  paintNow();
  if (isOwn && moved.has(here().cursor)) reveal(here().cursor);
  glide(before, moved);
}

const left = new Map();
export function leaveCrate() {
  if (state.crate) left.set(state.crate, { top: grid.scrollTop, lead });
}
export function enterCrate() {
  const was = left.get(state.crate) ?? { top: 0, lead: 0 };
  lead = was.lead;
  grid.setAttribute('aria-label', `Albums in ${state.crate ?? ''}`);
  for (const [id, card] of cards) takeDown(id, card);
  painted = [];
  fit(totalIn(state.crate));
  // The grid was hidden until now. The covers need its shape before the first frame.
  if (height === 0) {
    shape = shapeFor(grid.clientWidth, isSmall.matches);
    height = grid.clientHeight;
  }
  grid.scrollTop = was.top;
  paintNow();
}

export function reveal(id) {
  const index = here().index(id);
  if (index < 0) return;
  const y = spot(shape, index + lead)[1];
  if (y < grid.scrollTop + 4) grid.scrollTop = y - shape.top;
  else {
    // The focused card must not be behind the toolbar.
    const end = y + shape.row + ($('bar').hidden ? 8 : 96) - height;
    if (end > grid.scrollTop) grid.scrollTop = end;
  }
  paintNow();
}

export const albumAt = (target) => target.closest?.('.card')?.album?.id ?? null;

export function gapUnder(x, y, box) {
  const at = gapAt(shape, x - box.left, y - box.top + grid.scrollTop, here().ids.length, lead);
  const [left] = spot(shape, at.col), top = shape.top + at.row * shape.row;
  return {
    ...at,
    line: {
      x: box.left + left - shape.gap / 2, y: box.top + top - grid.scrollTop, length: shape.side,
    },
  };
}
