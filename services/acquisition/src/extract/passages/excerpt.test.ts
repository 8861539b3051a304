import { expect, test } from 'vitest';
import { chooseExcerpt, chooseImpersonalExcerpt } from './excerpt.ts';

test.each([
  'Contracting Officer: Ada Quayle',
  'Contact: Quayle, Ada',
  'Agent de négociation : Ada Quayle',
  'Hiring manager: Ada Quayle',
  'Please contact Ada Quayle for the forms.',
])('the request of an organisation is quoted without its contact person: %s', (line) => {
  const text = `Lamps for the quay\nForty lamps are wanted by the harbour, with poles and cables.\n${line}`;
  expect(chooseImpersonalExcerpt(text)).toBe(
    'Lamps for the quay\nForty lamps are wanted by the harbour, with poles and cables.',
  );
});

test('the title is no name of a person, and an officer is a fact elsewhere', () => {
  const text = 'Compliance Officer: Ada Quayle\nThe quay looks for somebody who knows its rules.';
  expect(chooseImpersonalExcerpt(text)).toBe(text);
  expect(chooseExcerpt('Contact: Quayle, Ada')).toBe('Contact: Quayle, Ada');
});

test('an excerpt begins with no half of a character', () => {
  const text = `${'🚢'.repeat(90)}-Kubernetes is used here by all of us.`;
  expect(chooseExcerpt(text, /Kubernetes/)?.isWellFormed()).toBe(true);
});

test.each([
  'Hiring manager:\nAda Quayle, who knows Kubernetes.',
  'Questions: Ada Quayle on Kubernetes.',
  'Attn. Ada Quayle for Kubernetes.',
  'Please contact Mr. Ada Quayle about Kubernetes.',
  'Principal Investigator: Dr. Ada Quayle builds on Kubernetes.',
  'Gestionnaire :\nAda Quayle (Kubernetes)',
])('a quote begins inside no mention of a person to turn to: %s', (mention) => {
  const text = `Lock keeper\nForty lamps are kept by the harbour, with poles and cables.\n${mention}\nWe run Kubernetes.`;
  const quote = chooseImpersonalExcerpt(text, /Kubernetes/);
  expect(quote).toBeDefined();
  expect(quote).not.toMatch(/Ada|Quayle/);
});
