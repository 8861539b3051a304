import type { FastifyInstance } from 'fastify';
import type { Config } from '../config.ts';
import type { Route } from './route.ts';

export function publicPages(_routes: readonly Route[], _config: Config): (app: FastifyInstance) => void {
  return () => undefined;
}
