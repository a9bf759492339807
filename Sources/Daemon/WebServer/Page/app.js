// The page: what is where, and what is done with keys, clicks and taps.

import { count } from './model.js';
import { $, h, isDialogOpen, isSmall } from './dom.js';
import * as data from './link.js';
import * as commands from './commands.js';
import { choiceOf, here, renameChoice, setCrate, state } from './commands.js';
import * as grid from './view.js';
import * as side from './side.js';
import { actionOf } from './keys.js';
import { onFound, pickCrate, renameCrate, showKeys, sortMenu, startFinding, triage } from './dialogs.js';
import { cancel, isDragging, startDragging } from './drag.js';
import { codeOfLink, comeIn, openDoor, showDevices } from './door.js';

const { library } = data;
const box = $('grid');
const isInCrates = () => document.activeElement === side.cratesBox;
const isInSongs = () => side.areSongsInUse();
/** The list that a key or the toolbar is for. */
const list = () => isInSongs() ? side.songs : here();

function repaint() {
  if (isInSongs()) side.paintSongs(); else grid.paint();
  paintBar();
}

async function open(crate, at = null) {
  if (crate !== state.crate) {
    grid.leaveCrate();
    if (!data.isRead(crate)) {
      try { await data.readCrate(crate); } catch (error) { return commands.complain(error); }
    }
    setCrate(crate);
    if (at) here().go(at);
    grid.enterCrate();
    side.paintCrates();
    side.paintHead();
    if (!isDragging()) side.followCursor(here().cursor);
    paintBar();
  } else if (at) here().go(at);
  if (at) {
    grid.reveal(at);
    side.followCursor(at);
  }
}

async function openAndFocus(crate, at) {
  await open(crate, at);
  box.focus({ preventScroll: true });
}

function goTo(id, { isShown = true } = {}) {
  if (id === null) return;
  here().go(id);
  if (isShown) grid.reveal(id);
  grid.paint();
  side.followCursor(id);
}

/** The album so many columns and rows further; the grid's edges stop it. */
function beyond(dx, dy) {
  const choice = list(), cols = isInSongs() ? 1 : grid.columns();
  const index = choice.index(choice.cursor), last = choice.ids.length - 1;
  if (dy < 0 && index + dy * cols < 0 && Math.abs(dy) === 1) return choice.cursor;
  if (dy > 0 && dy === 1 && Math.floor(index / cols) === Math.floor(last / cols)) return choice.cursor;
  return choice.beyond(dx + dy * cols);
}

const move = (where, ids = list().meant) => {
  if (isInCrates()) return side.moveCrate(where);
  if (isInSongs()) return side.moveSongs(ids, { where });
  return commands.moveAlbums(ids, state.crate, { where });
};

const actions = {
  step(dx, dy) {
    if (isInCrates()) {
      if (dx > 0) actions.enter(); else if (dy) side.stepCrate(dy);
    } else if (isInSongs()) {
      if (dx < 0) box.focus({ preventScroll: true });
      else if (dy) side.goToSong(beyond(0, dy));
    } else goTo(beyond(dx, dy));
  },
  end(side_) {
    if (isInCrates()) return side.stepCrate(side_ * 1e6);
    const id = list().ids.at(side_ < 0 ? 0 : -1) ?? null;
    if (isInSongs()) side.goToSong(id); else goTo(id);
  },
  page(way) {
    if (isInCrates()) side.stepCrate(way * 8);
    else if (isInSongs()) side.goToSong(side.songs.beyond(way * 10));
    else goTo(here().beyond(way * grid.columns() * grid.rowsOnScreen()));
  },
  enter() {
    if (isInCrates()) {
      const crate = side.crateUnderCursor();
      side.showSheet(false);
      return openAndFocus(crate);
    }
    if (isInSongs()) return commands.play({ songs: [side.songs.cursor] });
    if (here().cursor !== null) side.openAlbum(here().cursor, { isEntered: true });
  },
  toggle() {
    if (isInCrates()) return actions.enter();
    const choice = list(), id = choice.cursor;
    if (id === null) return;
    choice.toggle(id);
    const next = choice.beyond(1);
    if (isInSongs()) side.goToSong(next); else goTo(next);
    repaint();
  },
  reach(dx, dy) {
    if (isInCrates()) return;
    const choice = list(), id = beyond(dx, dy);
    if (id === null) return;
    choice.reach(id);
    if (!isInSongs()) {
      grid.reveal(id);
      side.followCursor(id);
    }
    repaint();
  },
  all() { list().all(); repaint(); },
  others() { list().others(); repaint(); },
  escape() {
    if (isDragging()) return cancel();
    if (state.held.ids.length) commands.letGoOfHeld();
    else if (list().selected.size) list().none();
    else if (isInSongs()) return isSmall.matches ? side.closeAlbum() : box.focus({ preventScroll: true });
    else if (side.isOpen() && isSmall.matches) side.closeAlbum();
    side.paintSongs();
    repaint();
  },
  pickUp() {
    commands.pickUp(list().meant, isInSongs());
    list().none();
    repaint();
  },
  put(where) {
    const { ids, isSongs } = state.held, anchor = list().cursor;
    if (ids.length === 0) return commands.say('Nothing is picked up: x picks up.');
    if (isSongs !== isInSongs()) {
      return commands.say(isSongs ? 'Songs stay in their side.' : 'Albums stand in crates.');
    }
    if (anchor !== null && ids.includes(anchor)) return commands.say('Go to where they shall stand first.');
    commands.letGoOfHeld();
    repaint();
    const place = anchor === null ? { where: 'top' } : { where, anchor };
    if (isSongs) side.moveSongs(ids, place); else commands.moveAlbums(ids, state.crate, place);
  },
  move,
  pick() {
    if (isInSongs()) return commands.say('Songs stay in their side.');
    pickCrate(here().meant);
  },
  again() {
    if (isInSongs()) return commands.say('Songs stay in their side.');
    if (state.last === null) return actions.pick();
    commands.moveToCrate(here().meant, state.last);
  },
  openNumber(number) {
    const crate = library.crates[number - 1];
    if (crate) openAndFocus(crate.name); else commands.say(`There is no crate ${number}.`);
  },
  undo: commands.undo,
  redo: commands.redo,
  find: startFinding,
  arrivals: () => triage(),
  sort: () => sortMenu(isInSongs()),
  play() {
    if (isInSongs()) return commands.play({ songs: side.songs.meant });
    commands.play({ albums: here().meant });
  },
  rename: () => renameCrate(isInCrates() ? side.crateUnderCursor() : state.crate),
  help: showKeys,
};

addEventListener('keydown', (event) => {
  if ($('app').hidden || event.isComposing || isDialogOpen()) return;
  if (event.target.closest?.('input, [role=menu]')) return;
  if (isDragging() && event.key !== 'Escape') return;
  const isOnButton = event.target.tagName === 'BUTTON';
  if (isOnButton && (event.key === 'Enter' || event.key === ' ')) return;
  const action = actionOf(event);
  if (!action) return;
  event.preventDefault();
  if (!isInCrates() && !isInSongs() && document.activeElement !== box && !isOnButton) box.focus({ preventScroll: true });
  const [name, ...given] = action;
  actions[name](...given);
});

/** A click or a tap on a cover or a song. */
function tap(event, { id, isSong, isFinger, isHeld }) {
  const choice = isSong ? side.songs : here();
  if (choice.index(id) < 0) return;
  if (isSong) side.songBox().focus({ preventScroll: true });
  else box.focus({ preventScroll: true });
  const isTick = event.target.closest('.tick') !== null && !isFinger;
  if (isHeld || isTick || event.ctrlKey || event.metaKey || isFinger && choice.selected.size) choice.toggle(id);
  else if (event.shiftKey) choice.reach(id);
  else {
    choice.none();
    choice.go(id);
    if (!isSong && isFinger) side.openAlbum(id);
  }
  if (!isSong && !isHeld) side.followCursor(id);
  repaint();
}

box.addEventListener('dblclick', (event) => {
  const id = grid.albumAt(event.target);
  if (id !== null && !event.target.closest('.tick')) side.openAlbum(id, { isEntered: true });
});
$('album').addEventListener('dblclick', (event) => {
  const id = side.songAt(event.target);
  if (id !== null) commands.play({ songs: [id] });
});

// The toolbar, while something is selected.

let isBarForSongs = false;
const TOOLS = [
  ['To the top', (ids) => moveFromBar('top', ids)], ['Up', (ids) => moveFromBar('up', ids)],
  ['Down', (ids) => moveFromBar('down', ids)], ['To the bottom', (ids) => moveFromBar('bottom', ids)],
  ['Move to crate', (ids) => isBarForSongs ? commands.say('Songs stay in their side.') : pickCrate(ids)],
  ['Play', (ids) => commands.play(isBarForSongs ? { songs: ids } : { albums: ids })],
  ['Select none', () => {
    const focused = isBarForSongs ? side.songBox() : box;
    (isBarForSongs ? side.songs : here()).none();
    side.paintSongs();
    grid.paint();
    paintBar();
    focused?.focus({ preventScroll: true });
  }],
];
const moveFromBar = (where, ids) => isBarForSongs ? side.moveSongs(ids, { where })
  : commands.moveAlbums(ids, state.crate, { where });

function paintBar() {
  const bar = $('bar');
  isBarForSongs = side.isOpen() && side.songs.selected.size > 0 && (isInSongs() || here().selected.size === 0 || isBarForSongs && bar.contains(document.activeElement));
  const number = (isBarForSongs ? side.songs : here()).selected.size;
  document.body.classList.toggle('selecting', here().selected.size > 0);
  bar.hidden = number === 0;
  document.body.classList.toggle('has-bar', number > 0);
  if (number === 0) return;
  if (!bar.firstChild) {
    bar.append(h('b'), ...TOOLS.map(([name, act], index) => h('button', {
      type: 'button', text: name, tabindex: index ? '-1' : '0',
      onclick: () => act((isBarForSongs ? side.songs : here()).meant),
    })));
  }
  bar.firstChild.textContent = isSmall.matches ? number.toLocaleString('en')
    : isBarForSongs ? count(number, 'song', 'songs') : count(number, 'album', 'albums');
}
$('bar').addEventListener('keydown', (event) => {
  const buttons = [...$('bar').querySelectorAll('button')], at = buttons.indexOf(document.activeElement);
  const to = { ArrowRight: at + 1, ArrowLeft: at - 1 + buttons.length, Home: 0, End: buttons.length - 1 }[event.key];
  if (at < 0 || to === undefined || event.altKey) return;
  buttons.forEach((button, index) => { button.tabIndex = index === to % buttons.length ? 0 : -1; });
  buttons[to % buttons.length].focus();
  event.preventDefault();
  event.stopPropagation();
});

for (const [id, act] of Object.entries({
  undo: actions.undo, redo: actions.redo, arrivals: actions.arrivals, keys: showKeys, devices: showDevices,
  rename: () => renameCrate(state.crate), sort: () => sortMenu(isBarForSongs),
})) $(id).addEventListener('click', () => act());

let wantedHead = 0;
data.onChange(({ moved, isOwn, isAll, renamed, songs, change } = {}) => {
  for (const [old, name] of renamed ?? []) {
    renameChoice(old, name);
    side.renameRow(old, name);
  }
  if (state.crate === null) return;
  if (library.isWhole && !isOwn && library.crates.length && !data.isRead(state.crate) && data.albumsIn(state.crate).length === 0) {
    // It was emptied, and is gone.
    open((library.crates.find(({ name }) => data.isRead(name)) ?? library.crates[0]).name);
  }
  grid.follow({ moved, isOwn });
  for (const { name } of library.crates) choiceOf(name);
  const shown = side.shownAlbum();
  if (shown !== null) {
    if (library.albums.get(shown)?.crate !== state.crate) side.followCursor(here().cursor);
    side.paintAlbum();
    if (isAll || songs || change?.albums?.includes(shown)) side.readSongs();
  } else side.followCursor(here().cursor);
  wantedHead ||= requestAnimationFrame(() => {
    wantedHead = 0;
    side.paintCrates();
    side.paintHead();
    paintBar();
  });
});
data.onAway((isAway) => {
  $('away').textContent = isAway ? 'Crated is away. All stays to be looked at; nothing can be moved until it is back.' : '';
});
side.onSongs(() => paintBar());
side.onOpen((crate) => openAndFocus(crate));
startDragging({ tap, open, pick: (ids) => pickCrate(ids) });
onFound(async ({ crate, album: id, song }) => {
  await openAndFocus(crate, id);
  if (song !== null) side.openAlbum(id, { song, isEntered: true });
});
addEventListener('pagehide', data.remember);
document.addEventListener('visibilitychange', () => {
  if (document.visibilityState === 'hidden') data.remember();
});
// A link that is opened in a tab that has the page is no load.
addEventListener('hashchange', () => { if (location.hash.length > 1) location.reload(); });

await comeIn(codeOfLink());
data.onRefusedKey(() => {
  data.setKey(null);
  location.reload();
});
openDoor();
$('app').hidden = false;
for (let wait = 250; ; wait = Math.min(8000, wait * 2)) {
  try {
    const crate = await data.readFirst(data.memory.get('crate'));
    if (crate !== null) await open(crate);
    break;
  } catch (error) {
    if (error.kind !== 'Away') throw error;
    $('away').textContent = 'Crated is away. It is tried again.';
    await new Promise((resolve) => setTimeout(resolve, wait));
  }
}
$('away').textContent = '';
side.paintCrates();
side.paintHead();
box.focus({ preventScroll: true });
data.keepUp();
