import type { FactCondition } from '@ces/proto/ces/search/v1/search_pb.ts';
import { type CodeRange, codeOf as codeOfAmount, codesOf, lexemesWithin } from './fact-codes.ts';
import { codeOf as codeOfMember, isFamily, lexemeOf, numberOf } from './families.ts';
import { isMeasure, MEASURE_NUMBERS } from './measures.ts';

/** `meeting` holds the codes that meet a condition, `all` those of its measure or family. */
export interface ConditionRanges {
  readonly meeting: readonly CodeRange[];
  readonly all: CodeRange;
}

type Asked = Pick<FactCondition, 'fact' | 'least' | 'most' | 'strict' | 'members'>;

const NONE: CodeRange = { from: 0, to: -1 };

export function rangesOf(condition: Asked): ConditionRanges {
  const { fact, members } = condition;
  if (isFamily(fact)) {
    const codes = members.flatMap((member) => codeOfMember(fact, member) ?? []);
    return { meeting: codes.map((code) => ({ from: code, to: code })), all: codesOf(numberOf(fact)) };
  }
  if (!isMeasure(fact)) return { meeting: [], all: NONE };
  return { meeting: [amountsOf(condition)], all: codesOf(MEASURE_NUMBERS[fact]) };
}

export function lexemesOf(condition: Asked, most: number): string[] {
  const { fact, members } = condition;
  if (isFamily(fact)) return members.map((member) => lexemeOf(fact, member)).slice(0, most);
  return isMeasure(fact) ? lexemesWithin(fact, amountsOf(condition), most) : [];
}

function amountsOf({ fact, least, most, strict }: Asked): CodeRange {
  if (!isMeasure(fact)) return NONE;
  const all = codesOf(MEASURE_NUMBERS[fact]);
  const beyond = strict ? 1 : 0;
  return {
    from: least === undefined ? all.from : codeOfAmount(fact, least) + beyond,
    to: most === undefined ? all.to : codeOfAmount(fact, most) - beyond,
  };
}
