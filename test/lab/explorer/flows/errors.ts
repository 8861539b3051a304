import type { Flow } from '../flow.ts';
import { enter, failure, same, search, settled, until } from '../steps.ts';

const SEARCHES = '**/api/companies/search';
const CONTINUE = 'Continue with the same key';

export const ERROR_FLOWS: readonly Flow[] = [
  {
    name: 'errors: a subscription that was canceled is 402 with what to do',
    visit: { expected: [402] },
    async run(page, world) {
      const subscriber = await world.subscribe();
      await enter(page, world, subscriber.token);
      await world.setStatus(subscriber, 'canceled');
      // The gateway applies the change within one second.
      await until(async () => (await subscriber.report()).status === 402);
      await search(page, world.fixture.query);
      const failed = failure(page, 'subscription_required');
      await failed.getByText('Renew the subscription').waitFor();
      return await failed.getByRole('paragraph').first().innerText();
    },
  },
  {
    name: 'errors: an allowance that is used up counts down, then the same key is answered',
    visit: { expected: [429] },
    async run(page, world) {
      const limits = { windowSeconds: 12n, windowRequestUnits: 1n };
      const subscriber = await world.subscribe({ limits });
      await enter(page, world, subscriber.token);
      await subscriber.search({ query: world.fixture.query, limit: 1 });
      await search(page, world.fixture.query);
      const failed = failure(page, 'request_limit_reached');
      const clock = failed.locator('strong');
      const first = Number.parseInt(await clock.innerText(), 10);
      const button = failed.getByRole('button', { name: CONTINUE });
      same('the button while it waits', await button.isDisabled(), true);
      await until(async () => Number.parseInt(await clock.innerText(), 10) < first);
      await button.and(page.locator(':enabled')).click({ timeout: 20_000 });
      await page.getByText('Cost 1 request unit + 10 delivered units.').waitFor();
      same('the ledger', await settled(subscriber), { request: 2, delivered: 11 });
      return `counted down from ${first} s to nothing, then went on`;
    },
  },
  {
    name: 'errors: a stored failure is 422 and asks for a new key',
    visit: { expected: [422] },
    async run(page, world) {
      const subscriber = await world.subscribe({ testMode: true, plan: 'builder' });
      await enter(page, world, subscriber.token);
      await search(page, 'sandbox:planning_unavailable');
      const failed = failure(page, 'planning_unavailable');
      await failed.getByRole('button', { name: 'Start again with a new key' }).waitFor();
      await page.getByRole('heading', { name: /^Failed: / }).waitFor();
      same('the ledger', await settled(subscriber), { request: 0, delivered: 0 });
      return await failed.getByRole('paragraph').first().innerText();
    },
  },
  {
    name: 'errors: while the service is away it is 503, and the same key is charged once',
    visit: { expected: [503] },
    async run(page, world) {
      const subscriber = await world.subscribe();
      await enter(page, world, subscriber.token);
      const error = {
        code: 'service_unavailable',
        message: 'A part of the service is away: try again with the same key.',
      };
      const keys = new Set<string | undefined>();
      page.on('request', (request) => {
        if (request.url().endsWith('/api/companies/search')) keys.add(request.headers()['idempotency-key']);
      });
      await page.route(SEARCHES, (route) =>
        route.fulfill({ status: 503, headers: { 'retry-after': '0' }, json: { error } }),
      );
      await search(page, world.fixture.query);
      const failed = failure(page, 'service_unavailable');
      await failed.getByText(error.message).waitFor();
      await page.unroute(SEARCHES);
      await failed.getByRole('button', { name: CONTINUE }).click();
      await page.getByText('Cost 1 request unit + 10 delivered units.').waitFor();
      same('the ledger', await settled(subscriber), { request: 1, delivered: 10 });
      same('keys', keys.size, 1);
      return 'one key for every attempt, one charge';
    },
  },
  {
    name: 'errors: answers that are lost are asked for again with their key, at one charge',
    visit: { expected: ['network'] },
    async run(page, world) {
      const subscriber = await world.subscribe();
      await enter(page, world, subscriber.token);
      let lost = 0;
      await page.route(SEARCHES, async (route) => {
        // The request arrives and is charged, but its answer is lost.
        await route.fetch();
        lost += 1;
        await route.abort('connectionreset');
      });
      await search(page, world.fixture.query);
      const failed = failure(page, 'The connection was lost');
      await failed.waitFor();
      await page.unroute(SEARCHES);
      await failed.getByRole('button', { name: CONTINUE }).click();
      await page.getByRole('region', { name: 'Page 1' }).getByText('1 request unit + 10 delivered units').waitFor();
      same('the ledger', await settled(subscriber), { request: 1, delivered: 10 });
      return `${lost} answers lost, one operation, one charge`;
    },
  },
];
