// The client of the daemon: calls, and a copy of the library that Watch keeps current.

import { bringing } from './model.js';

const INTERFACE = 'org.crated.Crates.';
const LONGEST_CALL = 10_000, LONGEST_POST = 40_000;   // Milliseconds.

export const memory = {
  get(name) { try { return localStorage.getItem(name); } catch { return null; } },
  set(name, value) {
    try { value === null ? localStorage.removeItem(name) : localStorage.setItem(name, value); }
    catch { /* The page works without. */ }
  },
};

let key = memory.get('key');
export const hasKey = () => key !== null;
export function setKey(value) { key = value; memory.set('key', value); }

/** An error of the daemon (`kind` is its name), or `Away` if it can't be reached. */
export class Refused extends Error {
  constructor(kind, parameters = {}) {
    super(kind);
    this.kind = kind;
    this.parameters = parameters;
  }
}

let leave = () => {};
export function onRefusedKey(action) { leave = action; }

async function send(path, body, { signal, accept = 'application/json', method = 'POST' } = {}) {
  const headers = { Accept: accept, Authorization: `Bearer ${key}` };
  if (method === 'POST') headers['Content-Type'] = 'application/json';
  let response;
  try {
    response = await fetch(path, {
      method, headers, signal, credentials: 'omit', cache: 'no-store',
      body: method === 'POST' ? JSON.stringify(body) : undefined,
    });
  } catch {
    throw new Refused('Away');
  }
  if (response.ok) return response;
  if (response.status === 401) leave();
  if (response.status === 409) {
    const { error = '', parameters } = await response.json().catch(() => ({}));
    throw new Refused(error.split('.').at(-1), parameters);
  }
  throw new Refused('Away', { status: response.status });
}

async function answer(path, body, method, limit = LONGEST_CALL) {
  const response = await send(path, body, { method, signal: AbortSignal.timeout(limit) });
  try { return await response.json(); } catch { throw new Refused('Away'); }
}

export const call = (method, parameters = {}) => answer(`/call/${INTERFACE}${method}`, parameters);
export const get = (path) => answer(path, undefined, 'GET');
export const post = (path, body) => answer(path, body, 'POST', LONGEST_POST);

/** Yields the replies of a streaming method (RFC 7464). */
export async function* stream(method, parameters, signal) {
  const response = await send(`/call/${INTERFACE}${method}`, parameters,
    { signal, accept: 'application/json-seq' });
  const reader = response.body.pipeThrough(new TextDecoderStream()).getReader();
  let rest = '';
  try {
    for (;;) {
      const { value, done } = await reader.read();
      if (done) return;
      const records = (rest + value).split('\n');
      rest = records.pop();
      for (const record of records) {
        if (record.length < 2) continue;
        const { error, parameters: reply = {} } = JSON.parse(record.replace('\x1e', ''));
        if (error) throw new Refused(error.split('.').at(-1), reply);
        yield reply;
      }
    }
  } catch (error) {
    throw error instanceof Refused ? error : new Refused('Away');
  } finally {
    reader.cancel().catch(() => {});
  }
}

let covers = '';
export function setCovers(secret) { covers = secret; }
export const coverAddress = (album, side) =>
  album?.cover ? `/covers/${covers}/${album.id}/${album.cover}-${side}.jpg` : null;

export const isSeen = () => document.visibilityState === 'visible';

/** Waits until the page becomes visible, the network is back, or the time is over. */
export const pause = (milliseconds) => new Promise((resolve) => {
  const done = new AbortController(), { signal } = done;
  const end = () => {
    done.abort();
    clearTimeout(timer);
    resolve();
  };
  const timer = milliseconds && setTimeout(end, milliseconds);
  for (const name of ['visibilitychange', 'online', 'pageshow']) {
    addEventListener(name, () => { if (isSeen()) end(); }, { signal });
  }
});

// The library: read once, updated by Watch, with predictions of pending edits.

const FIRST = 200;      // Albums that are read before the rest.
const AT_ONCE = 1000;   // Albums asked for in one call.
const SHORTEST = 250, LONGEST = 8000;   // Milliseconds between two tries.
const NONE = Object.freeze([]);

export const library = {
  crates: [], albums: new Map(), sequence: 0, isWhole: false, isAway: false,
};

let lists = new Map();      // The name of a crate → ids of albums, as the daemon said.
let expected = [];          // Edits that Watch has not confirmed yet, oldest first.
let mustRead = true;        // Whether the lists can't be followed from where they are.
let version = 0;
const shown = new Map();    // The name of a crate → { version, ids }.
let listener = () => {};
let awayListener = () => {};

export function onChange(action) { listener = action; }
export function onAway(action) { awayListener = action; }

function changed(about = {}) {
  version++;
  listener(about);
}

function setAway(isAway) {
  if (library.isAway === isAway) return;
  library.isAway = isAway;
  awayListener(isAway);
}

export function albumsIn(crate) {
  const known = shown.get(crate);
  if (known?.version === version) return known.ids;
  let ids = lists.get(crate) ?? NONE;
  for (const edit of expected) ids = edit.apply(crate, ids);
  shown.set(crate, { version, ids });
  return ids;
}

export const totalIn = (crate) => Math.max(albumsIn(crate).length,
  library.isWhole ? 0 : library.crates.find(({ name }) => name === crate)?.albums ?? 0);

export const isRead = (crate) => lists.has(crate);

const FIELDS = ['id', 'crate', 'title', 'artist', 'year', 'songs', 'seconds', 'presence', 'moved',
  'came', 'cover', 'because'];

function keep(album) {
  library.albums.set(album.id, Object.fromEntries(FIELDS.map((name) => [name, album[name]])));
  return album.id;
}

let first = null;

/** Reads the part that is shown first, once. Returns the crate's name, or null if there is none. */
export function readFirst() {
  first ??= readShown(memory.get('crate')).catch((error) => {
    first = null;
    throw error;
  });
  return first;
}

async function readShown(wanted) {
  // Not awaited: a daemon that has just started counts the albums first.
  readCrates().then(changed, () => {});
  try { return await readCrate(wanted); } catch (error) {
    if (wanted === null || error.kind === 'Away') throw error;
  }
  return readCrate(null);
}

async function readCrates() {
  const { crates, sequence } = await call('ListCrates');
  // A change from Watch may be newer.
  if (sequence >= library.sequence) library.crates = crates;
}

/** Reads the first albums of a crate, or of the first one. Returns its name. */
export async function readCrate(wanted) {
  const of = wanted === null ? {} : { crate: wanted };
  const { albums } = await call('ListAlbums', { ...of, first: 1, count: FIRST });
  const crate = wanted ?? albums[0]?.crate ?? null;
  if (crate === null || library.isWhole) return crate;
  lists.set(crate, albums.filter((album) => album.crate === crate).map(keep));
  changed();
  return crate;
}

/** Reads the albums of all crates at one sequence, from which Watch then continues. */
async function readAll(signal) {
  const fresh = new Map();
  let sequence = null;
  for await (const reply of stream('ListAlbums', {}, signal)) {
    sequence ??= reply.sequence;
    for (const album of reply.albums) {
      keep(album);
      const list = fresh.get(album.crate);
      if (list) list.push(album.id); else fresh.set(album.crate, [album.id]);
    }
  }
  if (sequence === null) throw new Refused('Away');
  await readCrates();
  lists = fresh;
  const there = new Set([...lists.values()].flat());
  for (const id of library.albums.keys()) if (!there.has(id)) library.albums.delete(id);
  library.sequence = sequence;
  library.isWhole = true;
  mustRead = false;
  confirm(sequence);
  changed({ isAll: true });
}

let ear = new AbortController(), isLetGo = false;
function letGo() {
  isLetGo = true;
  ear.abort();
}
addEventListener('pagehide', letGo);
addEventListener('offline', () => ear.abort());
document.addEventListener('visibilitychange', () => { if (!isSeen()) letGo(); });

let away = null, hearing = new AbortController();

/** Follows the folders' state, which isn't part of the order, while the page has the focus. */
async function hearFolders(event) {
  hearing.abort();
  hearing = new AbortController();
  if (event?.type === 'pagehide' || !document.hasFocus() || !isSeen()) return;
  try {
    for await (const { status } of stream('WatchStatus', {}, hearing.signal)) {
      const now = status.folders.map(({ path, state }) => state === 'offline' && path).join();
      mustRead ||= away !== null && away !== now;
      away = now;
      if (mustRead) letGo();
    }
  } catch { /* What it means is told by Watch. */ }
}
for (const name of ['focus', 'blur', 'pagehide', 'visibilitychange']) {
  addEventListener(name, hearFolders);
}

/** Follows changes. A hidden page has no connection: browsers allow six per origin in all tabs. */
export async function keepUp() {
  let wait = SHORTEST;
  for (;;) {
    while (!isSeen()) await pause();
    ear = new AbortController();
    isLetGo = false;
    let isHeard = false, timer;
    try {
      if (mustRead) await readAll(ear.signal);
      hearFolders();
      timer = setTimeout(() => { if (!isHeard) ear.abort(); }, LONGEST_CALL);
      for await (const { change } of stream('Watch', { since: library.sequence }, ear.signal)) {
        isHeard = true;
        wait = SHORTEST;
        setAway(false);
        if (change && !follow(change)) break;
      }
    } catch (error) {
      if (!(error instanceof Refused)) console.error(error);
      if (error.kind !== 'Away') mustRead = true;
    }
    clearTimeout(timer);
    ear.abort();
    if (isLetGo) continue;
    if (!isHeard) setAway(true);
    await pause(isHeard ? SHORTEST : wait);
    if (!isHeard) wait = Math.min(LONGEST, wait * 2);
  }
}

/** Applies a change from Watch. Returns false if everything has to be read again. */
function follow(change) {
  if (!change.changed || change.sequence <= library.sequence) return true;
  library.sequence = change.sequence;
  const moved = new Set(), renamed = new Map(), touched = new Map();
  const listOf = (crate) => {
    if (!touched.has(crate)) touched.set(crate, [...lists.get(crate) ?? NONE]);
    return touched.get(crate);
  };
  let isSure = change.complete;
  for (const move of isSure ? change.moves : []) {
    if (move.song) continue;
    if (move.was) {
      renamed.set(move.was, move.crate);
      touched.set(move.crate, listOf(move.was));
      touched.delete(move.was);
      lists.delete(move.was);
      for (const id of touched.get(move.crate)) {
        const album = library.albums.get(id);
        if (album) album.crate = move.crate;
      }
    }
    if (!move.album) continue;
    moved.add(move.album);
    const album = library.albums.get(move.album);
    if (album) {
      const list = listOf(album.crate), index = list.indexOf(move.album);
      if (index >= 0) list.splice(index, 1);
    }
    if (!move.crate) {
      library.albums.delete(move.album);
      continue;
    }
    const list = listOf(move.crate), index = move.after ? list.indexOf(move.after) : -1;
    if (move.after && index < 0) isSure = false;
    list.splice(index + 1, 0, move.album);
    if (album) album.crate = move.crate;
    else {
      keep({
        id: move.album, crate: move.crate, title: '', artist: '', presence: 'present', moved: true,
      });
    }
  }
  for (const [crate, ids] of touched) lists.set(crate, ids);
  for (const [old, name] of renamed) {
    const crate = library.crates.find((one) => one.name === old);
    if (crate) crate.name = name;
  }
  confirm(change.sequence);
  if (!isSure) {
    mustRead = true;
    return false;
  }
  for (const id of [...change.albums, ...moved]) stale.add(id);
  changed({ moved, renamed, songs: change.songs.length > 0, change });
  refresh();
  return true;
}

function confirm(sequence) {
  expected = expected.filter((edit) => edit.sequence === null || edit.sequence > sequence);
}

const stale = new Set();
let isDue = false, isRefreshing = false;

async function refresh() {
  isDue = true;
  if (isRefreshing) return;
  isRefreshing = true;
  try {
    while (isDue || stale.size) {
      isDue = false;
      const ids = [...stale].slice(0, AT_ONCE);
      const [albums] = await Promise.all([
        ids.length ? call('ListAlbums', { albums: ids }) : null, readCrates(),
      ]);
      for (const id of ids) stale.delete(id);
      for (const album of albums?.albums ?? []) {
        // Only moves change the order: the album's present crate may not be reported yet.
        const { crate } = library.albums.get(album.id) ?? album;
        keep({ ...album, crate });
      }
      changed();
    }
  } catch (error) {
    if (!(error instanceof Refused)) throw error;
    letGo();   // Whether Watch is alive, its next try tells.
  } finally {
    isRefreshing = false;
  }
}

/** Shows the predicted result of an edit until Watch confirms it. Predictions are idempotent. */
export async function edit(method, parameters, prediction) {
  if (library.isAway) throw new Refused('Away');
  let mine = null;
  if (prediction && library.isWhole) {
    const { ids, crate, after } = prediction, set = new Set(ids);
    const place = after === null ? { where: 'top' } : { where: 'after', anchor: after };
    mine = {
      sequence: null,
      apply: (name, list) => name === crate ? bringing(ids, place, list)
        : list.some((id) => set.has(id)) ? list.filter((id) => !set.has(id)) : list,
    };
    expected.push(mine);
    changed({ moved: set, isOwn: true });
  }
  const drop = () => {
    if (mine === null) return;
    expected = expected.filter((one) => one !== mine);
    changed({ moved: new Set(prediction.ids), isOwn: true });
  };
  try {
    const { change } = await call(method, parameters);
    if (!change.changed || change.sequence <= library.sequence) drop();
    else if (mine) mine.sequence = change.sequence;
    return change;
  } catch (error) {
    drop();
    if (error.kind === 'Away') letGo();
    throw error;
  }
}


const LEFT = 10_000;   // The oldest are forgotten beyond that.
const left = new Set((memory.get('left') ?? '').split(' ').filter(Boolean));

export function setLeft(id, isLeft) {
  if (isLeft) left.add(id); else left.delete(id);
  memory.set('left', [...left].slice(-LEFT).join(' '));
  changed();
}

/** The last sequence that the user has seen; later albums have a dot. */
const looked = memory.get('looked');
export const isNew = (album) => looked !== null && !album.moved && album.came > Number(looked);
export function remember() { if (library.isWhole) memory.set('looked', String(library.sequence)); }

let known = { version: -1, ids: NONE };

/** The new albums: those since the user's last visit, then the rest, the oldest first. */
export function arrivals() {
  if (known.version === version) return known.ids;
  const found = [];
  if (library.isWhole) {
    for (const { name } of library.crates) {
      for (const id of albumsIn(name)) {
        const album = library.albums.get(id);
        if (album && !album.moved && !left.has(id)) found.push(album);
      }
    }
  }
  found.sort((one, other) => isNew(other) - isNew(one) || one.came - other.came);
  known = { version, ids: found.map(({ id }) => id) };
  return known.ids;
}
