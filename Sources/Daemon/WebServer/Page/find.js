// Finding, while one types.

import { short } from './model.js';
import { $, h, sleeve } from './dom.js';
import { call } from './link.js';
import { library } from './library.js';
import { complain } from './commands.js';

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

/** Ends it; what was asked answers no longer. */
function leave(isBack) {
  asked++;
  clearTimeout(timer);
  input.value = '';
  show([], '');
  box.hidden = true;
  if (isBack) $('grid').focus({ preventScroll: true });
}

function show(found, nothing) {
  hits = found;
  cursor = 0;
  list.replaceChildren(...found.map((hit, index) => h('div', {
    class: 'hit', role: 'option', id: `f-${index}`,
    'aria-label': `${short(hit.title)}, ${short(hit.by)}, in ${short(hit.crate)}`,
    onclick: () => choose(index),
  }, sleeve(hit.cover, 44), h('span', { class: 'words' },
    h('bdi', { text: short(hit.title) }),
    h('small', {}, h('bdi', { text: short(hit.by) }), ' · ', h('bdi', { text: short(hit.crate) }))))));
  list.hidden = found.length === 0;
  $('nothing').hidden = found.length > 0;
  $('nothing').textContent = nothing;
  mark();
}

function mark() {
  [...list.children].forEach((option, index) => option.setAttribute('aria-selected', index === cursor));
  const option = list.children[cursor];
  if (option) input.setAttribute('aria-activedescendant', option.id);
  else input.removeAttribute('aria-activedescendant');
  option?.scrollIntoView({ block: 'nearest' });
}

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
    if (error.kind !== 'InvalidQuery') return complain(error);
    reply = { albums: [], songs: [] };
    nothing = error.parameters.reason ?? nothing;
  }
  if (mine !== asked) return;
  show([
    ...reply.albums.map((album) => ({
      title: album.title, by: album.artist, crate: album.crate, album: album.id, song: null, cover: album,
    })),
    ...reply.songs.map((song) => ({
      title: song.title, by: `${song.artist}, ${song.albumTitle}`, crate: song.crate, album: song.album, song: song.id,
      cover: library.albums.get(song.album) ?? { title: song.albumTitle, artist: song.albumArtist },
    })),
  ], nothing);
  box.hidden = false;
}

function choose(index) {
  const hit = hits[index];
  if (!hit) return;
  leave(true);
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
  if (event.key === 'Escape') leave(true);
  else if (step) {
    cursor = Math.max(0, Math.min(hits.length - 1, cursor + step));
    mark();
  } else if (event.key === 'Enter') {
    event.preventDefault();
    // What was typed last has not been asked for yet.
    await search();
    return choose(cursor);
  } else return;
  event.preventDefault();
});
addEventListener('pointerdown', (event) => {
  if (!box.hidden && !event.target.closest('#found-box, .find')) leave(false);
});
