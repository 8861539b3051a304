import type { Principal } from '@ces/proto/ces/ledger/v1/ledger_pb.ts';
import type { OperationAnswer } from '@ces/proto/ces/operations/v1/operations_pb.ts';
import type { Tool as ToolDefinition } from '@modelcontextprotocol/server';
import type { Headers } from '../output/headers.ts';

/** What a tool passes on to operations. */
interface Submission {
  readonly caller: { readonly identity: { readonly case: 'principal'; readonly value: Principal } };
  readonly requestKey: string;
  /** The arguments without `request_key`; strict JSON whose shape is not looked at yet. */
  readonly input: Readonly<Record<string, unknown>>;
  readonly rpc: { readonly headers: Headers };
  /** Whether the client has hung up. */
  isGone(): boolean;
}

export interface Tool {
  readonly definition: ToolDefinition;
  /** Throws InvalidInput, or what the RPC throws. */
  submit(submission: Submission): Promise<OperationAnswer | undefined>;
}
