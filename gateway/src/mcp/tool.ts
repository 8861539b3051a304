import type { OperationAnswer } from '@ces/proto/ces/operations/v1/operations_pb.ts';
import type { Tool as ToolDefinition } from '@modelcontextprotocol/server';
import type { Scope } from '../admission/scope.ts';
import type { CalledAction } from '../outcome.ts';
import type { OperationCall } from '../submit-operation.ts';

interface Submission extends OperationCall {
  /** Arguments without `request_key`; their shape is not checked yet. */
  readonly input: Readonly<Record<string, unknown>>;
}

export interface Tool {
  readonly scope: Scope;
  readonly action: CalledAction;
  readonly definition: ToolDefinition;
  submit(submission: Submission): Promise<OperationAnswer>;
}
