import { expect, test } from 'vitest';
import { failureOf } from './failure.ts';
import { readOrder } from './order.ts';
import { refuseOtherDigest } from './transfer.ts';

const ORDER = readOrder(['--registry', 'registry.example.com/team', '--version', '1.4.0', '--unsigned']);
const digest = (digit: string) => `sha256:${digit.repeat(64)}`;
const ITEM = { what: 'chart', name: 'charts/ces', reference: `127.0.0.1:5000/team/charts/ces@${digest('1')}` };

test('a version that is not there, or there as it was made, is published', () => {
  refuseOtherDigest(ORDER, ITEM, undefined);
  refuseOtherDigest(ORDER, ITEM, digest('1'));
});

test('a version that is there as another is never written over', () => {
  expect(() => refuseOtherDigest(ORDER, ITEM, digest('2'))).toThrow(
    `registry.example.com/team/charts/ces:1.4.0 is there already and is another chart, ${digest('2')}: choose a new version.`,
  );
});

test('the error output of a program becomes one sentence', () => {
  const said = new Error('oras failed: \nError: response status code 401: unauthorized\nUsage: oras cp …');
  expect(failureOf('It could not be asked', said).message).toBe(
    'It could not be asked: response status code 401: unauthorized',
  );
});
