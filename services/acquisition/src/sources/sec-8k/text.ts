import { type Members, readMembers } from '../../extract/formats/members.ts';
import { wholeCharacters } from '../../extract/formats/text.ts';
import { keptFiling } from '../families/edgar/filing.ts';
import type { FilingHeader } from '../families/edgar/header.ts';
import { reportText } from '../families/edgar/report-text.ts';
import { EXHIBIT_LINE, itemsOf, type Numbering } from './sections.ts';

/** Headline and lead. The rest is about the publisher, not the event. */
const EXHIBIT_CHARACTERS = 6_000;
/** First day of items with two numbers, as headers write it. */
const PRESENT_NUMBERS = '20040823';

export function extractReport(content: string): string {
  const filing = keptFiling(content);
  if (!filing) return readMembers(content).text('entry.company') ?? '';
  const isExhibit = (document: Members) => document.need('type').startsWith('EX-99');
  const report = filing.documents.find((document) => !isExhibit(document));
  const exhibits = filing.documents.filter(isExhibit);
  const items = itemsOf(plain(report), numberingOf(filing.header));
  return [items, ...exhibits.map((one) => `Exhibit ${one.need('type')}\n${leadOf(plain(one))}`)]
    .filter((part) => part !== '')
    .join('\n');
}

export function numberingOf({ filed, period }: FilingHeader): Numbering {
  return (filed ?? period ?? PRESENT_NUMBERS) < PRESENT_NUMBERS ? 'older' : 'present';
}

export function exhibitsOf(text: string): string {
  const lines = text.split('\n');
  const at = lines.findIndex((line) => EXHIBIT_LINE.test(line));
  return at < 0 ? '' : lines.slice(at).join('\n');
}

function leadOf(text: string): string {
  const end = text.search(/^(?:about |forward[- ]looking|cautionary|safe harbor)/im);
  return wholeCharacters((end > 0 ? text.slice(0, end) : text).slice(0, EXHIBIT_CHARACTERS)).trim();
}

function plain(document: Members | undefined): string {
  return reportText(document?.text('text') ?? '');
}
