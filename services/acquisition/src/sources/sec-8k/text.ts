import { keptFiling } from '../../edgar/filing.ts';
import { htmlToText, tidyText } from '../../extract/html.ts';
import { type Members, readMembers } from '../../extract/members.ts';

/** A part of a report, from the line with its number to the next one. */
export interface Section {
  readonly item: string;
  readonly text: string;
}

const ITEM_LINE = /^(?:section \d.*)?item\s*(\d{1,2}\.\d{2})\b/i;
const END_LINE = /^\W*(?:signatures?|exhibit index)\b\W*$/i;
/** What follows is about the publisher, not the event; and enough of an exhibit for its headline and lead. */
const EXHIBIT_CHARACTERS = 6_000;
const EXHIBIT_LINE = /^Exhibit EX-99/;

/** The items of the report, then what its press releases begin with. */
export function extractReport(content: string): string {
  const filing = keptFiling(content);
  if (!filing) return readMembers(content).text('entry.company') ?? '';
  const isExhibit = (document: Members) => document.need('type').startsWith('EX-99');
  const report = filing.documents.find((document) => !isExhibit(document));
  const exhibits = filing.documents.filter(isExhibit);
  return [itemsOf(plain(report)), ...exhibits.map((one) => `Exhibit ${one.need('type')}\n${leadOf(plain(one))}`)]
    .filter((part) => part !== '')
    .join('\n');
}

/** The sections of an extracted text; those of the same item are one. */
export function sectionsOf(text: string): Section[] {
  const sections = new Map<string, string[]>();
  let lines: string[] | undefined;
  for (const line of text.split('\n')) {
    if (EXHIBIT_LINE.test(line)) break;
    const item = ITEM_LINE.exec(line)?.[1];
    if (item !== undefined) {
      lines = sections.get(item) ?? [];
      sections.set(item, lines);
    }
    lines?.push(line);
  }
  return [...sections].map(([item, own]) => ({ item, text: own.join('\n') }));
}

/** The press releases of an extracted text. */
export function exhibitsOf(text: string): string {
  const at = text.search(/^Exhibit EX-99/m);
  return at < 0 ? '' : text.slice(at);
}

function itemsOf(text: string): string {
  const lines = text.split('\n');
  const first = lines.findIndex((line) => ITEM_LINE.test(line));
  if (first < 0) return '';
  const end = lines.findIndex((line, index) => index > first && END_LINE.test(line));
  return lines.slice(first, end < 0 ? undefined : end).join('\n');
}

function leadOf(text: string): string {
  const end = text.search(/^(?:about |forward[- ]looking|cautionary|safe harbor)/im);
  return (end > 0 ? text.slice(0, end) : text).slice(0, EXHIBIT_CHARACTERS).trim().toWellFormed();
}

function plain(document: Members | undefined): string {
  const text = document?.text('text') ?? '';
  return /<[a-z!]/i.test(text) ? htmlToText(text) : tidyText(text);
}
