import { expect, test } from 'vitest';
import { isSourceList } from './source-list.ts';

test.each([
  ['Request for Supply Arrangement', 'This RFSA is not a solicitation of bids or tenders and pre-qualifies suppliers.'],
  [undefined, 'The source list is kept for ten years. This notice does not constitute a bid solicitation.'],
  [undefined, 'Cette liste de fournisseurs ne constitue pas un appel d’offres.'],
])('%s: %s', (type, text) => {
  expect(isSourceList(type, text)).toBe(true);
});

test.each([
  ['Request for Standing Offer', 'Offers are asked for 400 lamps. A standing offer is not a contract.'],
  ['Request for Information', 'For a later standing offer. This is not a solicitation.'],
  ['Request for Proposal', 'This notice is not a solicitation of interest in upkeep; lamps alone are asked for.'],
])('%s: %s asks for something', (type, text) => {
  expect(isSourceList(type, text)).toBe(false);
});
