import { type FailureCode, failureOf } from '@ces/chassis/rpc/failure';
import type { CompanySearchResult, OperationAnswer } from '@ces/proto/ces/operations/v1/operations_pb.ts';
import { expect } from 'vitest';

export async function codeOf(call: Promise<unknown>): Promise<FailureCode | undefined> {
  return await call.then(
    () => undefined,
    (error: unknown) => failureOf(error)?.code ?? Promise.reject(error),
  );
}

type Outcomes = Extract<OperationAnswer['outcome'], { value: object }>;
type Result<C extends Outcomes['case']> = Extract<Outcomes, { case: C }>['value'];

export function outcomeOf<C extends Outcomes['case']>(answer: OperationAnswer, wanted: C): Result<C> {
  expect(answer.outcome.case).toBe(wanted);
  return answer.outcome.value as Result<C>;
}

export function companyIds(result: CompanySearchResult): number[] {
  return result.companies.map((match) => Number(match.company?.id));
}

export function gate(): { readonly passed: Promise<void>; readonly open: () => void } {
  let open = () => {};
  const passed = new Promise<void>((resolve) => {
    open = resolve;
  });
  return { passed, open };
}
