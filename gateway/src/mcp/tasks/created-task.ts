import type { Headers } from '../../output/headers.ts';
import type { Task } from './task.ts';

/** Answers a tool call in place of its result. */
type CreatedTask = Task & { readonly resultType: 'task'; readonly _meta: Headers };

/**
 * Thrown, because the SDK checks returned values against the shape of a tool result;
 * `ProtocolServer` makes the answer.
 */
export class TaskCreated extends Error {
  override readonly name = 'TaskCreated';
  readonly task: CreatedTask;

  constructor(task: CreatedTask) {
    super('The call goes on as a task.');
    this.task = task;
  }
}
