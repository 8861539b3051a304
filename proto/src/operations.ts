import { Action, Status } from '../gen/ces/operations/v1/operations_pb.ts';

/** In the order of the public interface. */
export const ACTION_NAMES = [
  'company_search',
  'observation_search',
  'company_lookup',
  'observation_lookup',
  'diagnostic',
] as const;
export type ActionName = (typeof ACTION_NAMES)[number];

export const STATUS_NAMES = ['pending', 'processing', 'delivered', 'failed'] as const;
export type StatusName = (typeof STATUS_NAMES)[number];

export function actionOf(name: ActionName): Action {
  return Action[name.toUpperCase() as Uppercase<ActionName>];
}

export function statusOf(name: StatusName): Status {
  return Status[name.toUpperCase() as Uppercase<StatusName>];
}

/** Undefined for an unknown number. */
export function actionName(value: number): ActionName | undefined {
  return ACTION_NAMES.find((name) => actionOf(name) === value);
}

export function statusName(value: number): StatusName | undefined {
  return STATUS_NAMES.find((name) => statusOf(name) === value);
}
