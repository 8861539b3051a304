import { Ajv2020, type ErrorObject } from 'ajv/dist/2020.js';
import type { Static, TSchema } from 'typebox';
import { InvalidInput } from '../errors/public-error.ts';

/** The operations service validates formats, for REST and MCP alike. */
const ajv = new Ajv2020({
  strict: true,
  allErrors: true,
  coerceTypes: false,
  removeAdditional: false,
  useDefaults: false,
  validateFormats: false,
});

const NAMES: Readonly<Record<string, string>> = {
  array: 'a list',
  boolean: 'true or false',
  integer: 'a whole number',
  object: 'an object',
  string: 'a string',
};

const MAX_NAMED = 5;

export type ShapeCheck<T> = (value: unknown) => T;

/** The returned function throws InvalidInput that names every mistake. */
export function compileShapeCheck<S extends TSchema>(schema: S, subject = 'The body'): ShapeCheck<Static<S>> {
  const matches = ajv.compile<Static<S>>(schema);
  return (value) => {
    if (matches(value)) return value;
    throw new InvalidInput(describe(matches.errors ?? [], subject));
  };
}

function describe(errors: readonly ErrorObject[], subject: string): string {
  const mistakes = [...new Set(errors.map((error) => describeOne(error, subject)))];
  const more = mistakes.length > MAX_NAMED ? ` and ${mistakes.length - MAX_NAMED} more` : '';
  return `${mistakes.slice(0, MAX_NAMED).join('; ')}${more}.`;
}

function describeOne(error: ErrorObject, subject: string): string {
  const path = error.instancePath
    .slice(1)
    .replaceAll(/\/(\d+)/g, '[$1]')
    .replaceAll('/', '.');
  const at = path === '' ? subject : `\`${path}\``;
  const member = (name: unknown) => `\`${[path, String(name).slice(0, 100)].filter(Boolean).join('.')}\``;
  switch (error.keyword) {
    case 'required':
      return `${member(error.params.missingProperty)} is required`;
    case 'additionalProperties':
      return `${member(error.params.additionalProperty)} is not a known field`;
    case 'enum':
      return `${at} must be one of ${error.params.allowedValues.join(', ')}`;
    case 'type':
      return `${at} must be ${NAMES[String(error.params.type)] ?? error.params.type}`;
    case 'minLength':
      return `${at} is too short: at least ${count(error.params.limit, 'character')}`;
    case 'maxLength':
      return `${at} is too long: at most ${count(error.params.limit, 'character')}`;
    case 'minItems':
      return `${at} has too few items: at least ${error.params.limit}`;
    case 'maxItems':
      return `${at} has too many items: at most ${error.params.limit}`;
    case 'minimum':
      return `${at} must be at least ${error.params.limit}`;
    case 'maximum':
      return `${at} must be at most ${error.params.limit}`;
    default:
      return `${at} ${error.message}`;
  }
}

function count(number: number, noun: string): string {
  return `${number} ${noun}${number === 1 ? '' : 's'}`;
}
