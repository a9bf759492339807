// What the person has before them: a crate, and in each crate a cursor and a selection.

import { Choice } from './model.js';
import { memory } from './link.js';
import { albumsIn } from './library.js';

export const state = {
  crate: null,
  /** Albums or songs that were picked up, and wait to be put somewhere else. */
  held: { ids: [], isSongs: false },
  /** The crate that something went to last. */
  last: null,
};

const choices = new Map();

export function choiceOf(crate) {
  let choice = choices.get(crate);
  if (!choice) choices.set(crate, choice = new Choice());
  choice.follow(albumsIn(crate));
  return choice;
}

/** The open crate's list. */
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
