import { expect, test } from 'vitest';
import { FEEDS_SETTING, hostsOfFeeds, RIGHTS_SETTING, readFeeds } from './feeds.ts';
import { newsrooms } from './source.ts';

function settings(feeds: string): ReadonlyMap<string, string> {
  return new Map([['feeds', feeds]]);
}

test('a run asks for the feeds that the operator named, names and addresses with commas included', () => {
  const text =
    'https://ir.acme.example/rss?a=1,2|Acme, Inc.|US|www.acme.example, https://weir.example/feed|Weir|CA|weir.example';
  expect(readFeeds(settings(text))).toEqual([
    { address: 'https://ir.acme.example/rss?a=1,2', name: 'Acme, Inc.', country: 'US', hostname: 'acme.example' },
    { address: 'https://weir.example/feed', name: 'Weir', country: 'CA', hostname: 'weir.example' },
  ]);
  const requests = newsrooms.requests?.({ now: new Date(), settings: settings(text), watermark: undefined }) ?? [];
  expect(requests.map(({ url }) => url)).toEqual(['https://ir.acme.example/rss?a=1,2', 'https://weir.example/feed']);
});

test('hosts are those that the operator wrote, each exactly', () => {
  expect(hostsOfFeeds(settings('https://ir.acme.example/rss|Acme|US|acme.example'))).toEqual([
    'ir.acme.example',
    'acme.example',
    'www.acme.example',
  ]);
});

test.each([
  'acme.example/rss|Acme|US|acme.example',
  'https://*.example.com/rss|Acme|US|acme.example',
  'https://127.0.0.1/rss|Acme|US|acme.example',
  'https://[::1]/rss|Acme|US|acme.example',
  'https://localhost/rss|Acme|US|acme.example',
  'https://user:secret@acme.example/rss|Acme|US|acme.example',
  'ftp://acme.example/rss|Acme|US|acme.example',
  'https://acme.example/rss|Acme|GB|acme.example',
  'https://acme.example/rss||US|acme.example',
  'https://acme.example/rss|Acme|US',
  'https://acme.example/rss|Acme|US|acme.example|more',
])('%s is refused when it is set, and opens no host', (feeds) => {
  expect(FEEDS_SETTING.check?.(feeds)).toMatch(/^Feed 1 must be address\|name\|CA or US\|hostname/);
  expect(hostsOfFeeds(settings(feeds))).toEqual([]);
});

test('the right to quote is confirmed by its word alone', () => {
  expect(RIGHTS_SETTING.check?.('yes')).toBe('rights must be the word confirmed.');
  expect(RIGHTS_SETTING.check?.('confirmed')).toBeUndefined();
});
