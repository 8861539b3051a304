import type { MessageInitShape } from '@bufbuild/protobuf';
import { FailureCode, fail } from '@ces/chassis/rpc/failure';
import type { BatchResult } from '@ces/chassis/rpc/stream-batch-results';
import type {
  ReadAnswerSchema,
  ReadRequest,
  ReadResponseSchema,
  SingleRead,
} from '@ces/proto/ces/lookup/v1/lookup_service_pb.ts';
import type { HandlerContext } from '@connectrpc/connect';
import type { Dependencies } from '../dependencies.ts';
import { checkBetween } from './arguments.ts';
import { hydrate } from './hydrate.ts';
import { lookUpCompanies } from './look-up-companies.ts';

const MOST_READS = 50;

export async function* read(
  dependencies: Dependencies,
  { reads }: ReadRequest,
  context: Pick<HandlerContext, 'method'>,
): AsyncGenerator<MessageInitShape<typeof ReadResponseSchema>> {
  checkBetween('The number of reads', reads.length, 1, MOST_READS);
  for await (const known of dependencies.streamBatchResults(reads, context, (one) => readOne(dependencies, one)))
    yield { answers: known.map(toAnswer) };
}

type Answer = Exclude<MessageInitShape<typeof ReadAnswerSchema>['answer'], undefined>;

async function readOne(dependencies: Dependencies, { read: asked }: SingleRead): Promise<Answer> {
  switch (asked.case) {
    case 'lookUpCompanies':
      return { case: 'lookUpCompanies', value: await lookUpCompanies(dependencies, asked.value) };
    case 'hydrate':
      return { case: 'hydrate', value: await hydrate(dependencies, asked.value) };
    case undefined:
      throw fail(FailureCode.INVALID_REQUEST, 'A read must be of a kind.');
  }
}

function toAnswer(one: BatchResult<Answer>): MessageInitShape<typeof ReadAnswerSchema> {
  const { index } = one;
  return { index, answer: 'answer' in one ? one.answer : { case: 'refusal', value: one.refusal } };
}
