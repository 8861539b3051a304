import { estimateTokens, MAX_TEXT_TOKENS } from './tokens.ts';

/** All; the best observation with a quote; one fact and its link. */
export type Detail = 'whole' | 'best' | 'brief';

type Render<C> = (company: C, number: number, detail: Detail) => readonly string[];

/** Exclusive ends in rank order; companies from `brief` on are left out. */
interface Shown {
  readonly whole: number;
  readonly best: number;
  readonly brief: number;
}

/** Reserved for the notice and a line that a caller adds. */
const NOTICE_TOKENS = 800;
const MAX_NAMED_IDS = 50;

/** Into MAX_TEXT_TOKENS. `notice` explains how to get what is shortened or omitted. */
export function fitCompanies<C extends { readonly id: number }>(
  companies: readonly C[],
  otherLines: readonly string[],
  render: Render<C>,
): { readonly notice: readonly string[]; readonly lines: readonly string[] } {
  const shown = howMuchFits(companies, MAX_TEXT_TOKENS - NOTICE_TOKENS - tokensOf(otherLines), render);
  const lines = companies
    .slice(0, shown.brief)
    .flatMap((company, index) => render(company, index + 1, detailOf(index, shown)));
  return { notice: shown.whole === companies.length ? [] : [noticeOf(companies, shown)], lines };
}

function detailOf(index: number, { whole, best }: Shown): Detail {
  if (index < whole) return 'whole';
  return index < best ? 'best' : 'brief';
}

function howMuchFits<C>(companies: readonly C[], maxTokens: number, render: Render<C>): Shown {
  let left = maxTokens;
  const raise = (start: number, end: number, to: Detail, from?: Detail): number => {
    for (const [offset, company] of companies.slice(start, end).entries()) {
      const number = start + offset + 1;
      const costOf = (detail: Detail) => tokensOf(render(company, number, detail));
      const more = costOf(to) - (from === undefined ? 0 : costOf(from));
      if (more > left) return start + offset;
      left -= more;
    }
    return end;
  };
  const brief = raise(0, companies.length, 'brief');
  const whole = raise(0, brief, 'whole', 'brief');
  return { whole, best: raise(whole, brief, 'best', 'brief'), brief };
}

function tokensOf(lines: readonly string[]): number {
  return lines.reduce((sum, line) => sum + estimateTokens(`${line}\n`), 0);
}

function noticeOf(companies: readonly { readonly id: number }[], { whole, best, brief }: Shown): string {
  const parts = [
    ...range(0, whole, 'whole'),
    ...range(whole, best, 'with the best observation and its newest quote only'),
    ...range(best, brief, 'with one fact and its link only'),
  ];
  const missing = companies.slice(brief).map(({ id }) => id);
  const named = missing.slice(0, MAX_NAMED_IDS).join(', ');
  const more = missing.length > MAX_NAMED_IDS ? ` and ${missing.length - MAX_NAMED_IDS} more` : '';
  const leftOut = missing.length === 0 ? 'none is left out' : `${missing.length} left out (ids ${named}${more})`;
  return `Shortened, so that clients do not cut it: of ${companies.length} companies ${parts.join('; ')}; ${leftOut}. The structuredContent of this result has all of them whole. Otherwise call get_companies with their ids, or ask for fewer at a time: with a new request_key, and charged.`;
}

function range(from: number, to: number, how: string): string[] {
  if (from === to) return [];
  return [`${from + 1 === to ? `number ${to} is` : `numbers ${from + 1} to ${to} are`} ${how}`];
}
