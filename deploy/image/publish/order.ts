import { parseArgs } from 'node:util';
import { PublishFailure } from './failure.ts';

export interface Order {
  readonly host: string;
  readonly path: string;
  /** A semantic version without build metadata, because a tag cannot contain `+`. */
  readonly version: string;
  /** Base image as `NAME@sha256:…`; undefined: the Dockerfile's base. */
  readonly base: string | undefined;
  readonly assemblesBase: boolean;
  /** Name of a key in notation's settings; undefined: no signature. */
  readonly key: string | undefined;
  readonly bundle: string | undefined;
  readonly plainHttp: boolean;
}

export const USAGE = `npm run release -- --registry HOST[:PORT]/PATH --version VERSION (--sign KEY | --unsigned)
    [--bundle FILE.tar] [--base NAME@sha256:DIGEST | --assemble-base] [--plain-http]
`;

const OPTIONS = {
  registry: { type: 'string' },
  version: { type: 'string' },
  sign: { type: 'string' },
  unsigned: { type: 'boolean', default: false },
  bundle: { type: 'string' },
  base: { type: 'string' },
  'assemble-base': { type: 'boolean', default: false },
  'plain-http': { type: 'boolean', default: false },
} as const;

const REGISTRY = /^([a-z0-9](?:[a-z0-9.-]*[a-z0-9])?(?::\d{1,5})?)\/([a-z0-9]+(?:(?:[._]|__|-+|\/)[a-z0-9]+)*)$/;
const NUMBER = '(?:0|[1-9]\\d*)';
const VERSION = new RegExp(`^${NUMBER}\\.${NUMBER}\\.${NUMBER}(?:-[0-9A-Za-z-]+(?:\\.[0-9A-Za-z-]+)*)?$`);
const LONGEST_VERSION = 63;
const BASE = /^[a-z0-9][a-z0-9.:/_-]*@sha256:[0-9a-f]{64}$/;
const KEY = /^[\w.-]+$/;

export function readOrder(argv: readonly string[]): Order {
  const values = parse(argv);
  const [host, path] = readRegistry(values.registry);
  if (values.sign !== undefined && !KEY.test(values.sign))
    throw new PublishFailure(
      '--sign takes the name of a key that notation knows (notation key ls), never a key itself.',
    );
  if ((values.sign === undefined) !== values.unsigned)
    throw new PublishFailure('Say either --sign with the name of a key or --unsigned.');
  if (values.base !== undefined && values['assemble-base'])
    throw new PublishFailure('Say either --base or --assemble-base, not both.');
  if (values.base !== undefined && !BASE.test(values.base))
    throw new PublishFailure(`--base must name its digest, as NAME@sha256:…; it was ${JSON.stringify(values.base)}.`);
  if (values.bundle !== undefined && !values.bundle.endsWith('.tar'))
    throw new PublishFailure(`--bundle must be a file that ends in .tar; it was ${JSON.stringify(values.bundle)}.`);
  return {
    host,
    path,
    version: readVersion(values.version),
    base: values.base,
    assemblesBase: values['assemble-base'],
    key: values.sign,
    bundle: values.bundle,
    plainHttp: values['plain-http'],
  };
}

function parse(argv: readonly string[]) {
  try {
    return parseArgs({ args: [...argv], options: OPTIONS }).values;
  } catch (error) {
    throw new PublishFailure(`${(error as Error).message.split(/\. |\n/)[0]?.replace(/\.$/, '')}.`, { cause: error });
  }
}

function readRegistry(given: string | undefined): readonly [string, string] {
  // Checked first, so that no later message prints a password that the argument contains.
  if (given?.includes('@'))
    throw new PublishFailure('--registry names no user and no password: log in first, by oras login HOST.');
  const [, host, path] = REGISTRY.exec(given ?? '') ?? [];
  if (host === undefined || path === undefined)
    throw new PublishFailure(
      `--registry must be HOST[:PORT]/PATH without a scheme or tag, as registry.example.com/team; it was ${JSON.stringify(given ?? '')}.`,
    );
  return [host, path];
}

function readVersion(given = ''): string {
  if (VERSION.test(given) && given.length <= LONGEST_VERSION) return given;
  throw new PublishFailure(
    `--version must be a version of SemVer without build metadata, as 1.4.0 or 1.4.0-rc.1; it was ${JSON.stringify(given)}.`,
  );
}
