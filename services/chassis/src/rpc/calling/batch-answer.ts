import type { Refusal } from '@ces/proto/ces/failure/v1/failure_pb.ts';
import type { BatchAnswer } from './batch-calls.ts';

interface Carried {
  readonly case: string;
  readonly value: unknown;
}

/** Throws if the message has no outcome. */
export function toBatchAnswer<Answer extends Carried>(one: {
  readonly index: number;
  readonly answer:
    | Answer
    | { readonly case: 'refusal'; readonly value: Refusal }
    | { readonly case: undefined; readonly value?: undefined };
}): BatchAnswer<Answer> {
  const { index, answer } = one;
  if (answer.case === undefined) throw new Error('one of several requests was answered with nothing');
  return answer.case === 'refusal' ? { index, refusal: answer.value as Refusal } : { index, answer: answer as Answer };
}

/** Throws for an answer to another kind of request. */
export function answerOfCase<Answer extends Carried, Case extends Answer['case']>(
  asked: Case,
  { case: answered, value }: Answer,
) {
  if (answered !== asked) throw new Error(`${asked} was answered as ${answered}`);
  return value as Extract<Answer, { case: Case }>['value'];
}
