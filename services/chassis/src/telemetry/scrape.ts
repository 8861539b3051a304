import type { IncomingMessage, ServerResponse } from 'node:http';

type AnswerScrape = (request: IncomingMessage, response: ServerResponse) => void;

/** Undefined before telemetry has started, as in tests that run a service inside, and where the SDK is disabled. */
let answer: AnswerScrape | undefined;

/** Names what answers scrapes of this process from now on. */
export function serveScrapes(next: AnswerScrape | undefined): void {
  answer = next;
}

/** Answers with all metrics of this process as Prometheus text; false where there are none. */
export function answerScrape(request: IncomingMessage, response: ServerResponse): boolean {
  answer?.(request, response);
  return answer !== undefined;
}
