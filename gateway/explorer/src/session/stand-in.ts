/** Stands in for `@ces/client` until it lands: the same names, the unmetered reads alone. */
export class CesClient {
  readonly #apiKey: string;

  constructor({ apiKey }: { baseUrl: string; apiKey: string }) {
    this.#apiKey = apiKey;
  }

  getUsage(): Promise<UsageReport> {
    return this.#get('/api/usage');
  }

  async #get<T>(path: string): Promise<T> {
    const response = await fetch(path, { headers: { authorization: `Bearer ${this.#apiKey}` } });
    const body = await response.json();
    if (response.ok) return body;
    throw new CesError(body.error.code, response.status, body.error.message, body.error.retry_at);
  }
}

export class CesError extends Error {
  readonly code: string;
  readonly status: number;
  readonly retryAt: Date | undefined;
  readonly requestKey: string | undefined = undefined;

  constructor(code: string, status: number, message: string, retryAt?: string) {
    super(message);
    this.code = code;
    this.status = status;
    this.retryAt = retryAt === undefined ? undefined : new Date(retryAt);
  }
}

interface UsageReport {
  readonly subscription: { readonly plan: string; readonly status: string };
  readonly usage: { readonly weekly_request_units: number };
  readonly limits: { readonly weekly_request_units: number };
  readonly reservations: { readonly request_units: number };
}
