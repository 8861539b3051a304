import type { Plan } from '@ces/proto/ces/search/v1/search_pb.ts';
import { wordsOf } from '../../../../text/words.ts';
import { hasPhrase } from '../inverted-index/written-texts.ts';
import type { MemoryIndexView } from '../memory-index.ts';
import { isMarked, type Marks } from './buffer-pool.ts';
import { type KnownPhrase, knownPhrase, mostDocuments, PhraseMatcher, takeDocumentsWith } from './written-phrases.ts';

export type LiteralCondition = (number: number) => boolean;

/** Sought in the index; others are checked in the texts of results. */
const SOUGHT_EXCLUSIONS = 4;

/** Phrases match text, name or profile; exclusions text and name. Wordless ones do nothing. */
export function literalCondition(
  view: MemoryIndexView,
  { phrases, excluded }: Pick<Plan, 'phrases' | 'excluded'>,
): LiteralCondition | undefined {
  const required = hasAll(view, wordLists(phrases), false);
  const avoided = hasNone(view, wordLists(excluded));
  if (!required || !avoided) return required ?? avoided;
  return (number) => required(number) && avoided(number);
}

/** Requires every word in the text or in the name of the company. */
export function wordsCondition(view: MemoryIndexView, words: readonly string[]): LiteralCondition | undefined {
  return hasAll(
    view,
    words.map((word) => [word]),
    true,
  );
}

function wordLists(phrases: readonly string[]): string[][] {
  return phrases.map(wordsOf).filter((words) => words.length > 0);
}

/** Seeks the rarest phrase in the index, and the others in its documents. */
function hasAll(
  view: MemoryIndexView,
  phrases: readonly (readonly string[])[],
  inNamesOnly: boolean,
): LiteralCondition | undefined {
  if (phrases.length === 0) return undefined;
  const { observations, observationTexts, companies, companyTexts } = view;
  const known = phrases.flatMap((words) => knownPhrase(observationTexts, words) ?? []);
  if (known.length < phrases.length) return () => false;
  const rarest = known.reduce((a, b) =>
    mostDocuments(observationTexts, b) < mostDocuments(observationTexts, a) ? b : a,
  );
  const sought = markPhrases(view, [rarest], inNamesOnly);
  const others = new PhraseMatcher(known.filter((phrase) => phrase !== rarest).map(({ written }) => written));
  const companyOf = observations.companies.values;
  return (number) => {
    const company = companyOf[number] ?? 0;
    if (!isMarked(sought.observations, number) && !isMarked(sought.companies, company)) return false;
    others.forget();
    if (!others.hasFoundAll) others.read(observationTexts, number);
    const profile = others.hasFoundAll ? undefined : companies.documentOf(company);
    if (profile !== undefined) others.read(companyTexts, profile, inNamesOnly);
    return others.hasFoundAll;
  };
}

function hasNone(view: MemoryIndexView, phrases: readonly (readonly string[])[]): LiteralCondition | undefined {
  const { observations, observationTexts, companies, companyTexts } = view;
  const known = phrases.flatMap((words) => knownPhrase(observationTexts, words) ?? []);
  if (known.length === 0) return undefined;
  const sought = markPhrases(view, known.slice(0, SOUGHT_EXCLUSIONS), true);
  const others = new PhraseMatcher(known.slice(SOUGHT_EXCLUSIONS).map(({ written }) => written));
  const companyOf = observations.companies.values;
  return (number) => {
    const company = companyOf[number] ?? 0;
    if (isMarked(sought.observations, number) || isMarked(sought.companies, company)) return false;
    if (known.length <= SOUGHT_EXCLUSIONS) return true;
    others.forget();
    others.read(observationTexts, number);
    const profile = companies.documentOf(company);
    if (profile !== undefined) others.read(companyTexts, profile, true);
    return !others.hasFoundAny;
  };
}

interface MarkedPhrases {
  readonly observations: Marks;
  readonly companies: Marks;
}

function markPhrases(view: MemoryIndexView, phrases: readonly KnownPhrase[], inNamesOnly: boolean): MarkedPhrases {
  const { observations, observationTexts, companies, companyTexts, companyNumbers, buffers } = view;
  const marks = {
    observations: buffers.marks(observations.size),
    companies: buffers.marks(companyNumbers.size),
  };
  const companyOf = companies.companies.values;
  const markCompany = (document: number) => {
    if (companies.alive.values[document] === 1) mark(marks.companies, companyOf[document] ?? 0);
  };
  for (const phrase of phrases) {
    takeDocumentsWith(observationTexts, phrase, (number) => mark(marks.observations, number));
    takeNamesWith(companyTexts, phrase, markCompany);
    if (!inNamesOnly) takeDocumentsWith(companyTexts, phrase, markCompany);
  }
  return marks;
}

function mark({ values, mark: as }: Marks, number: number): void {
  values[number] = as;
}

/** Names have no lexemes, so all are read: they are short. */
function takeNamesWith(
  { segments }: MemoryIndexView['companyTexts'],
  { written }: KnownPhrase,
  take: (document: number) => void,
): void {
  for (const { first, size, written: texts } of segments)
    for (let at = 0; at < size; at += 1) if (hasPhrase(texts, at, written, true)) take(first + at);
}
