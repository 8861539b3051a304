import type { FactCondition, Place, Plan, Term } from '@ces/proto/ces/search/v1/search_pb.ts';
import { Retrieval } from '@ces/proto/ces/search/v1/search_pb.ts';

const TERMS = 500;
const RELATED_PER_TERM = 50;
/** A query of 4,000 code points cannot contain more phrases. */
const PHRASES = 2000;
const WORD_CODE_UNITS = 200;
const TEXT_CODE_UNITS = 4000;
const WEIGHT = 4;
const KINDS = 20;
const FACTS = 20;
const MEMBERS = 20;
const LIMITATIONS = 20;

/** Returns no mistakes for a plan that can be searched. */
export function planMistakes(plan: Plan): string[] {
  const rules: readonly (readonly [boolean, string])[] = [
    [plan.version === 1, 'version must be 1'],
    [plan.retrieval === Retrieval.LEXICAL, 'retrieval must be lexical'],
    [plan.activity.length <= TERMS && plan.description.length <= TERMS, `at most ${TERMS} terms`],
    [[...plan.activity, ...plan.description].every(isTerm), 'a term is not made of plain words with weights in bounds'],
    [plan.description.every((term) => term.namesKinds.length === 0), 'a word of the description names a kind'],
    [plan.places.length <= PHRASES && plan.places.every(isPlace), 'a place is out of bounds'],
    [plan.kinds.every((kind) => inBounds(kind.factor)), 'a kind has a factor out of bounds'],
    [plan.phrases.length <= PHRASES && plan.phrases.every(isText), 'a phrase is out of bounds'],
    [plan.avoided.length <= PHRASES && plan.avoided.every(isText), 'a negated phrase is out of bounds'],
    [plan.minimumRelevance >= 0 && plan.minimumRelevance <= 1000, 'the least probability is out of bounds'],
    [plan.notRecorded.length <= LIMITATIONS && plan.notRecorded.every(isCode), 'what is not recorded is out of bounds'],
    [plan.facts.length <= FACTS && plan.facts.every(isFact), 'a fact is out of bounds'],
    [plan.excluded.length <= PHRASES && plan.excluded.every(isText), 'an exclusion is out of bounds'],
  ];
  return rules.filter(([holds]) => !holds).map(([, mistake]) => mistake);
}

function isTerm(term: Term): boolean {
  return (
    (term.words.length > 0 || term.related.length > 0) &&
    term.words.every(isWord) &&
    inBounds(term.weight) &&
    term.namesKinds.length <= KINDS &&
    term.supportsKinds.length <= KINDS &&
    term.related.length <= RELATED_PER_TERM &&
    term.related.every(({ words, weight }) => words.length > 0 && words.every(isWord) && weight >= 0 && weight <= 1)
  );
}

function isPlace({ names, near, except, weight }: Place): boolean {
  return names.length > 0 && [...names, ...near, ...except].every(isText) && inBounds(weight);
}

function isFact({ text, fact, least, most, members }: FactCondition): boolean {
  const bounds = [least, most].filter((bound) => bound !== undefined);
  return isText(text) && isWord(fact) && bounds.every(isAmount) && members.length <= MEMBERS && members.every(isWord);
}

function isAmount(amount: number): boolean {
  return Number.isFinite(amount) && amount >= 0;
}

function isWord(word: string): boolean {
  return word.length <= WORD_CODE_UNITS && /^[\p{L}\p{N}]+$/u.test(word);
}

function isCode(code: string): boolean {
  return code.length <= WORD_CODE_UNITS && /^[a-z_]+$/.test(code);
}

function isText(text: string): boolean {
  return text !== '' && text.length <= TEXT_CODE_UNITS;
}

function inBounds(weight: number): boolean {
  return weight >= 0 && weight <= WEIGHT;
}
