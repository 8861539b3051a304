import { Ajv2020, type ErrorObject } from 'ajv/dist/2020.js';
import type { Static, TSchema } from 'typebox';
import { InvalidInput } from '../errors/public-error.ts';
import { type JsonStep, jsonPath, nameOf } from './json-path.ts';
import { nearestName } from './nearest.ts';

/** Operations validates formats. `verbose` adds the refused value and its schema to an error. */
const ajv = new Ajv2020({
  strict: true,
  allErrors: true,
  verbose: true,
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

/** Throws InvalidInput with a sentence for each mistake: its JSON path and what is allowed. */
export function compileShapeCheck<S extends TSchema>(schema: S, subject = 'The body'): ShapeCheck<Static<S>> {
  const matches = ajv.compile<Static<S>>(schema);
  const known = fieldsOf(schema);
  return (value) => {
    if (matches(value)) return value;
    throw new InvalidInput(describe(matches.errors ?? [], { subject, known }));
  };
}

interface Checked {
  readonly subject: string;
  /** Without indexes. */
  readonly known: readonly string[];
}

/** The part of a schema that messages need. */
interface Shape {
  readonly properties?: Readonly<Record<string, Shape>>;
  readonly enum?: readonly unknown[];
  readonly minimum?: number;
  readonly maximum?: number;
}

function fieldsOf({ properties = {} }: Shape, prefix = ''): readonly string[] {
  return Object.entries(properties).flatMap(([name, inner]) => [
    `${prefix}${name}`,
    ...fieldsOf(inner, `${prefix}${name}.`),
  ]);
}

function describe(errors: readonly ErrorObject[], checked: Checked): string {
  const mistakes = [...new Set(errors.map((error) => describeOne(error, checked)))];
  const more = mistakes.length > MAX_NAMED ? [`There are ${mistakes.length - MAX_NAMED} more mistakes.`] : [];
  return [...mistakes.slice(0, MAX_NAMED), ...more].join(' ');
}

function describeOne(error: ErrorObject, checked: Checked): string {
  const steps = stepsOf(error.instancePath);
  const at = nameOf(steps, checked.subject);
  const { properties, enum: allowed, minimum, maximum } = error.parentSchema ?? {};
  const shape: Shape = { properties, enum: allowed, minimum, maximum };
  const { limit } = error.params;
  switch (error.keyword) {
    case 'required':
      return `${nameOf([...steps, String(error.params.missingProperty)], '')} is required.`;
    case 'additionalProperties':
      return describeUnknown(steps, String(error.params.additionalProperty), shape, checked);
    case 'enum':
      return `${at} must be one of ${(shape.enum ?? []).join(', ')}.${meant(error.data, shape.enum)}`;
    case 'type':
      return `${at} must be ${NAMES[String(error.params.type)] ?? error.params.type}${rangeOf(shape)}.`;
    case 'minimum':
    case 'maximum':
      return `${at} must be${rangeOf(shape)}.`;
    case 'minLength':
      return `${at} is too short: at least ${count(limit, 'character')}.`;
    case 'maxLength':
      return `${at} is too long: at most ${count(limit, 'character')}.`;
    case 'minItems':
      return `${at} has too few items: at least ${limit}.`;
    case 'maxItems':
      return `${at} has too many items: at most ${limit}.`;
    default:
      return `${at} ${error.message}.`;
  }
}

/** Names the path of a field that is known elsewhere, as `countries` is under `filters`. */
function describeUnknown(
  steps: readonly JsonStep[],
  name: string,
  { properties = {} }: Shape,
  { subject, known }: Checked,
): string {
  const mistake = `${nameOf([...steps, name], '')} is not a known field`;
  const siblings = Object.keys(properties);
  const sibling = nearestName(name, siblings);
  const nearest = sibling === undefined ? nearestElsewhere(name, known) : jsonPath([...steps, sibling]);
  return nearest === undefined
    ? `${mistake}. ${nameOf(steps, subject)} takes ${siblings.join(', ')}.`
    : `${mistake}: did you mean \`${nearest}\`?`;
}

function nearestElsewhere(name: string, known: readonly string[]): string | undefined {
  const paths = new Map(known.map((path) => [path.slice(path.lastIndexOf('.') + 1), path]));
  const nearest = nearestName(name, [...paths.keys()]);
  return nearest === undefined ? undefined : paths.get(nearest);
}

function meant(value: unknown, allowed: readonly unknown[] = []): string {
  const names = allowed.filter((each) => typeof each === 'string');
  const nearest = typeof value === 'string' ? nearestName(value, names) : undefined;
  return nearest === undefined ? '' : ` Did you mean ${nearest}?`;
}

function rangeOf({ minimum, maximum }: Shape): string {
  if (minimum !== undefined && maximum !== undefined) return ` from ${minimum} to ${maximum}`;
  if (minimum !== undefined) return ` at least ${minimum}`;
  return maximum === undefined ? '' : ` at most ${maximum}`;
}

/** No member's name is escaped in JSON Pointer. */
function stepsOf(instancePath: string): readonly JsonStep[] {
  return instancePath
    .split('/')
    .slice(1)
    .map((part) => (/^\d+$/.test(part) ? Number(part) : part));
}

function count(number: number, noun: string): string {
  return `${number} ${noun}${number === 1 ? '' : 's'}`;
}
