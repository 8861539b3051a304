import { expect, test } from 'vitest';
import { type ReadRobots, RobotsRules } from './robots.ts';

const PAGE = new URL('https://bulletin.example/private/tenders.csv');

function rules(read: ReadRobots): RobotsRules {
  return new RobotsRules(read, 'company-evidence-search/0.1');
}

test('what robots.txt disallows is not asked for, and its delay is kept', async () => {
  const text = 'User-agent: *\nDisallow: /private/\nAllow: /open/\nCrawl-delay: 4\n';
  const asked = rules(async () => text);
  expect(await asked.ask(PAGE)).toEqual({ allowed: false, crawlDelay: 4 });
  expect(await asked.ask(new URL('/open/a.csv', PAGE))).toEqual({ allowed: true, crawlDelay: 4 });
});

test('a group of our own name counts before the one for everybody', async () => {
  const text = 'User-agent: *\nDisallow: /\n\nUser-agent: company-evidence-search\nDisallow: /admin/\n';
  expect(await rules(async () => text).ask(PAGE)).toMatchObject({ allowed: true });
});

test('a host without robots.txt may be asked, one that cannot say so may not', async () => {
  expect(await rules(async () => 'absent').ask(PAGE)).toMatchObject({ allowed: true });
  expect(await rules(async () => 'silent').ask(PAGE)).toMatchObject({ allowed: false });
  expect(await rules(() => Promise.reject(new Error('no route'))).ask(PAGE)).toMatchObject({ allowed: false });
});

test('the rules of a host are read once', async () => {
  let times = 0;
  const asked = rules(async () => {
    times += 1;
    return 'absent';
  });
  await Promise.all([asked.ask(PAGE), asked.ask(PAGE)]);
  await asked.ask(PAGE);
  expect(times).toBe(1);
});
