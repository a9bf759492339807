// New arrivals, one at a time.

import { count, duration, short } from './model.js';
import { dialog, h, icon, sleeve } from './dom.js';
import { call, Refused } from './link.js';
import { arrivals, edit, library, setLeft } from './library.js';
import { complain, play, say, takeBack } from './commands.js';
import { pickCrate } from './dialogs.js';

// As in crate browse: letters that mean something else are left out.
const CRATE_KEYS = '123456789bcdefghijklmnoprstvwxyz';

export function triage() {
  const queue = [...arrivals()], steps = [];
  if (queue.length === 0) return say('Nothing is new: every album has its place.');
  let at = 0, crates = [];
  const body = h('div', { class: 'arrival' });
  const bar = h('progress', { max: queue.length, 'aria-label': 'Albums done' });
  const element = dialog('New arrivals', 'triage', bar, body);

  const next = (step) => {
    steps.push(step);
    at++;
    show();
  };
  const put = (crate) => {
    const id = queue[at], step = { change: null };
    step.asked = edit('MoveAlbums', { albums: [id], crate, place: { where: 'top' } },
      { ids: [id], crate, after: null })
      .then((change) => { step.change = change.sequence; say(change.summary); })
      .catch((error) => {
        complain(error);
        step.isRefused = true;
        // It comes back, whatever is shown by now.
        if (element.open && steps.at(-1) === step) { steps.pop(); at--; show(); }
      });
    next(step);
  };
  const leave = () => {
    setLeft(queue[at], true);
    next({ left: queue[at] });
  };
  const back = async () => {
    const step = steps.pop();
    if (!step) return say('This is the first one.');
    at--;
    show();
    if (step.left) return setLeft(step.left, false);
    await step.asked;
    if (step.isRefused) return;
    try { say((await takeBack(step.change)).summary); } catch (error) { complain(error); }
  };
  const other = () => {
    if (at < queue.length) pickCrate([queue[at]], put);
  };

  function show() {
    bar.value = at;
    const album = library.albums.get(queue[at]);
    if (at < queue.length && !album) return next({ left: '' });   // Gone meanwhile.
    if (at >= queue.length) {
      body.replaceChildren(h('p', { class: 'done', text: 'That was all.' }),
        h('div', { class: 'rest' }, button('Back', 'u', back)));
      element.focus();
      return;
    }
    const list = h('ol', { class: 'songs', 'aria-label': 'Songs' });
    crates = library.crates.filter(({ name }) => name !== album.crate).slice(0, CRATE_KEYS.length);
    body.replaceChildren(
      h('div', { class: 'picture' }, sleeve(album, 240)),
      h('div', { class: 'facts' },
        h('h3', {}, h('bdi', { text: short(album.title) })),
        h('p', {}, h('bdi', { text: short(album.artist) }), album.year ? ` · ${album.year}` : ''),
        h('p', { class: 'soft', text: `${count(album.songs, 'song', 'songs')} · ${duration(album.seconds)} · in ${short(album.crate)} now` }),
        list),
      h('div', { class: 'targets', role: 'group', 'aria-label': 'Put it on top of' },
        ...crates.map(({ name }, index) => button(short(name), CRATE_KEYS[index], () => put(name)))),
      h('div', { class: 'rest' }, button('Leave it', 'Space', leave), button('Another crate', '⏎', other),
        button('Back', 'u', back), button('Play', '!', () => play({ albums: [album.id] }), 'play')));
    if (!element.contains(document.activeElement)) element.focus();
    tell(album, list);
  }

  async function tell(album, list) {
    say(`${short(album.title)}, ${short(album.artist)}: ${at + 1} of ${queue.length}`);
    try {
      const { songs } = await call('ListSongs', { album: album.id, first: 1, count: 40 });
      list.replaceChildren(...songs.map((song) => h('li', {}, h('bdi', { text: short(song.title) }))));
    } catch (error) {
      if (!(error instanceof Refused)) throw error;
    }
  }

  element.tabIndex = -1;
  element.addEventListener('keydown', (event) => {
    if (event.ctrlKey || event.metaKey || event.altKey) return;
    const isOnButton = event.target.tagName === 'BUTTON';
    const place = CRATE_KEYS.indexOf(event.key);
    if (event.key === ' ' && !isOnButton && at < queue.length) leave();
    else if (event.key === 'Enter' && !isOnButton) other();
    else if (event.key === 'u') back();
    else if (event.key === 'q') element.close();
    else if (event.key === '!') play({ albums: queue.slice(at, at + 1) });
    else if (event.key.length === 1 && place >= 0 && at < queue.length) {
      const crate = crates[place];
      if (crate) put(crate.name); else say(`No crate has the key ${event.key}.`);
    } else return;
    event.preventDefault();
  });
  show();
  element.focus();
}

function button(text, key, action, face = null) {
  return h('button', { type: 'button', 'aria-label': text, onclick: action },
    face && icon(face), h('bdi', { text }), h('kbd', { text: key, 'aria-hidden': 'true' }));
}
