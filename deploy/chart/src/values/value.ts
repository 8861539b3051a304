export type Schema = Readonly<Record<string, unknown>>;

export interface Leaf {
  readonly description: string;
  readonly default: unknown;
  readonly schema: Schema;
}

export interface Group {
  readonly description: string;
  readonly values: Readonly<Record<string, Value>>;
  /** Whether unknown keys are allowed, as under `global`. */
  readonly open?: boolean;
  /** Schema keywords over several values of the group. */
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

export function list(description: string, items: Schema = { type: 'object' }, preset: readonly unknown[] = []): Leaf {
  return { description, default: preset, schema: { type: 'array', items } };
}

export function strings(description: string, preset: Readonly<Record<string, string>> = {}): Leaf {
  return { description, default: preset, schema: { type: 'object', additionalProperties: { type: 'string' } } };
}

/** A Kubernetes object, which only the API server validates. */
export function kubernetes(description: string, preset: object = {}): Leaf {
  return { description, default: preset, schema: { type: 'object', additionalProperties: true } };
}

/** The JSON schema of a value. A group allows no unknown key unless it is `open`. */
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
