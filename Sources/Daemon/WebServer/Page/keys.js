// The commands with all their inputs: the table for the keys, the help and the manual page.
// keys: ^ is Ctrl or Cmd, ! Alt, + Shift with an arrow. act: an action of app.js with arguments.

export const KEYS = [
  { keys: ['ArrowRight', 'l'], act: ['step', 1, 0], show: '← → ↑ ↓', help: 'Go', mouse: 'Click', finger: 'Tap' },
  { keys: ['ArrowLeft', 'h'], act: ['step', -1, 0] },
  { keys: ['ArrowDown', 'j'], act: ['step', 0, 1] },
  { keys: ['ArrowUp', 'k'], act: ['step', 0, -1] },
  { keys: ['Home', 'g'], act: ['end', -1], show: 'Home End', help: 'First, last' },
  { keys: ['End', 'G'], act: ['end', 1] },
  { keys: ['PageDown', '^d'], act: ['page', 1] },
  { keys: ['PageUp', '^u'], act: ['page', -1] },
  { keys: ['Enter'], act: ['enter'], show: '⏎', help: 'The album’s songs; a crate’s albums', mouse: 'Double click', finger: 'Tap' },
  { keys: [' '], act: ['toggle'], show: 'Space', help: 'Select one, and go on', mouse: 'Tick, or Ctrl-click', finger: 'Hold and let go, then tap' },
  { keys: ['+ArrowRight'], act: ['reach', 1, 0], show: 'Shift-arrows', help: 'Select a range', mouse: 'Shift-click', finger: '' },
  { keys: ['+ArrowLeft'], act: ['reach', -1, 0] },
  { keys: ['+ArrowDown'], act: ['reach', 0, 1] },
  { keys: ['+ArrowUp'], act: ['reach', 0, -1] },
  { keys: ['a', '^a'], act: ['all'], show: 'a i Esc', help: 'Select all, the others, none', mouse: 'Select none' },
  { keys: ['i'], act: ['others'] },
  { keys: ['Escape'], act: ['escape'] },
  { keys: ['x', '^x'], act: ['pickUp'], show: 'x p P', help: 'Pick up; put behind, before', mouse: 'Drag', finger: 'Hold and drag' },
  { keys: ['p', '^v'], act: ['put', 'after'] },
  { keys: ['P'], act: ['put', 'before'] },
  { keys: ['K', '!ArrowUp', '!ArrowLeft'], act: ['move', 'up'], show: 'K J t b', help: 'Up, down, to the top, to the bottom', mouse: 'Select: toolbar' },
  { keys: ['J', '!ArrowDown', '!ArrowRight'], act: ['move', 'down'] },
  { keys: ['t'], act: ['move', 'top'] },
  { keys: ['b'], act: ['move', 'bottom'] },
  { keys: ['m'], act: ['pick'], show: 'm M', help: 'To a crate; to the same again', mouse: 'Drag on the crate', finger: 'Hold and drag on the crate' },
  { keys: ['M'], act: ['again'] },
  ...[1, 2, 3, 4, 5, 6, 7, 8, 9].map((number) => ({
    keys: [String(number)], act: ['openNumber', number],
    ...number === 1 ? { show: '1 … 9', help: 'Open a crate', mouse: 'Click', finger: 'Crates' } : {},
  })),
  { keys: ['u', '^z'], act: ['undo'], show: 'u U', help: 'Undo, redo', mouse: 'Buttons' },
  { keys: ['U', '^Z', '^y'], act: ['redo'] },
  { keys: ['/', '^f'], act: ['find'], show: '/', help: 'Find', mouse: 'Field' },
  { keys: ['+'], act: ['arrivals'], show: '+', help: 'New arrivals, one by one', mouse: 'Button' },
  { keys: ['s'], act: ['sort'], show: 's', help: 'Sort', mouse: 'Button' },
  { keys: ['!'], act: ['play'], show: '!', help: 'Play', mouse: 'Button' },
  { keys: ['r'], act: ['rename'], show: 'r', help: 'Rename the crate', mouse: 'Button' },
  { keys: ['?'], act: ['help'], show: '?', help: 'These keys', mouse: 'Button' },
];

const byKey = new Map(KEYS.flatMap(({ keys, act }) => keys.map((key) => [key, act])));

export function actionOf({ key, ctrlKey, metaKey, altKey, shiftKey }) {
  const isCommand = ctrlKey || metaKey, isArrow = key.startsWith('Arrow');
  if (isCommand && altKey) return undefined;
  return byKey.get(`${isCommand ? '^' : ''}${altKey ? '!' : ''}${shiftKey && isArrow && !altKey ? '+' : ''}${key}`);
}
