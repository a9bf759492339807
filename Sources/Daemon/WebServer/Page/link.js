// Calls to the server: the key of this device, one answer, or a stream of them.

const INTERFACE = 'org.crated.Crates.';
const LONGEST_CALL = 10_000;

/** What this browser remembers; it may forbid that. */
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

/** An error of the daemon (`kind` is its name), or `Away`: it could not be asked. */
export class Refused extends Error {
  constructor(kind, parameters = {}) {
    super(kind);
    this.kind = kind;
    this.parameters = parameters;
  }
}

/** Called when the key is good no longer. */
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

async function answer(path, body, method) {
  const response = await send(path, body, { method, signal: AbortSignal.timeout(LONGEST_CALL) });
  try { return await response.json(); } catch { throw new Refused('Away'); }
}

export const call = (method, parameters = {}) => answer(`/call/${INTERFACE}${method}`, parameters);
export const get = (path) => answer(path, undefined, 'GET');
export const post = (path, body) => answer(path, body, 'POST');

/** The replies of a method that streams, as they come (RFC 7464). */
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

/** The secret of this device by which covers are asked for. */
let covers = '';
export function setCovers(secret) { covers = secret; }
export const coverAddress = (album, side) =>
  album?.cover ? `/covers/${covers}/${album.id}/${album.cover}-${side}.jpg` : null;

export const isSeen = () => document.visibilityState === 'visible';

/** Waits so long, or until the page is looked at or the network is back. */
export function pause(milliseconds) {
  return new Promise((resolve) => {
    const done = new AbortController();
    const end = () => { done.abort(); clearTimeout(timer); resolve(); };
    const timer = setTimeout(end, milliseconds);
    addEventListener('online', end, { signal: done.signal });
    document.addEventListener('visibilitychange', () => isSeen() && end(), { signal: done.signal });
  });
}

export function untilSeen() {
  if (isSeen()) return Promise.resolve();
  return new Promise((resolve) => {
    const done = new AbortController();
    const look = () => { if (isSeen()) { done.abort(); resolve(); } };
    document.addEventListener('visibilitychange', look, { signal: done.signal });
    addEventListener('pageshow', look, { signal: done.signal });
  });
}
