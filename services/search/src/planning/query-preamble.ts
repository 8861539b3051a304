import { RELATIVE_PRONOUNS, REQUEST_VERBS } from './negating-words.ts';
import { phraseAt, startsClause } from './negations.ts';
import { sentencesOf } from './sentence-negations.ts';
import type { Token } from './tokens.ts';

export interface QueryPreamble {
  /** The user and the purpose. They may match, so they only weigh less. */
  readonly background: ReadonlySet<number>;
  readonly instructions: ReadonlySet<number>;
}

const SPEAKERS: ReadonlySet<string> = new Set(['i', 'we', 'our', 'my', 'nous', 'notre', 'je', 'mon']);
/** A user requests details about each company with these verbs. */
const TELLING: ReadonlySet<string> = new Set(
  'give quote name note include report state mention cite attach add provide tell donner indiquer citer donnez indiquez citez'.split(
    ' ',
  ),
);
const DETERMINERS: ReadonlySet<string> = new Set(
  'the its their each a an us me every any whatever how when where who which le la les leur chaque'.split(' '),
);
const OPENING = 6;
const ASKS: ReadonlySet<string> = new Set(['asks', 'asking', 'demande']);
/** These words precede the colon of an opening. "Request for proposals:" is no opening. */
const OPENERS: ReadonlySet<string> = new Set('question task request goal brief'.split(' '));
const AGENTS: ReadonlySet<string> = new Set(['agent', 'assistant']);
/** Directly after a duty ("the agent should"), these ask like "find" does. */
const COLLECTING: ReadonlySet<string> = new Set(
  'collect compile pick spot locate select pull flag watch track monitor catch hunt report turn bring'.split(' '),
);
const DUTIES: readonly (readonly string[])[] = [
  'is to',
  'has to',
  'needs to',
  'must',
  'should',
  'shall',
  'can',
  'will',
].map((phrase) => phrase.split(' '));
const PURPOSES: readonly (readonly string[])[] = ['so that', 'so we', 'so i', 'because we', 'because i', 'afin de'].map(
  (phrase) => phrase.split(' '),
);
const ENOUGH: readonly (readonly string[])[] = ['will do', 'is enough', 'are enough', 'will suffice', 'suffices'].map(
  (phrase) => phrase.split(' '),
);

export function findQueryPreamble(tokens: readonly Token[]): QueryPreamble {
  const sentences = sentencesOf(tokens);
  const background = new Set<number>();
  const instructions = new Set<number>();
  for (const sentence of sentences) {
    const duties = dutiesOf(sentence);
    addAll(instructions, duties);
    if (sentences.length < 2) continue;
    const isAsking = duties.length > 0 || sentence.some(({ word }) => REQUEST_VERBS.has(word));
    if (!isAsking && SPEAKERS.has(sentence[0]?.word ?? '')) addAll(background, sentence);
    addAll(instructions, openingOf(sentence));
    addAll(instructions, sentence.slice(instructionFrom(sentence)));
  }
  return { background, instructions };
}

function dutiesOf(sentence: readonly Token[]): readonly Token[] {
  const at = sentence.findIndex(({ word }, index) => AGENTS.has(word) && phraseAt(sentence, index + 1, DUTIES));
  if (at < 0) return [];
  const verb = at + 1 + (phraseAt(sentence, at + 1, DUTIES)?.length ?? 0);
  const isAsked =
    COLLECTING.has(sentence[verb]?.word ?? '') || sentence.slice(at).some(({ word }) => REQUEST_VERBS.has(word));
  return isAsked ? sentence.slice(at, verb + 1) : [];
}

function openingOf(sentence: readonly Token[]): readonly Token[] {
  const end = sentence.findIndex(({ endsClause }) => endsClause) + 1;
  const opening = sentence.slice(0, end);
  const isOpening =
    end > 0 &&
    end <= OPENING &&
    (opening.some(({ word }) => ASKS.has(word)) || OPENERS.has(opening.at(-1)?.word ?? ''));
  return isOpening && end < sentence.length ? opening : [];
}

/** Returns the index from which a sentence describes the form of the answer. */
function instructionFrom(sentence: readonly Token[]): number {
  const isEnough = ENOUGH.some((phrase) => phraseAt(sentence, sentence.length - phrase.length, [phrase]) !== undefined);
  if (isEnough) return 0;
  const at = sentence.findIndex(
    ({ word }, index) =>
      phraseAt(sentence, index, PURPOSES) !== undefined ||
      (TELLING.has(word) &&
        sentence[index]?.index !== 0 &&
        startsClause(sentence, index) &&
        !sentence.slice(0, index).some((before) => RELATIVE_PRONOUNS.has(before.word)) &&
        DETERMINERS.has(sentence[index + 1]?.word ?? '')),
  );
  return at < 0 ? sentence.length : at;
}

function addAll(indexes: Set<number>, tokens: readonly Token[]): void {
  for (const { index } of tokens) indexes.add(index);
}
