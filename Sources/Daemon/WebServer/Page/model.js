// Orders, selections and places, independent of the page: everything here is pure.

// The index before which the chosen items go; -1 if they stay. See Ordering/Placement.swift.
function gapFor(chosen, place, order, isListed) {
  const anchor = order.indexOf(place.anchor), isUp = place.where === 'up';
  switch (place.where) {
    case 'top': return 0;
    case 'bottom': return order.length;
    case 'before': return Math.max(0, anchor);
    case 'after': return anchor < 0 ? order.length : anchor + 1;
  }
  const isChosen = (item) => chosen.has(item), isShown = (item) => isChosen(item) && isListed(item);
  const low = order.findIndex(isShown), high = order.findLastIndex(isShown);
  if (low < 0) return -1;
  if (order.slice(low, high).some((item) => isListed(item) && !isChosen(item))) {
    // Scattered items gather at their first or last one.
    return isUp ? order.findIndex(isChosen) : order.findLastIndex(isChosen) + 1;
  }
  if (isUp) return order.slice(0, low).findLastIndex(isListed);
  const below = order.slice(high + 1).findIndex(isListed);
  return below < 0 ? -1 : high + below + 2;
}

// The order after the chosen items moved together to a place, as in Ordering/Placement.swift.
// `place.where` is top, bottom, up, down, before or after; the last two have `place.anchor`.
// `isListed`: whether an item is shown; up and down skip hidden ones.
export function moving(chosen, place, order, isListed = () => true) {
  const gap = gapFor(chosen, place, order, isListed);
  if (gap < 0) return order;
  const block = order.filter((item) => chosen.has(item));
  const rest = (part) => part.filter((item) => !chosen.has(item));
  return [...rest(order.slice(0, gap)), ...block, ...rest(order.slice(gap))];
}

// The order of a list after items, from it or elsewhere, moved to a place in the given order.
export function bringing(moved, place, order) {
  const members = new Set(order), chosen = new Set(moved);
  const list = [...order, ...moved.filter((item) => !members.has(item))];
  let next = 0;
  return moving(chosen, place, list).map((item) => chosen.has(item) ? moved[next++] : item);
}

export const isSameList = (one, other) =>
  one === other
  || one.length === other.length && one.every((item, index) => item === other[index]);

// The place of a drop at a gap: next to the nearest item that isn't dragged.
export function placeOfGap(order, gap, taken, isBehind) {
  const above = order.slice(0, gap).findLast((item) => !taken.has(item));
  const below = order.slice(gap).find((item) => !taken.has(item));
  if (below === undefined) return { where: 'bottom' };
  if (above === undefined) return { where: 'top' };
  return isBehind ? { where: 'after', anchor: above } : { where: 'before', anchor: below };
}

export function substitute(item, old, order) {
  const there = new Set(order), index = old.indexOf(item);
  if (there.has(item)) return item;
  if (index < 0) return order[0] ?? null;
  return old.slice(index).find((other) => there.has(other))
    ?? old.slice(0, index).findLast((other) => there.has(other)) ?? order[0] ?? null;
}

// A list with a cursor and a selection, both by id.
export class Choice {
  ids = [];
  cursor = null;
  selected = new Set();
  /** The start of a range, and the selection outside it. */
  #start = null;
  #others = new Set();
  #indices = null;

  index(id) {
    this.#indices ??= new Map(this.ids.map((item, index) => [item, index]));
    return this.#indices.get(id) ?? -1;
  }

  follow(ids) {
    if (ids === this.ids) return;
    const old = this.ids;
    this.ids = ids;
    this.#indices = null;
    if (this.cursor === null || this.index(this.cursor) < 0) {
      this.cursor = substitute(this.cursor, old, ids);
    }
    for (const set of [this.selected, this.#others]) {
      for (const id of set) if (this.index(id) < 0) set.delete(id);
    }
  }

  go(id) {
    this.cursor = id;
    this.#start = null;
  }

  beyond(count) {
    const index = Math.max(0, this.index(this.cursor)) + count;
    return this.ids[Math.max(0, Math.min(this.ids.length - 1, index))] ?? null;
  }

  toggle(id) {
    if (!this.selected.delete(id)) this.selected.add(id);
    this.go(id);
  }

  reach(id) {
    if (this.#start === null) {
      this.#start = this.cursor ?? id;
      this.#others = new Set(this.selected);
    }
    this.cursor = id;
    const ends = [this.index(this.#start), this.index(id)].sort((a, b) => a - b);
    this.selected = new Set(this.#others);
    for (const item of this.ids.slice(Math.max(0, ends[0]), ends[1] + 1)) this.selected.add(item);
  }

  all() { this.selected = new Set(this.ids); }
  none() { this.selected = new Set(); this.#start = null; }
  others() { this.selected = new Set(this.ids.filter((id) => !this.selected.has(id))); }

  /** The items to which a command applies: the selection in order, else the cursor's item. */
  get meant() {
    if (this.selected.size) return this.ids.filter((id) => this.selected.has(id));
    return this.cursor === null ? [] : [this.cursor];
  }

  with(id) { return this.selected.has(id) ? this.meant : [id]; }
}

export function shapeFor(width, isSmall) {
  const pad = isSmall ? 16 : 32, gap = isSmall ? 12 : 24, least = isSmall ? 96 : 152;
  const cols = Math.max(isSmall ? 3 : 2, Math.floor((width - 2 * pad + gap) / (least + gap)));
  const side = Math.max(40, (width - 2 * pad - (cols - 1) * gap) / cols);
  return { cols, side, pad, gap, top: 10, row: side + (isSmall ? 48 : 66) };
}

export const spot = (shape, cell) => [
  shape.pad + cell % shape.cols * (shape.side + shape.gap),
  shape.top + Math.floor(cell / shape.cols) * shape.row,
];

// The gap at a point: before a cover on its left half. `lead`: empty cells in the first row.
export function gapAt(shape, x, y, count, lead = 0) {
  const lastRow = Math.max(0, Math.floor((count + lead - 1) / shape.cols));
  const row = Math.max(0, Math.min(lastRow, Math.floor((y - shape.top) / shape.row)));
  const across = (x - shape.pad + shape.gap / 2) / (shape.side + shape.gap);
  const col = Math.max(0, Math.min(shape.cols, Math.round(across)));
  const cell = Math.max(lead, Math.min(count + lead, row * shape.cols + col));
  return { gap: cell - lead, row, col: cell - row * shape.cols, isBehind: across < col };
}

export const count = (number, noun) =>
  `${number.toLocaleString('en')} ${noun}${number === 1 ? '' : 's'}`;

export function duration(seconds) {
  const whole = Math.round(seconds), hours = Math.floor(whole / 3600);
  const minutes = Math.floor(whole % 3600 / 60);
  if (hours) return `${hours.toLocaleString('en')} h${minutes ? ` ${minutes} min` : ''}`;
  return `${minutes}:${String(whole % 60).padStart(2, '0')}`;
}

export function hue(text) {
  let sum = 0;
  for (const character of text) sum = (sum * 31 + character.codePointAt(0)) >>> 0;
  return sum % 360;
}

// Shortens a text to one line; titles in files may have 64 KiB.
export const short = (text) => text.length > 300 ? `${text.slice(0, 299)}…` : text;

export const albumName = (album) =>
  [short(album.title), short(album.artist), album.year].filter(Boolean).join(', ')
  + (album.presence === 'present' ? '' : ', away');
