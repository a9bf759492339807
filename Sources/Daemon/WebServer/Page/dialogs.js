// The dialogs and popups: crates, orders, names, keys, new albums, and search results.

import { count, duration, short } from './model.js';
import { $, dialog, h, icon, point, sleeve } from './view.js';
import { arrivals, call, edit, library, setLeft } from './link.js';
import { ask, complain, here, moveToCrate, play, say, state, takeBack } from './commands.js';
import { songs } from './side.js';
import { KEYS } from './keys.js';

/** Marks an option of the list below a field. */
function markOption(list, input, cursor) {
  [...list.children].forEach((option, index) => {
    option.setAttribute('aria-selected', index === cursor);
  });
  const option = list.children[cursor];
  point(input, option);
  option?.scrollIntoView({ block: 'nearest' });
}

/** Asks for a crate. The input narrows the list, or names a new crate. Calls `done(crate)`. */
export function pickCrate(ids, done = (crate) => moveToCrate(ids, crate)) {
  if (ids.length === 0) return;
  const list = h('div', { id: 'targets', role: 'listbox', 'aria-label': 'Crates to move to' });
  const input = h('input', {
    role: 'combobox', 'aria-label': 'Crate', 'aria-expanded': 'true', 'aria-controls': 'targets',
    placeholder: 'A crate, or a new name', autocomplete: 'off',
    maxlength: 200,
  });
  const what = ids.length === 1 ? library.albums.get(ids[0])?.title ?? ''
    : count(ids.length, 'album');
  const element = dialog('Move to crate', 'picker',
    h('p', { class: 'what' }, h('bdi', { text: short(what) })), input, list);
  let cursor = 0, choices = [];
  const take = (index) => {
    const choice = choices[index];
    if (!choice) return;
    element.close();
    done(choice.crate);
  };
  const mark = () => markOption(list, input, cursor);
  const show = () => {
    const text = input.value.trim(), plain = text.toLowerCase();
    const fits = library.crates.filter(({ name }) => name.toLowerCase().includes(plain));
    const isBegun = ({ name }) => name.toLowerCase().startsWith(plain);
    fits.sort((one, other) => isBegun(other) - isBegun(one));
    choices = fits.map(({ name, albums }) =>
      ({ crate: name, text: name, note: count(albums, 'album') }));
    if (text && !fits.some(({ name }) => name.toLowerCase() === plain)) {
      choices.push({ crate: text, text: `New crate “${text}”`, note: '' });
    }
    list.replaceChildren(...choices.map(({ text: name, note }, index) =>
      h('div', {
        role: 'option', id: `t-${index}`, class: 'target', 'aria-label': short(name),
        onclick: () => take(index),
      }, h('bdi', { text: short(name) }), h('small', { text: note }))));
    mark();
  };
  input.addEventListener('input', () => { cursor = 0; show(); });
  input.addEventListener('keydown', (event) => {
    const step = { ArrowDown: 1, ArrowUp: -1 }[event.key];
    if (step) cursor = Math.max(0, Math.min(choices.length - 1, cursor + step));
    else if (event.key !== 'Enter' || event.isComposing) return;
    event.preventDefault();
    if (step) mark(); else take(cursor);
  });
  show();
  input.focus();
}

const ORDERS = {
  albums: ['added', 'released', 'artist', 'title', 'reversed', 'shuffled'],
  songs: ['track', 'added', 'title', 'reversed', 'shuffled'],
};

export function sortMenu(isSongs = false) {
  const button = $('sort');
  if (closeMenu()) return;
  const list = isSongs ? songs : here(), ids = list.selected.size ? list.meant : list.ids;
  if (ids.length === 0) return;
  const before = document.activeElement;
  const sort = (order) => {
    closeMenu();
    if (isSongs) ask('SortSongs', { songs: ids, order });
    else ask('SortAlbums', { albums: ids, order });
  };
  const items = ORDERS[isSongs ? 'songs' : 'albums'].map((order) => h('button', {
    role: 'menuitem', tabindex: '-1', text: order[0].toUpperCase() + order.slice(1),
    onclick: () => sort(order),
  }));
  const scope = list.selected.size ? `the ${list.selected.size} selected`
    : isSongs ? 'all songs of the album' : `all of ${short(state.crate)}`;
  const menu = h('div', { id: 'menu', role: 'menu', 'aria-label': `Sort ${scope}` },
    h('p', { role: 'presentation', text: `Sort ${scope}` }), ...items);
  const box = button.getBoundingClientRect();
  menu.style.top = `${box.bottom + 6}px`;
  menu.style.right = `${Math.max(8, innerWidth - box.right)}px`;
  menu.addEventListener('keydown', (event) => {
    const step = { ArrowDown: 1, ArrowUp: items.length - 1 }[event.key];
    if (step) items[(items.indexOf(document.activeElement) + step) % items.length].focus();
    else if (event.key === 'Escape' || event.key === 'Tab') closeMenu();
    else return;
    event.preventDefault();
    event.stopPropagation();
  });
  menu.closed = () => (before?.isConnected ? before : $('grid')).focus({ preventScroll: true });
  $('grid').parentElement.append(menu);
  button.setAttribute('aria-expanded', 'true');
  items[0].focus();
}

function closeMenu() {
  const menu = $('menu');
  if (!menu) return false;
  menu.remove();
  $('sort').setAttribute('aria-expanded', 'false');
  menu.closed();
  return true;
}
addEventListener('pointerdown', (event) => {
  if (!event.target.closest('#menu, #sort')) closeMenu();
});

export function renameCrate(crate) {
  if (crate === null) return;
  const input = h('input', {
    'aria-label': 'Name', value: crate, autocomplete: 'off', maxlength: 200,
  });
  const element = dialog('Rename crate', 'rename', h('form', {
    onsubmit: (event) => {
      event.preventDefault();
      const name = input.value.trim();
      element.close();
      if (name && name !== crate) ask('RenameCrate', { crate, name });
    },
  }, input, h('button', { class: 'strong', text: 'Rename' })));
  input.select();
}

export function showKeys() {
  const rows = KEYS.filter(({ help }) => help).map(({ show, help, mouse, finger }) => h('tr', {},
    h('th', { scope: 'row', text: help }),
    h('td', {}, ...show.split(' ').map((key) => h('kbd', { text: key }))),
    h('td', { text: mouse ?? '' }), h('td', { text: finger ?? mouse ?? '' })));
  const heads = ['Key', 'Mouse', 'Finger'].map((text) => h('th', { scope: 'col', text }));
  const how = { class: 'scrolls', tabindex: '0', role: 'region', 'aria-label': 'What can be done' };
  dialog('Keys', 'keys', h('div', how, h('table', {},
    h('thead', {}, h('tr', {}, h('td'), ...heads)), h('tbody', {}, ...rows))));
}

// The new albums, one at a time.

// Like in crate browse, letters with another meaning are left out.
const CRATE_KEYS = '123456789bcdefghijklmnoprstvwxyz';

export function triage() {
  const queue = [...arrivals()], steps = [];
  if (queue.length === 0) return say('Nothing is new: every album has its place.');
  let crates = [];
  const body = h('div', { class: 'arrival' });
  const bar = h('progress', { max: queue.length, 'aria-label': 'Albums done' });
  const element = dialog('New arrivals', 'triage', bar, body);
  const current = () => queue[steps.length];

  const next = (step) => {
    steps.push(step);
    show();
  };
  const put = async (crate) => {
    const ids = [current()], step = {};
    step.asked = edit('MoveAlbums', { albums: ids, crate, place: { where: 'top' } },
      { ids, crate, after: null });
    next(step);
    try { say((await step.asked).summary); } catch (error) {
      complain(error);
      if (steps.at(-1) === step && element.open) back();
    }
  };
  const leave = () => {
    setLeft(current(), true);
    next({ left: current() });
  };
  const back = async () => {
    const step = steps.pop();
    if (!step) return say('This is the first one.');
    show();
    if (step.left) setLeft(step.left, false);
    const change = await step.asked?.catch(() => null);
    if (!change) return;
    try { say((await takeBack(change.sequence)).summary); } catch (error) { complain(error); }
  };
  const other = () => pickCrate([current()], put);
  const hear = () => play({ albums: [current()] });

  async function show() {
    bar.value = steps.length;
    if (!current()) {
      element.close();
      return say('That was all that is new.');
    }
    const album = library.albums.get(current());
    if (!album) return next({});   // Gone meanwhile.
    const list = h('ol', { 'aria-label': 'Songs' });
    const title = short(album.title), artist = short(album.artist);
    const heading = h('h3', { tabindex: '-1' }, h('bdi', { text: title }));
    crates = library.crates.filter(({ name }) => name !== album.crate).slice(0, CRATE_KEYS.length);
    body.replaceChildren(
      sleeve(album, 240),
      h('div', {},
        heading,
        h('p', {}, h('bdi', { text: artist }), album.year ? ` · ${album.year}` : ''),
        h('p', { class: 'soft' },
          count(album.songs, 'song'), ` · ${duration(album.seconds)}`),
        list),
      h('div', { class: 'targets', role: 'group', 'aria-label': 'Put it on top of' },
        ...crates.map(({ name }, index) =>
          button(short(name), CRATE_KEYS[index], () => put(name)))),
      h('div', { class: 'rest' }, button('Leave it', 'Space', leave),
        button('Another crate', '⏎', other), button('Back', 'u', back),
        button('Play', '!', hear, 'play')));
    // Read by screen readers, even if a message about the last album follows.
    heading.focus({ preventScroll: true });
    say(`${title}, ${artist}: ${steps.length + 1} of ${queue.length}`, { isQuiet: true });
    try {
      const { songs } = await call('ListSongs', { album: album.id, first: 1, count: 40 });
      list.append(...songs.map((song) => h('li', {}, h('bdi', { text: short(song.title) }))));
    } catch { /* The album can be filed without. */ }
  }

  element.tabIndex = -1;
  element.addEventListener('keydown', (event) => {
    const { key, target } = event, isOnButton = target.tagName === 'BUTTON';
    if (event.ctrlKey || event.metaKey || event.altKey) return;
    if (isOnButton && (key === 'Enter' || key === ' ')) return;
    const acts = { ' ': leave, Enter: other, u: back, q: () => element.close(), '!': hear };
    const crate = key.length === 1 && crates[CRATE_KEYS.indexOf(key)];
    if (crate) put(crate.name); else if (acts[key]) acts[key](); else return;
    event.preventDefault();
  });
  show();
}

function button(text, key, action, face = null) {
  return h('button', { 'aria-label': text, onclick: action },
    face && icon(face), h('bdi', { text }), h('kbd', { text: key, 'aria-hidden': 'true' }));
}

// The incremental search.

const WAIT = 70;    // Milliseconds between the last key and the question.
const MOST = 30;

const input = $('find'), box = $('found-box'), list = $('found');
let hits = [], cursor = 0, asked = 0, timer = 0;
let goTo = () => {};
export function onFound(action) { goTo = action; }

export function startFinding() {
  input.focus();
  input.select();
}

function leaveFound(isBack) {
  asked++;
  clearTimeout(timer);
  input.value = '';
  showFound([], '');
  box.hidden = true;
  if (isBack) $('grid').focus({ preventScroll: true });
}

function showFound(found, nothing) {
  hits = found;
  cursor = 0;
  list.replaceChildren(...found.map((hit, index) => h('div', {
    class: 'hit', role: 'option', id: `f-${index}`,
    'aria-label': `${short(hit.title)}, ${short(hit.by)}, in ${short(hit.crate)}`,
    onclick: () => choose(index),
  }, sleeve(hit.cover, 44), h('span', { class: 'words' },
    h('bdi', { text: short(hit.title) }),
    h('small', {},
      h('bdi', { text: short(hit.by) }), ' · ', h('bdi', { text: short(hit.crate) }))))));
  list.hidden = found.length === 0;
  $('nothing').hidden = found.length > 0;
  $('nothing').textContent = nothing;
  markFound();
}

const markFound = () => markOption(list, input, cursor);

async function search() {
  clearTimeout(timer);
  const query = input.value.trim(), mine = ++asked;
  if (query === '') {
    box.hidden = true;
    return;
  }
  let reply, nothing = 'Nothing found';
  try {
    reply = await call('Search', { query, limit: MOST });
  } catch (error) {
    if (mine !== asked) return;
    if (error.kind === 'Away') nothing = 'Crated is away';
    else if (error.kind === 'InvalidQuery') nothing = error.parameters.reason ?? nothing;
    else return complain(error);
    reply = { albums: [], songs: [] };
  }
  if (mine !== asked) return;
  showFound([
    ...reply.albums.map((album) => ({
      title: album.title, by: album.artist, crate: album.crate, album: album.id, song: null,
      cover: album,
    })),
    ...reply.songs.map((song) => ({
      title: song.title, by: `${song.artist}, ${song.albumTitle}`, crate: song.crate,
      album: song.album, song: song.id,
      cover: library.albums.get(song.album) ?? { title: song.albumTitle, artist: song.albumArtist },
    })),
  ], nothing);
  box.hidden = false;
}

/** Searches for what was typed while Crated was away. */
export function searchAgain() {
  if (!box.hidden && hits.length === 0) search();
}

function choose(index) {
  const hit = hits[index];
  if (!hit) return;
  leaveFound(true);
  goTo(hit);
}

input.addEventListener('input', () => {
  clearTimeout(timer);
  timer = setTimeout(search, WAIT);
});
input.addEventListener('keydown', async (event) => {
  event.stopPropagation();
  if (event.isComposing) return;
  const step = { ArrowDown: 1, ArrowUp: -1 }[event.key];
  if (event.key === 'Escape') leaveFound(true);
  else if (step) {
    cursor = Math.max(0, Math.min(hits.length - 1, cursor + step));
    markFound();
  } else if (event.key === 'Enter') {
    event.preventDefault();
    // The latest input has not been searched for yet.
    await search();
    return choose(cursor);
  } else return;
  event.preventDefault();
});
addEventListener('pointerdown', (event) => {
  if (!box.hidden && !event.target.closest('#found-box, .find')) leaveFound(false);
});
