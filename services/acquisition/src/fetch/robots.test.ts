import { expect, test } from 'vitest';
import { type ReadRobots, RobotsRules } from './robots.ts';

const PAGE = new URL('https://bulletin.example/private/tenders.csv');

function rules(read: ReadRobots): RobotsRules {
  return new RobotsRules(read, 'company-evidence-search/0.1');
}

test('pages that robots.txt disallows are not requested, and its delay is kept', async () => {
  const text = 'User-agent: *\nDisallow: /private/\nAllow: /open/\nCrawl-delay: 4\n';
  const asked = rules(async () => text);
  expect(await asked.ask(PAGE)).toEqual({ allowed: false, unreadable: undefined, crawlDelay: 4 });
  expect(await asked.ask(new URL('/open/a.csv', PAGE))).toEqual({
    allowed: true,
    unreadable: undefined,
    crawlDelay: 4,
  });
});

test('a group with our own name precedes the one for all programs', async () => {
  const text = 'User-agent: *\nDisallow: /\n\nUser-agent: company-evidence-search\nDisallow: /admin/\n';
  expect(await rules(async () => text).ask(PAGE)).toMatchObject({ allowed: true });
});

test('a group applies to every program that it names, in any spelling, and continues after comments', async () => {
  const text =
    'User-Agent : another/2\n# remark\n\nuser-agent: Company-Evidence-Search/9 # us\nUser-agent: another\nDisallow: /private\n' +
    'Crawl-delay: 2\nUser-agent: third\nDisallow: /\n';
  expect(await rules(async () => text).ask(PAGE)).toEqual({ allowed: false, unreadable: undefined, crawlDelay: 2 });
  expect(await rules(async () => text).ask(new URL('/open', PAGE))).toEqual({
    allowed: true,
    unreadable: undefined,
    crawlDelay: 2,
  });
});

test('a line that is no rule, such as Sitemap, ends no group and no list of programs', async () => {
  const text =
    'User-agent: company-evidence-search\nSitemap: https://bulletin.example/a.xml\nUser-agent: another\nDisallow: /private/\n' +
    'Sitemap: https://bulletin.example/b.xml\nHost: bulletin.example\nDisallow: /hidden/\n';
  const asked = rules(async () => text);
  expect(await asked.ask(PAGE)).toMatchObject({ allowed: false });
  expect(await asked.ask(new URL('/hidden/a', PAGE))).toMatchObject({ allowed: false });
  expect(await asked.ask(new URL('/open', PAGE))).toMatchObject({ allowed: true });
});

test.each([
  ['/%70rivate/', '/private/a'],
  ['/private/', '/%70riv%61te/a'],
  ['/a%3cd.html', '/a%3Cd.html'],
  ['/a~b/', '/a%7Eb/'],
  ['/caf\u00e9', '/caf%c3%a9'],
  ['/caf%C3%A9', '/caf\u00e9'],
  ['/a-%2A.html', '/a-*.html'],
  ['/a%24', '/a$b'],
  ['/a$b', '/a%24b'],
])('the rule %s is about %s', async (rule, path) => {
  const text = `User-agent: *\nDisallow: ${rule}\n`;
  expect(await rules(async () => text).ask(new URL(path, PAGE))).toMatchObject({ allowed: false });
});

test.each([
  ['/a%2Fb', '/a/b'],
  ['/a%2Ab', '/axb'],
  ['/a?b', '/a%3Fb'],
  ['/*.pdf$', '/a.pdf%24'],
])('the rule %s is not about %s', async (rule, path) => {
  const text = `User-agent: *\nDisallow: ${rule}\n`;
  expect(await rules(async () => text).ask(new URL(path, PAGE))).toMatchObject({ allowed: true });
});

test('rules for other programs do not apply', async () => {
  const text = 'User-agent: another\nDisallow: /\nUser-agent: third\nDisallow: /\n';
  expect(await rules(async () => text).ask(PAGE)).toMatchObject({ allowed: true });
});

test('an address is not asked for whose rules would take long to match', async () => {
  const text = `User-agent: *\nDisallow: /${'*a'.repeat(250_000)}\n`;
  expect(await rules(async () => text).ask(new URL(`/${'a'.repeat(8_000)}`, PAGE))).toMatchObject({ allowed: false });
  expect(await rules(async () => text).ask(new URL('/b', PAGE))).toMatchObject({ allowed: true });
});

test('a host without robots.txt may be asked, one that cannot say so may not', async () => {
  expect(await rules(async () => 'absent').ask(PAGE)).toMatchObject({ allowed: true });
  expect(await rules(() => Promise.reject(new Error('no route'))).ask(PAGE)).toMatchObject({
    allowed: false,
    unreadable: 'no route',
  });
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
