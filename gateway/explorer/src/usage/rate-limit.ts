export interface LimitedInterval {
  readonly limit: number;
  readonly left: number;
  readonly resetSeconds: number;
  readonly lengthSeconds: number;
}

export interface RateLimits {
  readonly window: LimitedInterval;
  readonly week: LimitedInterval;
}

/** IETF draft, structured fields; undefined without window or week. */
export function readRateLimits(policy: string | null, rateLimit: string | null): RateLimits | undefined {
  const [policies, states] = [readItems(policy ?? ''), readItems(rateLimit ?? '')];
  const interval = (name: string): LimitedInterval | undefined => {
    const { q: limit, w: lengthSeconds } = policies.get(name) ?? {};
    const { r: left, t: resetSeconds } = states.get(name) ?? {};
    if (limit === undefined || lengthSeconds === undefined || left === undefined) return undefined;
    return { limit, left, resetSeconds: resetSeconds ?? 0, lengthSeconds };
  };
  const [window, week] = [interval('window'), interval('week')];
  return window && week && { window, week };
}

function readItems(header: string): ReadonlyMap<string, Readonly<Record<string, number>>> {
  return new Map(
    header.split(',').map((item) => {
      const [name = '', ...parameters] = item.split(';').map((part) => part.trim());
      const numbers = parameters.map((one) => one.split('=')).map(([key = '', value]) => [key, Number(value)] as const);
      return [name.replaceAll('"', ''), Object.fromEntries(numbers)];
    }),
  );
}
