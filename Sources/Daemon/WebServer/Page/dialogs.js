// The dialogs for a crate, an order, a name and the keys.

import { count, short } from './model.js';
import { $, dialog, h } from './dom.js';
import { albumsIn, library } from './library.js';
import { here, state } from './state.js';
import { songs } from './album.js';
import { ask, moveToCrate } from './commands.js';
import { KEYS } from './keys.js';

/** Asks for a crate; what is typed narrows the list, or names a new one. `done(crate)` ends it. */
export function pickCrate(ids, done = (crate) => moveToCrate(ids, crate)) {
  if (ids.length === 0) return;
  const list = h('div', { id: 'targets', role: 'listbox', 'aria-label': 'Crates to move to' });
  const input = h('input', {
    role: 'combobox', 'aria-label': 'Crate', 'aria-expanded': 'true', 'aria-controls': 'targets',
    'aria-autocomplete': 'list', placeholder: 'A crate, or a new name', autocomplete: 'off',
    autocapitalize: 'sentences', spellcheck: 'false', enterkeyhint: 'done', maxlength: 200,
  });
  const what = ids.length === 1 ? library.albums.get(ids[0])?.title ?? ''
    : count(ids.length, 'album', 'albums');
  const element = dialog('Move to crate', 'picker', h('p', { class: 'what' }, h('bdi', { text: short(what) })), input, list);
  let cursor = 0, choices = [];
  const take = (index) => {
    const choice = choices[index];
    if (!choice) return;
    element.close();
    done(choice.crate);
  };
  const mark = () => {
    [...list.children].forEach((option, index) => option.setAttribute('aria-selected', index === cursor));
    const option = list.children[cursor];
    if (option) input.setAttribute('aria-activedescendant', option.id);
    else input.removeAttribute('aria-activedescendant');
    option?.scrollIntoView({ block: 'nearest' });
  };
  const show = () => {
    const text = input.value.trim(), plain = text.toLowerCase();
    const fits = library.crates.filter(({ name }) => name.toLowerCase().includes(plain));
    fits.sort((one, other) => other.name.toLowerCase().startsWith(plain) - one.name.toLowerCase().startsWith(plain));
    choices = fits.map(({ name, albums }) => ({ crate: name, text: name, note: count(albums, 'album', 'albums') }));
    if (text && !fits.some(({ name }) => name.toLowerCase() === plain)) {
      choices.push({ crate: text, text: `New crate “${text}”`, note: '' });
    }
    list.replaceChildren(...choices.map(({ text: name, note }, index) =>
      h('div', { role: 'option', id: `t-${index}`, class: 'target', 'aria-label': short(name), onclick: () => take(index) },
        h('bdi', { text: short(name) }), h('small', { text: note }))));
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
  albums: { added: 'Added, newest first', released: 'Released, newest first', artist: 'Artist', title: 'Title', reversed: 'Reversed', shuffled: 'Shuffled' },
  songs: { track: 'Track', added: 'Added, newest first', title: 'Title', reversed: 'Reversed', shuffled: 'Shuffled' },
};

/** The menu of orders: for the selected ones, else for the whole list. */
export function sortMenu(isSongs = false) {
  const button = $('sort');
  if (closeMenu()) return;
  const list = isSongs ? songs : here(), ids = list.selected.size ? list.meant : list.ids;
  if (ids.length === 0) return;
  const before = document.activeElement;
  const sort = (order) => {
    closeMenu();
    ask(isSongs ? 'SortSongs' : 'SortAlbums', isSongs ? { songs: ids, order } : { albums: ids, order });
  };
  const items = Object.entries(ORDERS[isSongs ? 'songs' : 'albums']).map(([order, text]) =>
    h('button', { role: 'menuitem', type: 'button', tabindex: '-1', text, onclick: () => sort(order) }));
  const scope = list.selected.size ? `the ${list.selected.size} selected`
    : isSongs ? 'all songs of the album' : `all of ${short(state.crate)}`;
  const menu = h('div', { id: 'menu', role: 'menu', 'aria-label': `Sort ${scope}` },
    h('p', { role: 'presentation', text: `Sort ${scope}` }), ...items);
  const box = button.getBoundingClientRect();
  menu.style.top = `${box.bottom + 6}px`;
  menu.style.right = `${Math.max(8, innerWidth - box.right)}px`;
  menu.addEventListener('keydown', (event) => {
    const index = items.indexOf(document.activeElement), { length } = items;
    const to = { ArrowDown: index + 1, j: index + 1, ArrowUp: index - 1 + length, k: index - 1 + length, Home: 0, End: length - 1 }[event.key];
    if (to !== undefined) items[to % length].focus();
    else if (event.key === 'Escape' || event.key === 'Tab') closeMenu();
    else if (event.key.length > 1 || event.key === ' ') return;
    else items.find((item) => item.textContent.toLowerCase().startsWith(event.key.toLowerCase()))?.focus();
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
  const input = h('input', { 'aria-label': 'Name', value: crate, autocomplete: 'off', maxlength: 200, enterkeyhint: 'done' });
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
  const heads = ['', 'Key', 'Mouse', 'Finger'].map((text) => text ? h('th', { scope: 'col', text }) : h('td'));
  dialog('Keys', 'keys', h('div', { class: 'scrolls', tabindex: '0', role: 'region', 'aria-label': 'What can be done' }, h('table', {}, h('thead', {}, h('tr', {}, ...heads)), h('tbody', {}, ...rows))));
}
