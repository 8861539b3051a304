import { failureOf, PublishFailure } from './failure.ts';
import type { Order } from './order.ts';
import type { Tools } from './tools.ts';

/** What is published under a version: where it stands in the registry of this run, and where it goes. */
export interface Item {
  /** As `image`, for messages. */
  readonly what: string;
  /** Its name below the path of the registry. */
  readonly name: string;
  /** As `127.0.0.1:5000/…@sha256:…`. */
  readonly reference: string;
}

/** The digest under the tag of the version in the registry; undefined where there is none. Rejects with a PublishFailure. */
export async function digestThere(tools: Tools, order: Order, name: string): Promise<string | undefined> {
  return await resolve(tools, order, `${targetOf(order, name)}:${order.version}`);
}

/** Refuses what stands under the version already and is another: what was published is never changed. */
export function refuseOther(order: Order, { what, name, reference }: Item, there: string | undefined): void {
  if (there === undefined || there === digestOf(reference)) return;
  throw new PublishFailure(
    `${targetOf(order, name)}:${order.version} is there already and is another ${what}, ${there}: choose a new version.`,
  );
}

/** Takes what an earlier run has put there with the same digest, so that it is neither listed nor signed twice. */
export async function takeUp(tools: Tools, order: Order, { name, reference }: Item): Promise<void> {
  const target = `${targetOf(order, name)}@${digestOf(reference)}`;
  if ((await resolve(tools, order, target)) === undefined) return;
  const from = ['--from-plain-http'].filter(() => order.plainHttp);
  await copy(tools, ['--to-plain-http', ...from, target, reference], `What is at ${target} could not be read`);
}

/** Copies it with all that hangs on it; the tag comes last. */
export async function push(tools: Tools, order: Order, { name, reference }: Item): Promise<void> {
  const target = targetOf(order, name);
  const to = ['--to-plain-http'].filter(() => order.plainHttp);
  const parameters = ['--from-plain-http', ...to, reference, `${target}:${order.version}`];
  await copy(tools, parameters, `${target} did not take it`);
}

/** The name in the registry that it goes to, as `registry.example.com/team/charts/ces`. */
export function targetOf({ host, path }: Order, name: string): string {
  return `${host}/${path}/${name}`;
}

export function digestOf(reference: string): string {
  return reference.slice(reference.indexOf('@') + 1);
}

async function resolve({ oras }: Tools, { plainHttp }: Order, target: string): Promise<string | undefined> {
  const plain = ['--plain-http'].filter(() => plainHttp);
  return await oras('resolve', ...plain, target).then(
    (printed) => printed.trim(),
    (error: Error) => {
      if (/: not found\s*$/m.test(error.message)) return undefined;
      throw failureOf(`${target} could not be asked`, error);
    },
  );
}

async function copy({ oras }: Tools, parameters: readonly string[], failed: string): Promise<void> {
  await oras('cp', '--recursive', '--no-tty', ...parameters).catch((error: unknown) => {
    throw failureOf(failed, error);
  });
}
