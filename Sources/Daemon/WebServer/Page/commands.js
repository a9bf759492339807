// The user's commands, and the messages about them.

import { bringing, Choice, count, isSameList, moving } from './model.js';
import { $ } from './view.js';
import { albumsIn, edit, library, memory, post, Refused } from './link.js';

/** The open crate, and each crate's cursor and selection. */
export const state = {
  crate: null,
  /** The albums or songs that were picked up to be moved. */
  held: { ids: [], isSongs: false },
  /** The crate to which something was moved last. */
  last: null,
};

const choices = new Map();

export function choiceOf(crate) {
  let choice = choices.get(crate);
  if (!choice) choices.set(crate, choice = new Choice());
  choice.follow(albumsIn(crate));
  return choice;
}

export const here = () => choiceOf(state.crate);

export function renameChoice(old, name) {
  const choice = choices.get(old);
  if (choice) {
    choices.delete(old);
    choices.set(name, choice);
  }
  if (state.last === old) state.last = name;
  if (state.crate === old) setCrate(name);
}

export function setCrate(name) {
  state.crate = name;
  memory.set('crate', name);
}

const SENTENCES = {
  NothingToUndo: 'There is nothing to take back.',
  NothingToRedo: 'There is nothing to bring back.',
  Away: 'Crated is away. Nothing was changed.',
  CrateExists: 'There is a crate of that name already.',
};
const SHORT = 6000, LONG = 12_000;   // Milliseconds that a sentence stays.

let timer = 0, said = null;

/** Shows a message; “Take back” undoes `change`. `isQuiet`: for screen readers only. */
export function say(text, { isBad = false, change = null, isQuiet = false } = {}) {
  clearTimeout(timer);
  $('said').textContent = text;
  $('toast').className = isQuiet ? '' : isBad ? 'on bad' : 'on';
  $('take-back').hidden = change === null;
  said = change;
  timer = setTimeout(hush, isBad || change !== null ? LONG : SHORT);
}

export function hush() {
  $('toast').className = '';
  $('take-back').hidden = true;
}

export function complain(error) {
  if (!(error instanceof Refused)) throw error;
  const { reason } = error.parameters;
  const sentence = SENTENCES[error.kind]
    ?? (error.kind.startsWith('NoSuch') ? 'It is gone.' : 'That was refused.');
  say(reason ? reason[0].toUpperCase() + reason.slice(1) : sentence,
    { isBad: !error.kind.startsWith('NothingTo') });
}

export async function ask(method, parameters, prediction) {
  try {
    const change = await edit(method, parameters, prediction);
    const canTakeBack = change.changed && method !== 'Undo' && method !== 'Redo';
    say(change.summary, { change: canTakeBack ? change.sequence : null });
    return change;
  } catch (error) {
    complain(error);
    return null;
  }
}

export const sayUnmoved = () => say('Nothing to do: that is how it stands.');

export function moveAlbums(ids, crate, place) {
  if (ids.length === 0) return null;
  const list = albumsIn(crate), set = new Set(ids);
  const isHere = list.length > 0 && ids.every((id) => library.albums.get(id)?.crate === crate);
  const block = isHere ? list.filter((id) => set.has(id)) : ids;
  const next = isHere ? moving(set, place, list) : bringing(ids, place, list);
  if (isHere && isSameList(list, next)) {
    sayUnmoved();
    return null;
  }
  if (!isHere) state.last = crate;
  const after = next[next.indexOf(block[0]) - 1] ?? null;
  return ask('MoveAlbums', isHere ? { albums: ids, place } : { albums: ids, crate, place },
    { ids: block, crate, after });
}

export function moveToCrate(ids, crate) {
  if (crate !== state.crate) here().none();
  state.last = crate;
  return moveAlbums(ids, crate, { where: 'top' });
}

export const undo = () => ask('Undo', {});
export const redo = () => ask('Redo', {});

/** Undoes one change, even if others followed it. */
export async function takeBack(sequence) {
  try {
    return await edit('Undo', { change: sequence });
  } catch (error) {
    if (error.kind === 'Away') throw error;
    return edit('Undo', { only: sequence });
  }
}

$('take-back').addEventListener('click', async () => {
  const sequence = said;
  hush();
  if (!$('take-back').closest('dialog')) $('grid').focus({ preventScroll: true });
  try { say((await takeBack(sequence)).summary); } catch (error) { complain(error); }
});

export async function play(what) {
  const [ids] = Object.values(what);
  if (ids.length === 0) return;
  try { say((await post('/play', what)).text); } catch (error) { complain(error); }
}

export function pickUp(ids, isSongs) {
  if (ids.length === 0) return;
  state.held = { ids, isSongs };
  const things = count(ids.length, isSongs ? 'song' : 'album');
  say(`${things} picked up: p puts behind the cursor, P before it`);
}

export const letGoOfHeld = () => { state.held = { ids: [], isSongs: false }; };
