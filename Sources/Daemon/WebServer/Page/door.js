// How a device gets access: by the code of a link, or by six digits typed on a device with access.

import { $, dialog, h } from './view.js';
import { get, hasKey, memory, pause, post, readFirst, setCovers, setKey } from './link.js';
import { complain, say } from './commands.js';

const AWAY = 'Crated is away. It is tried again.';
const ASK = 1000, LATER = 30_000;   // Milliseconds.

function deviceName() {
  const has = (name) => navigator.userAgent.includes(name);
  const browser = ['Firefox', 'Chrome', 'Safari'].find(has) ?? 'Browser';
  const system = ['iPhone', 'iPad', 'Android', 'Windows', 'Mac', 'Linux'].find(has) ?? 'a device';
  return `${browser} on ${system}`;
}

async function enter(body) {
  try {
    const response = await fetch('/enter', {
      method: 'POST', credentials: 'omit', cache: 'no-store',
      headers: { 'Content-Type': 'application/json' }, body: JSON.stringify(body),
    });
    return { status: response.status, ...response.ok ? await response.json() : {} };
  } catch {
    return { status: 503 };
  }
}

export function codeOfLink() {
  const code = location.hash.slice(1);
  if (code) history.replaceState(null, '', '/');
  return code;
}

export async function comeIn(code) {
  for (let wait = 250; ; wait = Math.min(8000, wait * 2)) {
    if (hasKey()) {
      try {
        // Started early, since it needs only the key.
        readFirst().catch(() => {});
        const { covers } = await get('/devices');
        setCovers(covers);
        return;
      } catch (error) {
        if (error.parameters?.status !== 401) {
          $('door').hidden = false;
          showDoor(h('h1', { text: 'Crated' }), h('p', { role: 'alert', text: AWAY }));
          await pause(wait);
          continue;
        }
        setKey(null);
      }
    }
    if (code) {
      const { key } = await enter({ code, name: deviceName() });
      code = null;
      if (key) {
        setKey(key);
        continue;
      }
    }
    await waitAtTheDoor();
  }
}

function showDoor(...children) {
  const image = h('img', { src: '/icon.svg', alt: '', width: 72, height: 72 });
  $('door').replaceChildren(h('main', {}, image, ...children));
}

async function waitAtTheDoor() {
  $('door').hidden = false;
  for (;;) {
    const { status, request, code } = await enter({ name: deviceName() });
    if (!request) {
      showDoor(h('h1', { text: 'Crated' }), h('p', {
        role: 'alert',
        text: status === 429 ? 'Too many devices wait to be let in. It is tried again.' : AWAY,
      }));
      await pause(status === 429 ? LATER : 2000);
      continue;
    }
    showDoor(h('h1', { text: 'Let this device in' }),
      h('p', { text: 'On the machine where Crated runs, type' }),
      h('p', { class: 'command' }, h('code', { text: `crate web --allow ${code}` })),
      h('p', {}, 'or, on a device that is in already, open Devices and type ',
        h('b', { class: 'digits', text: `${code.slice(0, 3)} ${code.slice(3)}` }), '.'),
      h('p', { class: 'soft', role: 'status', text: 'Waiting …' }));
    for (;;) {
      await pause(ASK);
      // Another tab of this browser got a key.
      if (memory.get('key')) return setKey(memory.get('key'));
      const answer = await enter({ request });
      if (answer.key) return setKey(answer.key);
      if (answer.status === 410 || answer.status === 401) break;
    }
  }
}

export function openDoor() {
  $('door').hidden = true;
  $('door').replaceChildren();
}

export async function showDevices() {
  const list = h('ul', { 'aria-label': 'Devices that are in' });
  const input = h('input', {
    'aria-label': 'Code', inputmode: 'numeric', autocomplete: 'off',
    maxlength: 9, required: true,
  });
  const form = h('form', {
    onsubmit: async (event) => {
      event.preventDefault();
      try {
        const { allowed } = await post('/devices', { allow: input.value.replace(/\D/g, '') });
        if (allowed) say(`${allowed} may come in.`);
        else say('No device shows that code.', { isBad: true });
        if (allowed) input.value = '';
        await show();
      } catch (error) { complain(error); }
    },
  }, input, h('button', { class: 'strong', text: 'Let in' }));
  const help = 'Another device shows six digits at its door. Type them here.';
  dialog('Devices', 'devices', list, h('p', { class: 'soft', text: help }), form);
  const forget = async (device) => {
    try {
      await post('/devices', { forget: device.id });
      if (device.this) {
        setKey(null);
        location.reload();
      } else await show();
    } catch (error) { complain(error); }
  };
  async function show() {
    const { devices } = await get('/devices');
    list.replaceChildren(...devices.map((device) => {
      const since = new Date(device.since * 1000).toLocaleDateString('en', { dateStyle: 'long' });
      return h('li', {},
        h('span', {}, h('bdi', { text: device.name }),
          h('small', { text: `${device.this ? 'This one, s' : 'S'}ince ${since}` })),
        h('button', {
          text: 'Forget', 'aria-label': `Forget ${device.name}`, onclick: () => forget(device),
        }));
    }));
  }
  try { await show(); } catch (error) { complain(error); }
}
