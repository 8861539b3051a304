import type { FastifyRequest, RouteOptions } from 'fastify';
import { PublicError } from '../errors/public-error.ts';

interface Entry {
  readonly pattern: RegExp;
  readonly methods: Set<string>;
}

/** Which paths exist with which methods, so that a wrong method is not taken for a wrong path. */
export class RouteTable {
  readonly #entries = new Map<string, Entry>();

  /** Takes what the hook of new routes brings; that a route at a prefix is there with a slash too, the hook leaves out. */
  add({ url, method, routePath }: Pick<RouteOptions, 'url' | 'method'> & { readonly routePath: string }): void {
    this.#add(url, method);
    if (routePath === '') this.#add(`${url}/`, method);
  }

  /** Throws not_found or method_not_allowed. An exact path wins over one with parameters, whatever the method. */
  check(request: FastifyRequest): void {
    const path = decodedPath(request.raw.url ?? '/');
    const routed = hasEmptyParameter(request) ? undefined : this.#entries.get(request.routeOptions.url ?? '');
    const entry = this.#entries.get(path) ?? routed ?? this.#find(path);
    if (!entry) throw new PublicError('not_found', 'There is nothing at this address; GET / says what there is.');
    if (entry.methods.has(request.method)) return;
    const allow = [...entry.methods].join(', ');
    throw new PublicError('method_not_allowed', `This address takes ${allow}.`, { headers: { allow } });
  }

  #add(url: string, method: RouteOptions['method']): void {
    const entry = this.#entries.get(url) ?? { pattern: patternOf(url), methods: new Set() };
    for (const each of [method].flat()) entry.methods.add(each);
    this.#entries.set(url, entry);
  }

  #find(path: string): Entry | undefined {
    return [...this.#entries.values()].find(({ pattern }) => pattern.test(path));
  }
}

/** Fastify takes the address of a folder for that of its item without a name. */
function hasEmptyParameter({ params }: FastifyRequest): boolean {
  return Object.entries(params ?? {}).some(([name, value]) => name !== '*' && value === '');
}

function patternOf(url: string): RegExp {
  const escaped = url.replace(/[.+?^${}()|[\]\\]/g, '\\$&');
  return new RegExp(`^${escaped.replace(/:[^/]+/g, '[^/]+').replace('*', '.*')}$`);
}

function decodedPath(url: string): string {
  const path = url.split(/[?#]/, 1)[0] ?? '/';
  try {
    return decodeURIComponent(path);
  } catch {
    return path;
  }
}
