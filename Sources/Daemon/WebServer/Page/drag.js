// Dragging by mouse and by finger. Pointer events are handled once per frame.

import { count, placeOfGap, short } from './model.js';
import { library } from './link.js';
import { ask, here, hush, moveAlbums, moveToCrate, say, state } from './commands.js';
import { $, albumAt, gapUnder, h, isSmall, lifted, paint, sleeve } from './view.js';
import {
  crateAt, crateBoxes, cratesBox, gapAmong, goToSong, keepSongs, moveSongs, songAt, songBox, songs,
  titleOf,
} from './side.js';

const FAR = 5, FAR_BY_FINGER = 9;   // Pixels.
const HOLD = 300, SPRING = 900;     // Milliseconds.
const EDGE = 72;                    // Pixels, in which the list is pulled along.
const REST = 160;                   // Milliseconds in them before it is.
const FASTEST = 3;                  // Pixels a millisecond.

const grid = $('grid'), hand = $('hand'), line = $('line');
let actions;
export function startDragging(given) { actions = given; }

let down = null;    // The pointer that went down, and where.
let drag = null;    // What is in the hand.

export const isDragging = () => drag !== null;

function press(event, id, { isSong = false, isCrate = false } = {}) {
  if (event.button !== 0 || down || drag || !event.isPrimary) return;
  down = {
    id, isSong, isCrate, x: event.clientX, y: event.clientY, pointer: event.pointerId, event,
    isFinger: event.pointerType !== 'mouse', surface: event.currentTarget,
    card: event.target.closest('.card, .song'),
  };
  if (!down.isFinger) return;
  down.timer = setTimeout(() => {
    if (!down) return;
    down.isHeld = true;
    if (navigator.userActivation?.hasBeenActive) navigator.vibrate?.(10);
    lift(down.x, down.y);
  }, HOLD);
}

grid.addEventListener('pointerdown', (event) => {
  const id = albumAt(event.target);
  if (id !== null) press(event, id);
});
$('album').addEventListener('pointerdown', (event) => {
  const id = songAt(event.target);
  if (id !== null) press(event, id, { isSong: true });
});
cratesBox.addEventListener('pointerdown', (event) => {
  const id = crateAt(event.target);
  if (id !== null) press(event, id, { isCrate: true });
});

addEventListener('pointermove', (event) => {
  if (!down || event.pointerId !== down.pointer) return;
  const way = Math.hypot(event.clientX - down.x, event.clientY - down.y);
  if (!drag) {
    if (down.isFinger) {
      if (way > FAR_BY_FINGER) forget();   // It scrolls.
      return;
    }
    if (way <= FAR) return;
    lift(event.clientX, event.clientY);
  }
  if (!drag) return;
  if (way > FAR_BY_FINGER) drag.isMoved = true;
  drag.x = event.clientX;
  drag.y = event.clientY;
  wake();
});
// During a drag, the finger doesn't scroll.
for (const surface of [grid, $('album'), cratesBox]) {
  surface.addEventListener('touchmove', (event) => {
    if (drag && event.cancelable) event.preventDefault();
  }, { passive: false });
}
addEventListener('contextmenu', (event) => {
  if (drag || down?.isFinger) event.preventDefault();
});
addEventListener('dragstart', (event) => event.preventDefault());

addEventListener('pointerup', (event) => {
  if (!down || event.pointerId !== down.pointer) return;
  const was = down;
  forget();
  if (!drag) return was.isCrate || actions.tap(was.event, was);
  drag.x = event.clientX;
  drag.y = event.clientY;
  if (was.isHeld && !drag.isMoved) {
    letGo();
    hush();
    return was.isCrate || actions.tap(was.event, was);
  }
  aim();
  drop();
});
addEventListener('pointercancel', (event) => {
  if (down && event.pointerId === down.pointer) cancel();
});

function forget() {
  if (down) clearTimeout(down.timer);
  down = null;
}

export function cancel() {
  forget();
  if (!drag) return;
  const was = drag;
  letGo();
  goBack(was);
  say('Nothing was moved.');
}

function goBack({ home, top }) {
  if (home !== state.crate) actions.open(home); else grid.scrollTop = top;
}

function lift(x, y) {
  const { id, isSong, isCrate, isFinger } = down, list = isSong ? songs : here();
  if (!isCrate && list.index(id) < 0) return forget();
  const ids = isCrate ? [id] : list.with(id);
  // What moves within a list of rows.
  const rows = isSong ? songBox() : isCrate ? cratesBox : null;
  drag = {
    id, ids, set: new Set(ids), isSong, isCrate, rows, isFinger, x, y, home: state.crate,
    over: null, gap: null, isMoved: false, box: grid.getBoundingClientRect(), top: grid.scrollTop,
  };
  try { down.surface.setPointerCapture(down.pointer); } catch { /* It is gone already. */ }
  if (isSong) goToSong(id); else if (!isCrate) {
    list.cursor = id;
    lifted.ids = drag.set;
    lifted.card = down.card;
  }
  const faces = [id, ...ids.filter((one) => one !== id)].slice(0, 3);
  const one = isCrate ? id : isSong ? titleOf(id) : library.albums.get(id)?.title;
  hand.replaceChildren(...rows ? [h('div', { class: 'slip' }, h('bdi', { text: short(one) }))]
    : faces.map((one) => sleeve(library.albums.get(one), 104)));
  if (ids.length > 1) hand.append(h('b', { text: ids.length }));
  hand.className = '';
  hand.hidden = false;
  document.body.classList.add('dragging');
  $('new-crate').hidden = rows !== null;
  if (!rows) document.body.classList.add('of-albums');
  measure();
  // The boxes change while the tray of crates slides in.
  setTimeout(() => { if (drag) measure(); }, 240);
  say(`${ids.length > 1 ? count(ids.length, isSong ? 'song' : 'album') : one} picked up`);
  paint();
  wake();
}

function measure() {
  Object.assign(drag, crateBoxes());
  drag.box = grid.getBoundingClientRect();
  const isTray = isSmall.matches && !drag.rows;
  drag.floor = isTray ? Math.min(drag.box.bottom, drag.side.top) : drag.box.bottom;
}
cratesBox.addEventListener('scroll', () => { if (drag) measure(); }, { passive: true });
addEventListener('resize', () => { if (drag) measure(); });

let frame = 0;
function wake() { frame ||= requestAnimationFrame(look); }

function look() {
  frame = 0;
  if (!drag) return;
  const isPulled = pull();
  aim();
  if (isPulled) wake();
}

const isIn = (rect, x, y) => x >= rect.left && x <= rect.right && y >= rect.top && y <= rect.bottom;

function aim() {
  const { x, y } = drag;
  // The offset keeps the insertion line and the crate's name visible.
  const [dx, dy] = drag.isFinger ? [-52, drag.rows ? -64 : -128] : [16, 14];
  hand.style.transform = `translate(${x + dx}px,${y + dy}px)`;
  let over = null;
  if (!drag.rows && isIn(drag.side, x, y)) {
    over = drag.boxes.find(({ rect }) => isIn(rect, x, y)) ?? null;
  }
  if (over?.row !== drag.over?.row) hover(over);
  drag.gap = null;
  if (drag.rows) drag.gap = gapAmong(drag.rows, x, y);
  else if (!over && !isIn(drag.side, x, y) && isIn(drag.box, x, y) && y < drag.floor) {
    drag.gap = gapUnder(x, y, drag.box);
  }
  line.hidden = drag.gap === null;
  if (drag.gap === null) return;
  const { x: left, y: top, length, isFlat } = drag.gap.line;
  line.className = isFlat ? 'flat' : '';
  line.style.transform = `translate(${left}px,${top}px)`;
  line.style[isFlat ? 'width' : 'height'] = `${length}px`;
  line.style[isFlat ? 'height' : 'width'] = '';
}

function hover(over) {
  drag.over?.row.classList.remove('over');
  clearTimeout(drag.spring);
  drag.over = over;
  hand.classList.toggle('small', over !== null);
  if (!over) return;
  over.row.classList.add('over');
  const { crate } = over;
  say(crate === null ? 'To a new crate' : `On top of ${crate}`);
  if (crate === null || crate === state.crate) return;
  drag.spring = setTimeout(async () => {
    await actions.open(crate);
    if (drag) measure();
  }, SPRING);
}

function pull() {
  const { x, y, box, side, floor } = drag;
  if (drag.rows) {
    const pane = drag.isSong ? $('album') : cratesBox;
    const { top, bottom } = pane.getBoundingClientRect();
    return pullBy(pane, 'scrollTop', y, top, bottom);
  }
  if (isIn(side, x, y)) {
    if (isSmall.matches) return pullBy(cratesBox, 'scrollLeft', x, side.left, side.right);
    const { top, bottom } = cratesBox.getBoundingClientRect();
    return pullBy(cratesBox, 'scrollTop', y, top, bottom);
  }
  return x >= box.left && x <= box.right && pullBy(grid, 'scrollTop', y, box.top, floor);
}

/** Scrolls near an edge, after a delay: the pointer may only be on its way to the crates. */
function pullBy(element, scroll, at, start, end) {
  const edge = Math.min(EDGE, (end - start) / 4), now = performance.now();
  const depth = at < start + edge ? at - start - edge : at > end - edge ? at - end + edge : 0;
  if (depth === 0) {
    drag.pulled = null;
    return false;
  }
  drag.pulled ??= { since: now, last: now };
  const passed = Math.min(50, now - drag.pulled.last), before = element[scroll];
  drag.pulled.last = now;
  if (now - drag.pulled.since < REST) return true;
  const speed = Math.min(1, Math.abs(depth) / edge) ** 2 * FASTEST;
  element[scroll] += Math.sign(depth) * Math.max(1, Math.round(speed * passed));
  return element[scroll] !== before;
}

function letGo() {
  clearTimeout(drag.spring);
  drag.over?.row.classList.remove('over');
  drag = null;
  document.body.classList.remove('dragging', 'of-albums');
  hand.hidden = line.hidden = $('new-crate').hidden = true;
  const { card } = lifted;
  lifted.ids = new Set();
  lifted.card = null;
  if (card && !card.album) card.remove();
  paint();
}

function drop() {
  const was = drag, { id, ids, set, over, gap, isSong, isCrate } = was;
  letGo();
  if (isSong) {
    if (!gap) return keepSongs();
    return moveSongs(ids, placeOfGap(songs.ids, gap.gap, set, gap.isBehind));
  }
  if (isCrate) {
    if (!gap) return say('Nothing was moved.');
    const names = library.crates.map(({ name }) => name);
    return ask('MoveCrate', { crate: id, place: placeOfGap(names, gap.gap, set, gap.isBehind) });
  }
  // Returns to the first crate unless the drop was among the covers of one that sprang open.
  if (!gap) goBack(was);
  if (over) return over.crate === null ? actions.pick(ids) : moveToCrate(ids, over.crate);
  if (!gap) return say('Nothing was moved.');
  return moveAlbums(ids, state.crate, placeOfGap(here().ids, gap.gap, set, gap.isBehind));
}
