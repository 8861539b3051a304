const MAX_KEY_LENGTH = 100;

export type JsonStep = string | number;

/** Such as `filters.kinds[0]`; '' is the whole value. */
export function jsonPath(steps: readonly JsonStep[]): string {
  return steps.reduce<string>((path, step) => {
    if (typeof step === 'number') return `${path}[${step}]`;
    const key = step.slice(0, MAX_KEY_LENGTH);
    return path === '' ? key : `${path}.${key}`;
  }, '');
}

/** The path in backticks, or `subject` for the whole value. */
export function nameOf(steps: readonly JsonStep[], subject: string): string {
  const path = jsonPath(steps);
  return path === '' ? subject : `\`${path}\``;
}
