import type { Headers } from '../../output/headers.ts';
import type { Task } from './task.ts';

/** CreateTaskResult: answers a tool call in place of its result. */
type CreatedTask = Task & { readonly resultType: 'task'; readonly _meta: Headers };

/**
 * The SDK checks what a handler of tools/call returns against the shape of a tool result. So a task
 * leaves the handler as a thrown value, which `ProtocolServer` turns into the answer.
 */
export class TaskCreated extends Error {
  override readonly name = 'TaskCreated';
  readonly task: CreatedTask;

  constructor(task: CreatedTask) {
    super('The call goes on as a task.');
    this.task = task;
  }
}
