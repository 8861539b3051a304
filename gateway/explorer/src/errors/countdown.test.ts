import { expect, test } from 'vitest';
import { waitInWords } from './countdown.ts';

test('a wait is shown in its two largest units', () => {
  expect([45, 725, 12_000, 187_200].map(waitInWords)).toEqual(['45 s', '12 min 5 s', '3 h 20 min', '2 d 4 h']);
});
