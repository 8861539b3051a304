import { Kind } from '@ces/proto/ces/catalog/v1/catalog_pb.ts';
import { findDesignators, writtenWords } from './designators.ts';
import { codeOf as amountCode, lexemeOf } from './fact-codes.ts';
import { type Family, codeOf as memberCode, lexemeOf as memberLexeme, membersInText } from './families.ts';
import { foundingAt } from './founding.ts';
import type { Piece } from './piece.ts';
import { piecesOf } from './pieces.ts';
import { type Quantity, quantityAt } from './quantities.ts';
import { rangeAt } from './ranges.ts';

export interface TextFacts {
  readonly codes: readonly number[];
  readonly lexemes: readonly string[];
}

const MOST = 24;
/** A family applies only to this kind: a cancelled tender is not a cancelled facility. */
const KIND_OF: Readonly<Record<Family, Kind>> = { round: Kind.FUNDING_ROUND, stage: Kind.FACILITY_EXPANSION };

/** Finds amounts, capacities, counts, rounds, stages and designators such as "Series A". */
export function factsOfText(text: string, kind: Kind | undefined): TextFacts {
  const words = writtenWords(text);
  const designators = findDesignators(words).map(({ word }) => word);
  const members = membersInText(words.map(({ word }) => word)).filter(({ family }) => KIND_OF[family] === kind);
  const rounds = designators.map((member) => ({ family: 'round' as const, member }));
  const quantities = quantitiesOf(text, kind === Kind.COMPANY_PROFILE);
  const memberCodes = [...members, ...(kind === Kind.FUNDING_ROUND ? rounds : [])].flatMap(
    ({ family, member }) => memberCode(family, member) ?? [],
  );
  const codes = [...quantities.map(({ measure, value }) => amountCode(measure, value)), ...memberCodes];
  const lexemes = [
    ...quantities.map(({ measure, value }) => lexemeOf(measure, value)),
    ...members.map(({ family, member }) => memberLexeme(family, member)),
    ...designators,
  ];
  return {
    codes: distinct(codes)
      .slice(0, MOST)
      .toSorted((a, b) => a - b),
    lexemes: distinct(lexemes).slice(0, MOST),
  };
}

type Amount = Pick<Quantity, 'measure' | 'value'>;

interface Said {
  readonly amounts: readonly Amount[];
  readonly length: number;
}

function quantitiesOf(text: string, isProfile: boolean): Amount[] {
  const pieces = piecesOf(text);
  const found: Amount[] = [];
  for (let at = 0; at < pieces.length && found.length < MOST; at += 1) {
    const said = (isProfile ? yearAt(pieces, at) : undefined) ?? endsAt(text, pieces, at) ?? amountAt(text, pieces, at);
    if (!said) continue;
    found.push(...said.amounts);
    at += said.length - 1;
  }
  return found;
}

function yearAt(pieces: readonly Piece[], at: number): Said | undefined {
  const founding = foundingAt(pieces, at);
  return founding && { amounts: [{ measure: 'founded', value: founding.year }], length: founding.length };
}

function endsAt(text: string, pieces: readonly Piece[], at: number): Said | undefined {
  const range = rangeAt(text, pieces, at);
  if (!range) return undefined;
  const { measure, least, most, length, isRate } = range;
  return { amounts: isRate ? [] : [least, most].map((value) => ({ measure, value })), length };
}

function amountAt(text: string, pieces: readonly Piece[], at: number): Said | undefined {
  const quantity = quantityAt(text, pieces, at);
  return quantity && { amounts: [quantity], length: quantity.length };
}

function distinct<T>(values: readonly T[]): T[] {
  return [...new Set(values)];
}
