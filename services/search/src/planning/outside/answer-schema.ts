import { KIND_NAMES } from '@ces/proto/catalog';
import Type, { type Static } from 'typebox';
import { Compile } from 'typebox/compile';

const closed = { additionalProperties: false } as const;

const Words = Type.Object(
  {
    words: Type.String({ minLength: 1, maxLength: 100 }),
    weight: Type.Number({ minimum: 0, maximum: 1 }),
    related: Type.Array(Type.String({ minLength: 1, maxLength: 100 }), { maxItems: 10 }),
  },
  closed,
);

const EVENT_KINDS = KIND_NAMES.filter((kind) => kind !== 'company_profile');

/** Only weights: restrictions are read from the query itself (decision 0024). */
export const AnswerSchema = Type.Object(
  {
    activity: Type.Array(Words, { maxItems: 40 }),
    company: Type.Array(Words, { maxItems: 40 }),
    kinds: Type.Array(Type.Enum(EVENT_KINDS), { maxItems: EVENT_KINDS.length }),
    places: Type.Array(Type.String({ minLength: 1, maxLength: 60 }), { maxItems: 10 }),
    since: Type.Union([
      Type.String({ pattern: '^(19|20)\\d\\d-(0[1-9]|1[0-2])-(0[1-9]|[12]\\d|3[01])$' }),
      Type.Null(),
    ]),
  },
  closed,
);

export type PlannerAnswer = Static<typeof AnswerSchema>;

const answer = Compile(AnswerSchema);

export function readAnswer(text: string): PlannerAnswer | undefined {
  const value = parsed(text);
  return answer.Check(value) ? value : undefined;
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
