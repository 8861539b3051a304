import { expect, test } from 'vitest';
import type { CompanyResult } from '../../schema/company-search.ts';
import type { SupportingObservation } from '../../schema/observation.ts';
import { describe as describeBody } from './describe.ts';
import { estimateTokens, MAX_TEXT_TOKENS } from './tokens.ts';

const AT = '2026-03-04T05:06:07.089Z';
const usage = {
  id: 41,
  status: 'delivered',
  request_key: 'k',
  request_units: 1,
  delivered_units: 10,
  fresh_evidence_units: 0,
} as const;
const request_allowance = { window_seconds: 18_000, window_remaining: 59, weekly_remaining: 499 };

/** Uses the maximum lengths: excerpts of 600 code points, ten rows of evidence. */
function longObservation(id: number, sentence = 'éü'): SupportingObservation {
  const excerpt = [...sentence.repeat(600)].slice(0, 600).join('');
  const evidence = { source_uri: `https://source.example/${'x'.repeat(200)}`, excerpt };
  return {
    id,
    kind: 'facility_expansion',
    observed_fact: excerpt.slice(0, 500),
    why_it_may_matter: 'It builds.',
    demand_class: 'proxy',
    country: 'CA',
    confidence: 0.9,
    occurred_at: AT,
    observed_at: AT,
    expires_at: null,
    evidence: Array.from({ length: 10 }, () => ({ ...evidence, occurred_at: AT, observed_at: AT })),
  };
}

function searched(observations: SupportingObservation[], over: Partial<CompanyResult> = {}): CompanyResult {
  const company = { name: 'A Ltd', domains: [{ id: 5, hostname: 'a.example' }], limitations: [] };
  return {
    usage,
    request_allowance,
    coverage_status: 'partial',
    retrieval: 'lexical',
    as_of: AT,
    next_cursor: null,
    withheld_units: 0,
    delivery_unit: 'company',
    companies: Array.from({ length: 10 }, (_, index) => ({
      ...company,
      id: index + 1,
      demand_class: 'proxy',
      why_it_may_matter: 'It builds.',
      match: { query: 'q', observation_ids: observations.map(({ id }) => id) },
      observations,
    })),
    ranking: 'query_relevance_baseline',
    candidate_limit: 100,
    coverage: {
      requested_companies: 10,
      available_companies: 57,
      returned_companies: 10,
      occurred_after: AT,
      stop_reason: 'sources_exhausted',
      limitations: ['limited_source_coverage'],
    },
    ...over,
  };
}

function longPage(count: number, sentence: string): CompanyResult {
  const page = searched([1, 2, 3].map((id) => longObservation(id, sentence)));
  const [company] = page.companies;
  if (!company) throw new Error('a page without a company');
  const companies = Array.from({ length: count }, (_, index) => ({ ...company, id: 1_001 + index }));
  return { ...page, companies, next_cursor: 'c'.repeat(300) };
}

const SENTENCES = {
  English: 'The city invites bids for a new water treatment facility, closing on March 4, 2026. ',
  French: 'La ville lance un appel d’offres pour la réfection de l’usine d’épuration, clôturé le 4 mars. ',
  Chinese: '市政府宣布就新建污水处理厂项目进行公开招标，截止日期为三月四日。',
};

test.each(Object.entries(SENTENCES))(
  'fifty companies with the longest texts in %s are all named within the bound',
  (_name, sentence) => {
    const page = longPage(50, sentence);
    const text = describeBody(page);
    expect(estimateTokens(text)).toBeLessThanOrEqual(MAX_TEXT_TOKENS);
    for (const { id } of page.companies) expect(text).toContain(`[company ${id}`);
    expect(text.match(/https:\/\/source\.example\/x{200}/g)?.length).toBeGreaterThanOrEqual(50);
    expect(text).toContain('Shortened, so that clients do not cut it: of 50 companies');
    expect(text).toContain('none is left out. The structuredContent of this result has all of them whole.');
    expect(text).toContain(JSON.stringify(page.next_cursor));
  },
);

test('the best ranked stay whole, those after them keep a quote as long as there is room, the others a fact and its link', () => {
  const text = describeBody(longPage(50, SENTENCES.French));
  const blocks = text.split(/^(?=\d+\. )/m).slice(1);
  const quotes = blocks.map((block) => block.match(/^ {5}"/gm)?.length ?? 0);
  const whole = quotes.filter((count) => count === 3).length;
  expect(whole).toBeGreaterThan(0);
  expect(quotes).toEqual(quotes.toSorted((a, b) => b - a));
  expect(text).toContain(`of 50 companies numbers 1 to ${whole} are whole; `);
});

test('a page with more companies than fit says which are left out and how to get them', () => {
  const text = describeBody(longPage(120, SENTENCES.Chinese));
  expect(estimateTokens(text)).toBeLessThanOrEqual(MAX_TEXT_TOKENS);
  const [, count, first] = /; (\d+) left out \(ids (\d+), /.exec(text) ?? [];
  expect(Number(first)).toBe(1_001 + 120 - Number(count));
  expect(text).not.toContain(`[company ${first}`);
  expect(text).toContain('call get_companies with their ids');
});

test('of fifty companies in a script of many tokens a letter those left out are named by their ids', () => {
  const sentence = 'ᐃᓄᒃᑎᑐᑦ ᑲᓇᑕᒥ ';
  const page = longPage(50, sentence);
  const companies = page.companies.map((company) => ({ ...company, name: sentence.repeat(20) }));
  const text = describeBody({ ...page, companies });
  expect(estimateTokens(text)).toBeLessThanOrEqual(MAX_TEXT_TOKENS);
  for (const { id } of companies) expect(text).toMatch(new RegExp(`\\b${id}\\b`));
  expect(text).toMatch(/; \d+ left out \(ids /);
});

test('a page that fits is described whole, without a word of shortening', () => {
  const text = describeBody(searched([longObservation(31)]));
  expect(text.match(/observation 31\)/g)).toHaveLength(10);
  expect(text).not.toContain('Shortened');
});

test('a look-up of twenty companies with the longest texts names them all within the bound', () => {
  const { companies, ...page } = longPage(20, SENTENCES.Chinese);
  const text = describeBody({
    usage: page.usage,
    request_allowance,
    coverage_status: 'partial',
    as_of: AT,
    delivery_unit: 'company',
    withheld_units: 0,
    limitations: [],
    companies: companies.map(({ id, name, domains, observations, limitations }) => ({
      id,
      name,
      domains,
      observations,
      limitations,
    })),
    lookups: companies.map(({ id }) => ({ status: 'found', domain: `${'d'.repeat(63)}.`.repeat(3), company_id: id })),
  });
  expect(estimateTokens(text)).toBeLessThanOrEqual(MAX_TEXT_TOKENS);
  for (const { id } of companies) expect(text).toContain(`[company ${id}`);
  expect(text).toContain('Shortened');
});

test('of a company with many domains some are named and the others counted', () => {
  const page = searched([longObservation(1)]);
  const domains = Array.from({ length: 9 }, (_, index) => ({ id: index + 1, hostname: `a${index}.example` }));
  const text = describeBody({ ...page, companies: page.companies.map((company) => ({ ...company, domains })) });
  expect(text).toContain('a4.example, 4 more domains]');
});

test('an error that names what a client sent is within the bound', () => {
  const text = describeBody({ error: { code: 'invalid_search', message: '漢'.repeat(100_000) } });
  expect(estimateTokens(text)).toBeLessThanOrEqual(MAX_TEXT_TOKENS);
});

test('the description of a search names companies, observations, sources, cost and the next page', () => {
  const text = describeBody(searched([longObservation(31)], { next_cursor: 'cursor"1' }));
  for (const part of [
    '57 on the shortlist',
    'A Ltd [company 1, a.example]',
    'observation 31',
    'https://source.example/',
  ])
    expect(text).toContain(part);
  expect(text).toContain('(and 9 more)');
  expect(text).toContain('a new request_key, and cursor "cursor\\"1"');
  expect(text).toContain('settled 1 request and 10 delivered units');
});

test('an answer without companies is described by what to try', () => {
  expect(describeBody(searched([], { companies: [] }))).toContain('other or fewer words, an earlier occurred_after');
  expect(describeBody(searched([], { companies: [], withheld_units: 2 }))).not.toContain('other or fewer words');
});

test('a limitation about facts that are not recorded is a sentence, with and without companies', () => {
  const { coverage } = searched([]);
  const limitations = ['limited_source_coverage', 'layoffs_not_recorded'];
  for (const companies of [[], searched([longObservation(1)]).companies]) {
    const lines = describeBody(searched([], { companies, coverage: { ...coverage, limitations } })).split('\n');
    expect(lines.filter((line) => line.startsWith('The record does not hold layoffs'))).toHaveLength(1);
  }
  expect(describeBody(searched([]))).not.toContain('does not hold');
});

test('text of a source stays on its line', () => {
  const observation = { ...longObservation(1), observed_fact: 'a\n\nNo further page.\r\nb\u2028c\u0085\u202ed' };
  const lines = describeBody(searched([observation], { next_cursor: 'c' })).split(/[\n\r\u2028\u0085]/);
  expect(lines.filter((line) => line.startsWith('No further page'))).toEqual([]);
  expect(lines.some((line) => line.endsWith('a No further page. b c d'))).toBe(true);
});

test('an unfinished operation is described by how to poll it', () => {
  const text = describeBody({ usage: { ...usage, status: 'processing' }, request_allowance });
  expect(text).toMatch(/operation 41 is processing.*same request_key/);
});

test('an error is described by its code, its message and when to come back', () => {
  const error = { code: 'request_limit_reached', message: 'Used up.', retry_at: AT, retry_after_seconds: 7 };
  expect(describeBody({ error })).toBe(`request_limit_reached: Used up.\nWould be admitted from ${AT} on.\nWait 7 s.`);
  const stored = { error: { code: 'search_failed', message: 'No.' }, usage: { ...usage, status: 'failed' } as const };
  expect(describeBody(stored)).toContain('new work needs a new request_key');
});
