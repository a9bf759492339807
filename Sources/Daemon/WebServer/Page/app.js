// The entry point of the page: its layout, and its handlers of keys, clicks and taps.

import { count } from './model.js';
import * as data from './link.js';
import * as commands from './commands.js';
import { choiceOf, here, renameChoice, setCrate, state } from './commands.js';
import * as grid from './view.js';
import { $, h, isDialogOpen, isSmall } from './view.js';
import * as side from './side.js';
import { actionOf } from './keys.js';
import {
  onFound, pickCrate, renameCrate, searchAgain, showKeys, sortMenu, startFinding, triage,
} from './dialogs.js';
import { cancel, isDragging, startDragging } from './drag.js';
import { codeOfLink, comeIn, openDoor, showDevices } from './door.js';

const { library } = data;
const box = $('grid');
const isInCrates = () => document.activeElement === side.cratesBox;
/** Whether the toolbar applies to songs, while one of its buttons acts. */
let areSongsMeant = null;
const isInSongs = () => areSongsMeant ?? side.areSongsInUse();
const list = () => isInSongs() ? side.songs : here();

function repaint() {
  if (isInSongs()) side.paintSongs(); else grid.paint();
  paintBar();
}

let wanted = null;
async function open(crate, at = null) {
  if (crate !== state.crate) {
    grid.leaveCrate();
    wanted = crate;
    if (!data.isRead(crate)) {
      try { await data.readCrate(crate); } catch (error) { return commands.complain(error); }
      if (wanted !== crate) return;
    }
    setCrate(crate);
    if (at) here().go(at);
    if (!isDragging()) side.followCursor(here().cursor);
    grid.enterCrate();
    side.paintCrates();
    side.paintHead();
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

function goTo(id) {
  if (id === null) return;
  here().go(id);
  grid.reveal(id);
  side.followCursor(id);
}

/** Returns the album so many columns and rows further, limited by the grid's edges. */
function beyond(dx, dy) {
  const choice = list(), cols = isInSongs() ? 1 : grid.columns();
  const row = (index) => Math.floor(index / cols);
  const here = row(choice.index(choice.cursor)), last = row(choice.ids.length - 1);
  if (dy && (here + dy < 0 || here + dy > last)) return choice.cursor;
  return choice.beyond(dx + dy * cols);
}

const actions = {
  step(dx, dy) {
    if (isInCrates()) {
      if (dx > 0) actions.enter(); else if (dy) side.stepCrate(dy);
    } else if (isInSongs()) {
      if (dx < 0) box.focus({ preventScroll: true });
      else if (dy) side.goToSong(beyond(0, dy));
    } else goTo(beyond(dx, dy));
  },
  end(way) {
    if (isInCrates()) return side.stepCrate(way * 1e6);
    const id = list().ids.at(way < 0 ? 0 : -1) ?? null;
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
  none() {
    list().none();
    (isInSongs() ? side.songBox() : box).focus({ preventScroll: true });
    repaint();
  },
  escape() {
    if (isDragging()) return cancel();
    if (state.held.ids.length) commands.letGoOfHeld();
    else if (list().selected.size) list().none();
    else if (isInSongs()) {
      if (isSmall.matches) side.closeAlbum(); else box.focus({ preventScroll: true });
    }
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
      return isSongs ? side.keepSongs() : commands.say('Albums stand in crates.');
    }
    if (ids.includes(anchor)) return commands.say('Go to where they shall stand first.');
    commands.letGoOfHeld();
    repaint();
    const place = anchor === null ? { where: 'top' } : { where, anchor };
    if (isSongs) side.moveSongs(ids, place); else commands.moveAlbums(ids, state.crate, place);
  },
  move(where) {
    if (isInCrates()) return side.moveCrate(where);
    if (isInSongs()) return side.moveSongs(list().meant, { where });
    return commands.moveAlbums(list().meant, state.crate, { where });
  },
  pick() {
    if (isInSongs()) return side.keepSongs();
    pickCrate(here().meant);
  },
  again() {
    if (isInSongs()) return side.keepSongs();
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
  arrivals: triage,
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
  if (document.activeElement === document.body) box.focus({ preventScroll: true });
  const [name, ...given] = action;
  actions[name](...given);
});

function tap(event, { id, isSong, isFinger, isHeld }) {
  const choice = isSong ? side.songs : here();
  if (choice.index(id) < 0) return;
  if (isSong) side.songBox().focus({ preventScroll: true });
  else box.focus({ preventScroll: true });
  const isTick = event.target.closest('.tick') !== null && !isFinger;
  const isToggle = isHeld || isTick || event.ctrlKey || event.metaKey;
  if (isToggle || isFinger && choice.selected.size) choice.toggle(id);
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
  ['To the top', 'move', 'top'], ['Up', 'move', 'up'], ['Down', 'move', 'down'],
  ['To the bottom', 'move', 'bottom'], ['Move to crate', 'pick'], ['Play', 'play'],
  ['Select none', 'none'],
];

function useTool(name, ...given) {
  areSongsMeant = isBarForSongs;
  actions[name](...given);
  areSongsMeant = null;
}

$('bar').append(h('b'), ...TOOLS.map(([text, ...act]) =>
  h('button', { text, onclick: () => useTool(...act) })));

function paintBar() {
  const albums = here().selected.size, songs = side.songs.selected.size;
  isBarForSongs = songs > 0 && (albums === 0 || side.areSongsInUse());
  const number = isBarForSongs ? songs : albums;
  document.body.classList.toggle('selecting', albums > 0);
  document.body.classList.toggle('has-bar', number > 0);
  $('bar').hidden = number === 0;
  $('bar').firstChild.textContent = isSmall.matches ? number.toLocaleString('en')
    : count(number, isBarForSongs ? 'song' : 'album');
}
for (const [id, act] of Object.entries({
  undo: actions.undo, redo: actions.redo, arrivals: triage, keys: showKeys, devices: showDevices,
  rename: () => renameCrate(state.crate), sort: () => useTool('sort'),
})) $(id).addEventListener('click', () => act());

let wantedHead = 0;
data.onChange(({ moved, isOwn, isAll, renamed, songs, change } = {}) => {
  for (const [old, name] of renamed ?? []) {
    renameChoice(old, name);
    side.renameRow(old, name);
  }
  if (state.crate === null) return;
  const { crates } = library, isThere = crates.some(({ name }) => name === state.crate);
  if (library.isWhole && !isOwn && !isThere && crates.length) open(crates[0].name);
  grid.follow({ moved, isOwn });
  for (const { name } of crates) choiceOf(name);
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
function sayAway(isAway) {
  if (!isAway) {
    grid.hangAgain();
    searchAgain();
  }
  $('away').textContent = isAway ? 'Crated is away. Nothing can be moved until it is back.' : '';
}
data.onAway(sayAway);
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
// Opening a link in a tab that shows the page causes no load event.
addEventListener('hashchange', () => { if (location.hash.length > 1) location.reload(); });

await comeIn(codeOfLink());
data.onRefusedKey(() => {
  data.setKey(null);
  location.reload();
});
// The first paint waits for albums, but not for long.
await Promise.race([data.readFirst().catch(() => {}), data.pause(400)]);
openDoor();
$('app').hidden = false;
for (let wait = 250; ; wait = Math.min(8000, wait * 2)) {
  try {
    const crate = await data.readFirst();
    if (crate !== null) await open(crate);
    break;
  } catch (error) {
    if (error.kind !== 'Away') throw error;
    sayAway(true);
    await data.pause(wait);
  }
}
sayAway(false);
side.paintCrates();
side.paintHead();
box.focus({ preventScroll: true });
// The covers have priority over further calls.
const covers = [...document.images].map((image) => image.decode());
await Promise.race([Promise.allSettled(covers), data.pause(1000)]);
data.keepUp();
