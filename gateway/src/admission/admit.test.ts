import { expect, test } from 'vitest';
import { holdRefusal } from './admit.ts';
import { HeldRefusals } from './delayed-rejection.ts';

test('a call counts no more as in flight while its refusal is held', async () => {
  const refusals = new HeldRefusals(100);
  const seen: string[] = [];
  const held = holdRefusal({ leave: () => seen.push('left') }, { holdRefusal: () => refusals.wait() });
  await held.then(() => seen.push('answered'));
  expect(seen).toEqual(['left', 'answered']);
});
