import { expect, test } from 'vitest';
import { solicitationIdentifier } from './solicitation.ts';

test.each(['W8486-138507/A', ' 47PF0018R0023 ', '14-0004'])('%s names a solicitation', (number) => {
  expect(solicitationIdentifier(number)).toEqual({ scheme: 'solicitation', value: number.trim() });
});

test.each([undefined, '', 'TBD', 'N/A', 'RFI 1', '9'.repeat(201)])('%s names none', (number) => {
  expect(solicitationIdentifier(number)).toBeUndefined();
});
