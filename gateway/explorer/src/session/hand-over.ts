/** `family`: all tabs that have the key from each other. */
export interface HandedKey {
  readonly apiKey: string;
  readonly family: string;
}

type Message =
  | { readonly is: 'ask'; readonly id: string; readonly address: string }
  | { readonly is: 'give'; readonly id: string; readonly key: HandedKey }
  | { readonly is: 'forget'; readonly family: string };

const CHANNEL = 'ces-session';
/** A context menu may stay open for a while before its link is opened. */
const OFFERED_MS = 60_000;

/** Addresses of links that were pressed in a way that opens a tab. Each serves one tab. */
export class LinkOffers {
  readonly #until = new Map<string, number>();

  offer(address: string, now: number): void {
    this.#until.set(address, now + OFFERED_MS);
  }

  take(address: string, now: number): boolean {
    const until = this.#until.get(address) ?? 0;
    this.#until.delete(address);
    return until > now;
  }
}

/** Only to tabs that a link of this tab opened. Reports when another tab has forgotten the key. */
export function giveKey(key: HandedKey, offers: LinkOffers, onForgotten: () => void): Disposable {
  const channel = new BroadcastChannel(CHANNEL);
  channel.onmessage = ({ data }: MessageEvent<unknown>) => {
    const message = parseMessage(data);
    if (message?.is === 'forget' && message.family === key.family) onForgotten();
    if (message?.is === 'ask' && offers.take(message.address, Date.now()))
      channel.postMessage({ is: 'give', id: message.id, key } satisfies Message);
  };
  return { [Symbol.dispose]: () => channel.close() };
}

/** Asks the tabs that may have opened this one. Resolves with undefined after `waitMs`. */
export function askForKey(address: string, waitMs: number): Promise<HandedKey | undefined> {
  const channel = new BroadcastChannel(CHANNEL);
  const id = createName();
  const { promise, resolve } = Promise.withResolvers<HandedKey | undefined>();
  const timer = setTimeout(() => resolve(undefined), waitMs);
  channel.onmessage = ({ data }: MessageEvent<unknown>) => {
    const message = parseMessage(data);
    if (message?.is === 'give' && message.id === id) resolve(message.key);
  };
  channel.postMessage({ is: 'ask', id, address } satisfies Message);
  return promise.finally(() => {
    clearTimeout(timer);
    channel.close();
  });
}

export function forgetInFamily(family: string): void {
  const channel = new BroadcastChannel(CHANNEL);
  channel.postMessage({ is: 'forget', family } satisfies Message);
  channel.close();
}

export function createName(): string {
  return [...crypto.getRandomValues(new Uint32Array(4))].map((part) => part.toString(36)).join('-');
}

/** A page of this origin might send anything. */
function parseMessage(data: unknown): Message | undefined {
  const { is, id, address, key, family } = fieldsOf(data);
  if (is === 'ask' && typeof id === 'string' && typeof address === 'string') return { is, id, address };
  if (is === 'forget' && typeof family === 'string') return { is, family };
  const handed = fieldsOf(key);
  if (is !== 'give' || typeof id !== 'string') return undefined;
  if (typeof handed.apiKey !== 'string' || typeof handed.family !== 'string') return undefined;
  return { is, id, key: { apiKey: handed.apiKey, family: handed.family } };
}

function fieldsOf(value: unknown): { readonly [name: string]: unknown } {
  return typeof value === 'object' && value !== null ? { ...value } : {};
}
