import { failureOf, PublishFailure } from './failure.ts';
import type { Order } from './order.ts';
import type { Tools } from './tools.ts';

/** An artifact to publish: its reference in this run's registry, and its name in the target. */
export interface Item {
  readonly what: string;
  readonly name: string;
  readonly reference: string;
}

/** Undefined without the version's tag. Rejects with a PublishFailure. */
export async function findPublishedDigest(tools: Tools, order: Order, name: string): Promise<string | undefined> {
  return await resolve(tools, order, `${targetOf(order, name)}:${order.version}`);
}

export function refuseOtherDigest(order: Order, { what, name, reference }: Item, there: string | undefined): void {
  if (there === undefined || there === digestOf(reference)) return;
  throw new PublishFailure(
    `${targetOf(order, name)}:${order.version} is there already and is another ${what}, ${there}: choose a new version.`,
  );
}

/** An earlier run's with the same digest: not scanned or signed twice. */
export async function copyToRegistry(tools: Tools, order: Order, { name, reference }: Item): Promise<void> {
  const target = `${targetOf(order, name)}@${digestOf(reference)}`;
  if ((await resolve(tools, order, target)) === undefined) return;
  const from = ['--from-plain-http'].filter(() => order.plainHttp);
  await copy(tools, ['--to-plain-http', ...from, target, reference], `What is at ${target} could not be read`);
}

/** Copies the artifact with its referrers; oras sets the tag last. */
export async function push(tools: Tools, order: Order, { name, reference }: Item): Promise<void> {
  const target = targetOf(order, name);
  const to = ['--to-plain-http'].filter(() => order.plainHttp);
  const parameters = ['--from-plain-http', ...to, reference, `${target}:${order.version}`];
  await copy(tools, parameters, `${target} did not take it`);
}

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
