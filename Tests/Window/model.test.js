// The pure part of the page: node --test Tests/Window
import assert from 'node:assert/strict';
import { test } from 'node:test';
import {
  albumName, bringing, Choice, count, duration, gapAt, moving, placeOfGap, shapeFor, short, spot,
  substitute,
} from '../../Sources/Daemon/WebServer/Page/model.js';

/** A random number below a bound, the same in every run: SplitMix64, as in the Swift tests. */
class Random {
  constructor(seed) { this.state = BigInt(seed); }
  below(bound) {
    this.state = BigInt.asUintN(64, this.state + 0x9e3779b97f4a7c15n);
    let z = this.state;
    z = BigInt.asUintN(64, (z ^ (z >> 30n)) * 0xbf58476d1ce4e5b9n);
    z = BigInt.asUintN(64, (z ^ (z >> 27n)) * 0x94d049bb133111ebn);
    return Number((z ^ (z >> 31n)) % BigInt(bound));
  }
}

const list = (text) => [...text];
const moved = (order, chosen, where, anchor, gone = '') =>
  moving(new Set(chosen), { where, anchor }, list(order), (item) => !gone.includes(item)).join('');

test('moves go where Ordering says', () => {
  for (const [order, chosen, where, anchor, expected, gone] of [
    ['abcde', 'c', 'top', null, 'cabde'],
    ['abcde', 'c', 'bottom', null, 'abdec'],
    ['abcde', 'c', 'up', null, 'acbde'],
    ['abcde', 'a', 'up', null, 'abcde'],
    ['abcde', 'e', 'down', null, 'abcde'],
    ['abcde', 'bd', 'up', null, 'abdce'],          // Scattered ones gather at the first.
    ['abcde', 'bd', 'down', null, 'acbde'],        // Or before the last.
    ['abcde', 'bc', 'down', null, 'adbce'],
    ['abcde', 'bc', 'before', 'e', 'adbce'],
    ['abcde', 'bd', 'after', 'a', 'abdce'],
    ['abcde', 'c', 'before', 'c', 'abcde'],
    ['abcde', 'bd', 'after', 'd', 'acbde'],        // They gather at it.
    ['axbcd', 'b', 'up', null, 'baxcd', 'x'],      // Over what is gone, too.
    ['abxcd', 'b', 'down', null, 'axcbd', 'x'],
    ['axbcd', 'ab', 'down', null, 'xcabd', 'x'],   // Neighbours, since x isn't shown.
    ['abcde', 'x', 'up', null, 'abcde'],
    ['abcde', '', 'top', null, 'abcde'],
  ]) {
    assert.equal(moved(order, chosen, where, anchor, gone), expected,
      [order, chosen, where, anchor].join(' '));
  }
});

/** The same rule, as the specification says it, item by item. */
function oracle(order, chosen, place, isListed) {
  const block = order.filter((item) => chosen.has(item));
  const shown = order.filter(isListed), own = shown.filter((item) => chosen.has(item));
  let next;   // The first of the rest that stands behind the block; undefined: none.
  const rest = order.filter((item) => !chosen.has(item));
  const restFrom = (item) => order.slice(order.indexOf(item)).find((other) => !chosen.has(other));
  if (block.length === 0) return order;
  if (place.where === 'top') next = rest[0];
  const anchor = order.indexOf(place.anchor);
  if (place.where === 'before') next = anchor < 0 ? rest[0] : restFrom(place.anchor);
  if (place.where === 'after' && anchor >= 0) {
    next = order.slice(anchor + 1).find((item) => !chosen.has(item));
  }
  if (place.where === 'up' || place.where === 'down') {
    if (own.length === 0) return order;
    const isUp = place.where === 'up';
    const first = shown.indexOf(own[0]), last = shown.indexOf(own.at(-1));
    const neighbour = shown[isUp ? first - 1 : last + 1];
    const isTogether = last - first === own.length - 1;
    if (isTogether && neighbour === undefined) return order;
    if (!isTogether) next = restFrom(isUp ? block[0] : block.at(-1));
    else next = isUp ? neighbour : rest[rest.indexOf(neighbour) + 1];
  }
  const index = next === undefined ? rest.length : rest.indexOf(next);
  return rest.toSpliced(index, 0, ...block);
}

/** A seeded move: a list of up to 12, some of it not listed, some of it chosen, and a place. */
function someMove(random) {
  const order = [...Array(1 + random.below(12)).keys()];
  for (let index = order.length - 1; index > 0; index--) {
    const other = random.below(index + 1);
    [order[index], order[other]] = [order[other], order[index]];
  }
  const gone = new Set(order.filter(() => random.below(5) === 0));
  const chosen = new Set(order.filter(() => random.below(3) === 0));
  const where = ['top', 'bottom', 'up', 'down', 'before', 'after'][random.below(6)];
  const anchor = random.below(order.length);
  const place = where === 'before' || where === 'after' ? { where, anchor } : { where };
  return { order, gone, chosen, place };
}

test('10,000 seeded moves follow the rule', () => {
  const random = new Random(10);
  for (let number = 0; number < 10_000; number++) {
    const { order, gone, chosen, place } = someMove(random), isListed = (item) => !gone.has(item);
    assert.deepEqual(moving(chosen, place, order, isListed), oracle(order, chosen, place, isListed),
      JSON.stringify({ order, gone: [...gone], chosen: [...chosen], place }));
  }
});

test('10,000 seeded moves end as in OrderingTests', () => {
  const random = new Random(10);
  let digest = 0x811c9dc5;   // FNV-1a of all orders, each with 255 behind it.
  const add = (byte) => { digest = Math.imul(digest ^ byte, 0x01000193) >>> 0; };
  for (let number = 0; number < 10_000; number++) {
    const { order, gone, chosen, place } = someMove(random);
    moving(chosen, place, order, (item) => !gone.has(item)).forEach(add);
    add(255);
  }
  assert.equal(digest, 1190964580);
});

test('what comes from elsewhere keeps the order that it is given', () => {
  assert.equal(bringing(list('xya'), { where: 'top' }, list('abc')).join(''), 'xyabc');
  assert.equal(bringing(list('xa'), { where: 'after', anchor: 'b' }, list('abc')).join(''), 'bxac');
  assert.equal(bringing(list('x'), { where: 'bottom' }, []).join(''), 'x');
});

test('a prediction changes nothing when it is applied again', () => {
  const random = new Random(11);
  for (let number = 0; number < 2000; number++) {
    const { order, chosen, place } = someMove(random);
    const block = order.filter((item) => chosen.has(item));
    if (block.length === 0) continue;
    const next = moving(chosen, place, order), after = next[next.indexOf(block[0]) - 1];
    const again = after === undefined ? { where: 'top' } : { where: 'after', anchor: after };
    assert.deepEqual(bringing(block, again, order), next);
    assert.deepEqual(bringing(block, again, next), next);
  }
});

test('a gap is the place on the side of the pointer', () => {
  const place = (gap, taken, isBehind) => placeOfGap(list('abcd'), gap, new Set(taken), isBehind);
  assert.deepEqual(place(2, 'a', true), { where: 'after', anchor: 'b' });
  assert.deepEqual(place(2, 'a', false), { where: 'before', anchor: 'c' });
  assert.deepEqual(place(2, 'bc', true), { where: 'after', anchor: 'a' });
  assert.deepEqual(place(4, '', true), { where: 'bottom' });
  assert.deepEqual(place(0, '', false), { where: 'top' });
  assert.deepEqual(place(1, 'a', true), { where: 'top' });
});

test('the gap under a point is before the left half of a cover and behind the right one', () => {
  for (const [width, isSmall] of [[1188, false], [390, true], [720, true], [3000, false]]) {
    const shape = shapeFor(width, isSmall);
    for (let index = 0; index < 20; index++) {
      for (const lead of [0, 1, 2]) {
        const [x, y] = spot(shape, index + lead), middle = shape.side / 2;
        const left = gapAt(shape, x + middle - 2, y + 9, 20, lead);
        const right = gapAt(shape, x + middle + 2, y + 9, 20, lead);
        assert.equal(left.gap, index);
        assert.equal(left.isBehind, false);
        assert.equal(right.gap, index + 1);
        assert.equal(right.isBehind, true);
      }
    }
    assert.equal(gapAt(shape, width - 1, 1e6, 20).gap, 20);
    assert.equal(gapAt(shape, 0, -50, 20, 1).gap, 0);
  }
  assert.equal(shapeFor(390, true).cols, 3);
});

test('a choice follows its list', () => {
  const choice = new Choice();
  choice.follow(list('abcdef'));
  assert.equal(choice.cursor, 'a');
  choice.go('c');
  choice.toggle('d');
  choice.toggle('b');
  assert.deepEqual(choice.meant, ['b', 'd']);
  assert.deepEqual(choice.with('b'), ['b', 'd']);
  assert.deepEqual(choice.with('a'), ['a']);
  choice.follow(list('acdef'));
  assert.deepEqual(choice.meant, ['d']);
  assert.equal(choice.cursor, 'c');   // It was b, which is gone.
  choice.none();
  assert.deepEqual(choice.meant, ['c']);
  choice.follow(list('ab'));
  assert.equal(choice.cursor, 'a');
  choice.follow([]);
  assert.deepEqual(choice.meant, []);
});

test('a range goes from where it began, and shrinks again', () => {
  const choice = new Choice();
  choice.follow(list('abcdef'));
  choice.toggle('f');
  choice.go('b');
  choice.reach('d');
  assert.deepEqual(choice.meant, list('bcdf'));
  choice.reach('c');
  assert.deepEqual(choice.meant, list('bcf'));
  choice.reach('a');
  assert.deepEqual(choice.meant, list('abf'));
  choice.others();
  assert.deepEqual(choice.meant, list('cde'));
  assert.equal(choice.beyond(100), 'f');
  assert.equal(choice.beyond(-100), 'a');
});

test('what vanished is replaced by its neighbour', () => {
  assert.equal(substitute('c', list('abcde'), list('abde')), 'd');
  assert.equal(substitute('e', list('abcde'), list('abd')), 'd');
  assert.equal(substitute('c', list('abc'), list('xyz')), 'x');
  assert.equal(substitute('c', list('abc'), []), null);
  assert.equal(substitute(null, [], list('ab')), 'a');
});

test('words', () => {
  assert.equal(duration(65), '1:05');
  assert.equal(duration(3600), '1 h');
  assert.equal(duration(5 * 3600 + 59), '5 h');
  assert.equal(duration(3900), '1 h 5 min');
  assert.equal(count(1, 'album'), '1 album');
  assert.equal(count(8000, 'album'), '8,000 albums');
  assert.equal(short('x'.repeat(65_536)).length, 300);
  const album = { title: 'Blue Train', artist: 'John Coltrane', year: 1957, presence: 'present' };
  assert.equal(albumName(album), 'Blue Train, John Coltrane, 1957');
  assert.equal(albumName({ ...album, presence: 'offline', year: null }),
    'Blue Train, John Coltrane, away');
});
