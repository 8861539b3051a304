import { expect, test } from 'vitest';
import { askForKey, forgetInFamily, giveKey, LinkOffers } from './hand-over.ts';

const KEY = { apiKey: 'ces_live_x', family: 'f' };
const LONG_MS = 5_000;
/** Long enough for a message between two channels of one process. */
const SHORT_MS = 200;

test('a tab opened by a link of a signed-in tab gets its key, once', async () => {
  const offers = new LinkOffers();
  using _ = giveKey(KEY, offers, () => undefined);
  offers.offer('/explore/operations/7', Date.now());
  expect(await askForKey('/explore/operations/7', LONG_MS)).toEqual(KEY);
  expect(await askForKey('/explore/operations/7', SHORT_MS)).toBeUndefined();
});

test('a tab at an address that was not opened from here gets nothing', async () => {
  const offers = new LinkOffers();
  using _ = giveKey(KEY, offers, () => undefined);
  offers.offer('/explore/operations/7', Date.now());
  expect(await askForKey('/explore', SHORT_MS)).toBeUndefined();
});

test('an offer ends after a minute', () => {
  const offers = new LinkOffers();
  offers.offer('/explore', 1_000);
  expect(offers.take('/explore', 61_001)).toBe(false);
});

test('to forget a key in one tab is to forget it in those that have it from each other', async () => {
  const forgotten = Promise.withResolvers<string>();
  using _one = giveKey(KEY, new LinkOffers(), () => forgotten.resolve('f'));
  using _other = giveKey({ ...KEY, family: 'g' }, new LinkOffers(), () => forgotten.resolve('g'));
  forgetInFamily('g');
  expect(await forgotten.promise).toBe('g');
});

test('other messages of the channel are ignored', async () => {
  const channel = new BroadcastChannel('ces-session');
  channel.onmessage = ({ data }) => channel.postMessage({ is: 'give', id: data.id, key: { apiKey: 7 } });
  expect(await askForKey('/explore', SHORT_MS)).toBeUndefined();
  channel.close();
});
