import type { FastifyRequest, RouteOptions } from 'fastify';
import { PublicError } from '../errors/public-error.ts';

interface Entry {
  readonly pattern: RegExp;
  readonly methods: Set<string>;
}

/** A wrong method gives 405, not 404. */
export class RouteTable {
  readonly #entries = new Map<string, Entry>();

  /** The hook does not report prefix routes with a trailing slash. */
  add({ url, method, routePath }: Pick<RouteOptions, 'url' | 'method'> & { readonly routePath: string }): void {
    this.#add(url, method);
    if (routePath === '') this.#add(`${url}/`, method);
  }

  /** Throws not_found or method_not_allowed. An exact path wins. */
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

/** Fastify matches `/x/` to the route `/x/:id` with an empty parameter. */
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
