/** A JSON schema, as far as values need one. */
export type Schema = Readonly<Record<string, unknown>>;

/** One value of the chart. */
export interface Leaf {
  /** One sentence for schema, README and `values.yaml`. */
  readonly description: string;
  readonly default: unknown;
  readonly schema: Schema;
}

/** Values under one key. */
export interface Group {
  readonly description: string;
  readonly values: Readonly<Record<string, Value>>;
  /** Whether keys of others are let in, as under `global`. */
  readonly open?: boolean;
  /** What else holds of them together. */
  readonly rules?: Schema;
}

export type Value = Leaf | Group;

export function isGroup(value: Value): value is Group {
  return 'values' in value;
}

export function group(description: string, values: Group['values'], rest: Pick<Group, 'open' | 'rules'> = {}): Group {
  return { description, values, ...rest };
}

export function flag(description: string, preset: boolean): Leaf {
  return { description, default: preset, schema: { type: 'boolean' } };
}

export function text(description: string, preset = '', rest: Schema = {}): Leaf {
  return { description, default: preset, schema: { type: 'string', ...rest } };
}

export function oneOf(description: string, choices: readonly string[], preset: string): Leaf {
  return { description, default: preset, schema: { type: 'string', enum: choices } };
}

export function integer(description: string, preset: number, minimum: number, maximum?: number): Leaf {
  return {
    description,
    default: preset,
    schema: { type: 'integer', minimum, ...(maximum !== undefined && { maximum }) },
  };
}

/** A list whose entries `items` describes; objects as Kubernetes takes them unless it says otherwise. */
export function list(description: string, items: Schema = { type: 'object' }, preset: readonly unknown[] = []): Leaf {
  return { description, default: preset, schema: { type: 'array', items } };
}

/** A map of names to strings, such as labels. */
export function strings(description: string, preset: Readonly<Record<string, string>> = {}): Leaf {
  return { description, default: preset, schema: { type: 'object', additionalProperties: { type: 'string' } } };
}

/** An object as Kubernetes takes it, which its API server checks. */
export function kubernetes(description: string, preset: object = {}): Leaf {
  return { description, default: preset, schema: { type: 'object', additionalProperties: true } };
}

/** What a value may be; a group lets in no key that it does not know, but where it is open. */
export function schemaOf(value: Value): Schema {
  const { description } = value;
  if (!isGroup(value)) return { description, ...value.schema };
  return {
    description,
    type: 'object',
    additionalProperties: value.open ?? false,
    properties: Object.fromEntries(Object.entries(value.values).map(([key, inner]) => [key, schemaOf(inner)])),
    ...value.rules,
  };
}
