import { expect } from 'vitest';
import { type BodyName, bodyFault } from './bodies.ts';

/** Expects an answer with this status and this body of the interface, closed. */
export function expectBody(answer: { status: number; body: unknown }, status: number, name: BodyName): void {
  expect(answer.status, JSON.stringify(answer.body)).toBe(status);
  expect(bodyFault(answer.body, name), JSON.stringify(answer.body)).toBeUndefined();
}

/** Expects a refusal: status, code, and neither usage nor allowance. */
export function expectRefusal(answer: { status: number; body: unknown }, status: number, code: string): void {
  expectBody(answer, status, 'Error');
  expect(answer.body).toEqual({ error: expect.objectContaining({ code }) });
}
