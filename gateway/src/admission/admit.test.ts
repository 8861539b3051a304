import { expect, test } from 'vitest';
import { delayRejection } from './admit.ts';
import { DelayedRejections } from './delayed-rejection.ts';

test('a call counts no more as in flight while its rejection is delayed', async () => {
  const rejections = new DelayedRejections(100);
  const seen: string[] = [];
  const delayed = delayRejection({ leave: () => seen.push('left') }, { delayRejection: () => rejections.wait() });
  await delayed.then(() => seen.push('answered'));
  expect(seen).toEqual(['left', 'answered']);
});
