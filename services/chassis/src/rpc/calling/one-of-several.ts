import type { Refusal } from '@ces/proto/ces/failure/v1/failure_pb.ts';
import type { Answered } from './shared-calls.ts';

/** An answer among several, as messages carry it. */
interface Carried {
  readonly case: string;
  readonly value: unknown;
}

/** What became of one request, from its message; throws for a message that says nothing. */
export function toAnswered<Answer extends Carried>(one: {
  readonly index: number;
  readonly answer:
    | Answer
    | { readonly case: 'refusal'; readonly value: Refusal }
    | { readonly case: undefined; readonly value?: undefined };
}): Answered<Answer> {
  const { index, answer } = one;
  if (answer.case === undefined) throw new Error('one of several requests was answered with nothing');
  return answer.case === 'refusal' ? { index, refusal: answer.value as Refusal } : { index, answer: answer as Answer };
}

/** The answer to what was asked; throws where it is one to something else. */
export function answerTo<Answer extends Carried, Case extends Answer['case']>(
  asked: Case,
  { case: answered, value }: Answer,
) {
  if (answered !== asked) throw new Error(`${asked} was answered as ${answered}`);
  return value as Extract<Answer, { case: Case }>['value'];
}
