import { expect, test } from 'vitest';
import { headingOf } from './answer-heading.ts';

function heading(endedBy?: string): string {
  return headingOf({ pages: [{ requestKey: 'k', pressedAt: 1, ...(endedBy && { endedBy }) }] }, []);
}

test('a search that failed for good is not headed as one that may still be answered', () => {
  expect(heading()).toBe('Searching for');
  expect(heading('planning_unavailable')).toBe('Failed:');
  expect(heading('invalid_search')).toBe('Failed:');
  expect(heading('connection_failed')).toBe('No answer yet for');
  expect(heading('request_limit_reached')).toBe('No answer yet for');
});
