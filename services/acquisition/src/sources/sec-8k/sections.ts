export interface Section {
  readonly item: string;
  readonly text: string;
}

/** Until 22 August 2004 items had one number; since then they have two. */
export type Numbering = 'older' | 'present';

const ITEM_LINE =
  /^\W{0,6}(?:section\s\d[^.]{0,120}?\s)?items?\s{0,3}(\d{1,2}\.\d{2}(?:\s{0,3}\([a-z]\)|\s{0,3}(?:,|and|&)\s{0,3}(?:items?\s{0,3})?\d{1,2}\.\d{2}){0,10})(.{0,200})/i;
const OLDER_ITEM_LINE = /^\W{0,6}items?\s{0,3}(\d{1,2})\s{0,3}(?:[.:)–—-]|$)(.{0,200})/i;
const OLDER: Readonly<Record<string, readonly string[]>> = {
  1: ['5.01'],
  2: ['2.01'],
  3: ['1.03'],
  4: ['4.01'],
  5: ['8.01'],
  6: ['5.02'],
  7: ['9.01'],
  8: ['5.03'],
  9: ['7.01'],
  10: ['5.05'],
  11: ['5.04'],
  12: ['2.02'],
};
/** Continues a sentence, so the line is no heading. */
const GOES_ON =
  /^[\s,]*(?:of|above|below|hereof|herein|in|is|are|was|and|or|to|this|shall|with|under|on|which|by|hereby|disclosure|for purposes|incorporated|contained|included)\b/;
const TITLE =
  /^(?:(?:entry into an? material definitive agreements?|unregistered sales? of (?:equity )?securities|regulation fd disclosures?|other events|departure of directors or (?:certain|princip\w{1,4}) officers|election of directors|appointment of (?:certain|princip\w{1,4}) officers|compensatory arrangements? of certain officers)[\s.;\u037e:,–—-]{0,6}){1,4}/iu;
const PROSE = /^[\p{Lu}(]/u;
const NUMBER = /^\W{0,6}items?\s{0,3}\d{1,2}\.\d{2}[\s.:–—-]{0,6}/i;
const END_LINE =
  /^\W{0,6}(?:signatures?|exhibit index|index to exhibits)\W{0,6}$|^pursuant to the requirements? of the securities exchange act/i;
const SMALL = new Set('a an and as at by for from in of on or the to under with that not upon'.split(' '));
const PROSE_WORDS = 4;

export const EXHIBIT_LINE = /^Exhibit EX-99/;

/** Merges an item's sections. A heading of several items heads each of them. */
export function sectionsOf(text: string, numbering: Numbering = 'present'): Section[] {
  const byItem = new Map<string, string[]>();
  for (const { items, lines } of partsOf(text, numbering))
    for (const item of items) byItem.set(item, [...(byItem.get(item) ?? []), ...lines.map(withoutTitle)]);
  return [...byItem].map(([item, lines]) => ({ item, text: lines.join('\n') }));
}

/** Leaves out cover, table of contents and signatures; keeps all if no line heads an item. */
export function itemsOf(text: string, numbering: Numbering): string {
  const parts = partsOf(text, numbering);
  const withProse = new Set(parts.filter(hasProse));
  const itemsWithProse = new Set([...withProse].flatMap(({ items }) => items));
  const kept = parts.filter((part) => withProse.has(part) || part.items.every((item) => !itemsWithProse.has(item)));
  return kept.length === 0 ? text : kept.flatMap(({ lines }) => lines).join('\n');
}

function withoutTitle(line: string): string {
  const titled = line.replace(NUMBER, '');
  const prose = titled.replace(TITLE, '');
  return prose !== titled && PROSE.test(prose) ? prose : line;
}

interface Part {
  readonly items: readonly string[];
  readonly lines: string[];
}

function partsOf(text: string, numbering: Numbering): Part[] {
  const parts: Part[] = [];
  let open: Part | undefined;
  for (const line of text.split('\n')) {
    if (EXHIBIT_LINE.test(line)) break;
    const items = itemsHeadedBy(line, numbering);
    if (items.length > 0) {
      open = { items, lines: [line] };
      parts.push(open);
    } else if (END_LINE.test(line)) open = undefined;
    else open?.lines.push(line);
  }
  return parts;
}

function itemsHeadedBy(line: string, numbering: Numbering): readonly string[] {
  const present = ITEM_LINE.exec(line);
  const older = !present && numbering === 'older' ? OLDER_ITEM_LINE.exec(line) : null;
  const rest = (present ?? older)?.[2] ?? '';
  if (GOES_ON.test(rest.replace(/^[\s.:;–—-]+/, ''))) return [];
  return present?.[1]?.match(/\d{1,2}\.\d{2}/g) ?? OLDER[older?.[1] ?? ''] ?? [];
}

function hasProse({ lines }: Part): boolean {
  let words = 0;
  for (const line of lines)
    for (const word of line.split(/\s+/)) {
      if (/^[a-z]{2,}[,.;]?$/.test(word) && !SMALL.has(word.replace(/\W/g, ''))) words += 1;
      if (words >= PROSE_WORDS) return true;
    }
  return false;
}
