import { randomUUID } from 'node:crypto';
import type { Socket } from 'node:net';
import type { Logger } from '@ces/chassis/telemetry/log';
import type { WatchedCertificates } from '@ces/chassis/tls/watched-certificates';
import fastify, { type FastifyInstance, type FastifyReply, type FastifyRequest } from 'fastify';
import type { Config } from '../config.ts';
import type { AnswerError } from './answer-error.ts';
import { setAnswerHeaders } from './answer-headers.ts';
import { headTimeoutMs, MAX_ADDRESS_BYTES, MAX_BODY_BYTES, MAX_HEAD_BYTES } from './bounds.ts';
import { publicCertificates, renewFor, serverOptions } from './certificates.ts';
import { answerConnect, answerConnectionFault } from './connection-faults.ts';
import { decorateRequests } from './context.ts';
import { endConnectionsWhenClosing } from './drain.ts';

/** How often Node checks for requests that arrive too slowly. */
const ARRIVAL_CHECK_MS = 1_000;

export function createServer(config: Config, answerError: AnswerError, logger: Logger): FastifyInstance {
  const certificates = publicCertificates(config);
  const bounds = {
    maxHeaderSize: MAX_HEAD_BYTES,
    requireHostHeader: false,
    connectionsCheckingInterval: ARRIVAL_CHECK_MS,
    // Node enforces it on bodies only if it is set at creation.
    requestTimeout: config.requestTimeoutMs,
    headersTimeout: headTimeoutMs(config),
  };
  const app = fastify({
    ...(certificates
      ? { https: { ...bounds, ...serverOptions(certificates, headTimeoutMs(config)) } as object }
      : { http: bounds }),
    requestTimeout: config.requestTimeoutMs,
    keepAliveTimeout: config.keepAliveMs,
    bodyLimit: MAX_BODY_BYTES,
    trustProxy: config.trustedProxies.length > 0 ? [...config.trustedProxies] : false,
    genReqId: () => randomUUID(),
    exposeHeadRoutes: false,
    return503OnClosing: false,
    forceCloseConnections: 'idle',
    routerOptions: { maxParamLength: MAX_ADDRESS_BYTES, querystringParser: () => ({}) },
    clientErrorHandler: (error: Error, socket: Socket) => answerConnectionFault(error, socket, config),
    frameworkErrors: (error: Error, request: FastifyRequest, reply: FastifyReply) => {
      setAnswerHeaders(request, reply);
      answerError(error, request, reply);
    },
  });
  app.server.maxHeadersCount = 0;
  app.server.on('connect', (_request, socket) => answerConnect(socket));
  app.server.on('checkExpectation', (request, response) => app.server.emit('request', request, response));
  if (certificates) renewWhileServing(app, certificates, logger);
  decorateRequests(app);
  endConnectionsWhenClosing(app, certificates !== undefined);
  return app;
}

function renewWhileServing(app: FastifyInstance, certificates: WatchedCertificates, logger: Logger): void {
  const renewing = renewFor(app.server, certificates, logger);
  app.server.once('close', () => renewing[Symbol.dispose]());
}
