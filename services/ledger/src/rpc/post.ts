import type { MessageInitShape } from '@bufbuild/protobuf';
import type { BatchResult } from '@ces/chassis/rpc/stream-batch-results';
import type {
  Posting,
  PostingAnswerSchema,
  PostRequest,
  PostResponseSchema,
} from '@ces/proto/ces/ledger/v1/ledger_service_pb.ts';
import type { HandlerContext } from '@connectrpc/connect';
import { charge } from './charge.ts';
import type { Dependencies } from './dependencies.ts';
import { invalid } from './input.ts';
import { reserve } from './reserve.ts';
import { settle } from './settle.ts';

const MOST_POSTINGS = 200;

export async function* post(
  dependencies: Dependencies,
  { postings }: PostRequest,
  context: Pick<HandlerContext, 'method'>,
): AsyncGenerator<MessageInitShape<typeof PostResponseSchema>> {
  if (postings.length < 1 || postings.length > MOST_POSTINGS)
    throw invalid(`\`postings\` must be 1 to ${MOST_POSTINGS}.`);
  for await (const known of dependencies.streamBatchResults(postings, context, (one) => postOne(dependencies, one)))
    yield { answers: known.map(toAnswer) };
}

type Answer = Exclude<MessageInitShape<typeof PostingAnswerSchema>['answer'], undefined>;

async function postOne(dependencies: Dependencies, { posting }: Posting): Promise<Answer> {
  switch (posting.case) {
    case 'reserve':
      return { case: 'reserve', value: await reserve(dependencies, posting.value) };
    case 'settle':
      return { case: 'settle', value: await settle(dependencies, posting.value) };
    case 'charge':
      return { case: 'charge', value: await charge(dependencies, posting.value) };
    case undefined:
      throw invalid('A posting must be of a kind.');
  }
}

function toAnswer(one: BatchResult<Answer>): MessageInitShape<typeof PostingAnswerSchema> {
  const { index } = one;
  return { index, answer: 'answer' in one ? one.answer : { case: 'refusal', value: one.refusal } };
}
