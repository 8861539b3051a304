import { expect } from 'vitest';
import { type BodyName, bodyFault } from './bodies.ts';

export function expectBody(answer: { status: number; body: unknown }, status: number, name: BodyName): void {
  expect(answer.status, JSON.stringify(answer.body)).toBe(status);
  expect(bodyFault(answer.body, name), JSON.stringify(answer.body)).toBeUndefined();
}

/** Expects an error body that contains neither usage nor allowance. */
export function expectRefusal(answer: { status: number; body: unknown }, status: number, code: string): void {
  expectBody(answer, status, 'Error');
  expect(answer.body).toEqual({ error: expect.objectContaining({ code }) });
}
