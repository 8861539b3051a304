import { expect, test } from 'vitest';
import { startGateway } from './gateway.ts';
import { answerOf, searched } from './peers.ts';

test('a finished search is 200 with the result and what its closed body has no room for', async () => {
  await using gateway = await startGateway({
    operations: { submitCompanySearch: () => ({ answer: answerOf(searched) }) },
  });
  const response = await gateway.call('/api/companies/search', { method: 'POST', key: 'k', json: { query: 'bids' } });
  console.log(response.status, Object.fromEntries(response.headers), JSON.stringify(await response.json(), null, 1));
  expect(response.status).toBe(200);
});
