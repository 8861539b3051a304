import { readFileSync } from 'node:fs';
import https from 'node:https';
import { type PeriodicTask, startPeriodicTask } from '../../service/periodic-task.ts';
import type { Logger } from '../../telemetry/log.ts';
import { untraced } from '../../telemetry/span.ts';
import { type IssuerKeys, type KeySet, parseKeySet } from './key-set.ts';
import type { ServiceAccountSettings } from './settings.ts';

/** A published key is known before its first use. */
const EVERY_MS = 60_000;
const COOL_DOWN_MS = 10_000;
const TIMEOUT_MS = 5_000;
const MAX_BYTES = 256 * 1024;

type KeySource = Pick<
  ServiceAccountSettings,
  'serviceAccountKeysUrl' | 'serviceAccountKeysCaFile' | 'serviceAccountKeysTokenFile'
>;

/** While the URL fails, the known keys stay valid. */
export class FetchedKeys implements IssuerKeys {
  readonly #source: KeySource;
  readonly #logger: Logger;
  readonly #task: PeriodicTask;
  #text = '';
  #current: KeySet | undefined;
  #fetching: Promise<void> | undefined;
  #mayAskAt = Number.NEGATIVE_INFINITY;

  constructor(source: KeySource, logger: Logger) {
    this.#source = source;
    this.#logger = logger;
    this.#task = startPeriodicTask({
      name: 'fetching the keys of the issuer of ServiceAccount tokens',
      everyMs: EVERY_MS,
      jitter: 0.2,
      immediately: true,
      run: () => this.#fetch(),
      logger,
    });
  }

  get current(): KeySet | undefined {
    return this.#current;
  }

  async renew(): Promise<KeySet | undefined> {
    const before = this.#current;
    // The fetch in progress may have started before the key was published.
    for (let look = 0; look < 2 && this.#current === before; look += 1) {
      // The other caller logs the error.
      if (this.#fetching) await this.#fetching.catch(() => undefined);
      else if (performance.now() >= this.#mayAskAt) await this.#fetchOnce();
    }
    return this.#current;
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.#task[Symbol.asyncDispose]();
  }

  async #fetchOnce(): Promise<void> {
    this.#mayAskAt = performance.now() + COOL_DOWN_MS;
    await untraced(() => this.#fetch()).catch((error: unknown) => {
      this.#logger.warn({ err: error }, 'the keys of the issuer cannot be fetched; those known go on');
    });
  }

  #fetch(): Promise<void> {
    this.#fetching ??= fetchText(this.#source)
      .then((text) => {
        if (text === this.#text) return;
        this.#current = parseKeySet(text);
        this.#text = text;
      })
      .finally(() => {
        this.#fetching = undefined;
      });
    return this.#fetching;
  }
}

async function fetchText(source: KeySource): Promise<string> {
  const { serviceAccountKeysUrl: url, serviceAccountKeysCaFile, serviceAccountKeysTokenFile } = source;
  const ca = serviceAccountKeysCaFile === '' ? undefined : readFileSync(serviceAccountKeysCaFile);
  const bearer = serviceAccountKeysTokenFile === '' ? '' : readFileSync(serviceAccountKeysTokenFile, 'utf8').trim();
  const headers = {
    accept: 'application/jwk-set+json, application/json',
    ...(bearer && { authorization: `Bearer ${bearer}` }),
  };
  const { promise, resolve, reject } = Promise.withResolvers<string>();
  const signal = AbortSignal.timeout(TIMEOUT_MS);
  const request = https.get(
    url,
    { ...(ca && { ca }), minVersion: 'TLSv1.2', agent: false, headers, signal },
    (answer) => {
      const { statusCode } = answer;
      let text = '';
      answer.setEncoding('utf8');
      answer.on('data', (part: string) => {
        text += part;
        if (text.length > MAX_BYTES) request.destroy(new Error(`${url} answers with more than ${MAX_BYTES} bytes`));
      });
      answer.on('error', reject);
      answer.on('end', () => {
        if (statusCode === 200) resolve(text);
        else reject(new Error(`${url} answers with ${statusCode}`));
      });
    },
  );
  request.on('error', reject);
  return await promise;
}
