// Elements. Text is only ever set as text.

import { hue } from './model.js';
import { coverAddress } from './link.js';

export const $ = (id) => document.getElementById(id);

export const isSmall = matchMedia('(max-width: 720px)');
export const isCalm = matchMedia('(prefers-reduced-motion: reduce)');

/** An element with properties (`on…` listens, `text` and `class` are what they say) and children. */
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
  tick: 'M5 12.5 10 17 19 7.5',
  play: 'M8 5.5v13l10.5-6.5z',
};

export function icon(name) {
  const space = 'http://www.w3.org/2000/svg';
  const svg = document.createElementNS(space, 'svg'), path = document.createElementNS(space, 'path');
  svg.setAttribute('viewBox', '0 0 24 24');
  svg.setAttribute('aria-hidden', 'true');
  path.setAttribute('d', PATHS[name]);
  svg.append(path);
  return svg;
}

/** The side of a cover that the server is asked for, for one shown so large. */
export const coverSide = (pixels) =>
  [96, 256, 512].find((side) => side * 1.06 >= pixels * devicePixelRatio) ?? 512;

const letter = (album) => [...(album?.title.trim() || '♪')][0].toUpperCase();

/** A cover, or a sleeve with a letter where there is none, or none yet. */
export function sleeve(album, pixels) {
  const element = h('div', { class: 'sleeve', 'aria-hidden': 'true' }, h('i'), null);
  dressSleeve(element, album);
  showCover(element, coverAddress(album, coverSide(pixels)));
  return element;
}

export function dressSleeve(element, album) {
  element.style.setProperty('--hue', hue(album?.artist || album?.title || ''));
  element.firstChild.textContent = letter(album);
}

/** Shows the picture at an address; null: gives up the one that may still be loading. */
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
    image.addEventListener('error', () => { image.hidden = true; });
    element.append(image);
  }
  if (image.getAttribute('src') === address) return;
  image.hidden = false;
  image.src = address;
}

const stack = [];

/**
 * Opens a dialog, maybe above another one. What the daemon says is shown in the top one, since
 * all else is inert.
 */
export function dialog(name, kind, ...children) {
  const toast = $('toast');
  toast.className = '';
  const element = h('dialog', { class: kind, 'aria-label': name },
    h('header', {}, h('h2', { text: name }),
      h('button', { class: 'icon', type: 'button', 'aria-label': 'Close', onclick: () => element.close() },
        icon('close'))),
    ...children);
  element.addEventListener('close', () => {
    stack.splice(stack.indexOf(element), 1);
    (stack.at(-1) ?? $('toast-home')).append(toast);
    element.remove();
    if (document.activeElement === document.body) $('grid').focus({ preventScroll: true });
  });
  element.addEventListener('pointerdown', (event) => {
    const { left, right, top, bottom } = element.getBoundingClientRect(), { clientX: x, clientY: y } = event;
    if (event.target === element && (x < left || x > right || y < top || y > bottom)) element.close();
  });
  document.body.append(element);
  element.append(toast);
  stack.push(element);
  element.showModal();
  return element;
}

export const isDialogOpen = () => stack.length > 0;
