import { randomBytes } from 'node:crypto';

const TRACEPARENT = /^00-(?!0{32})[0-9a-f]{32}-(?!0{16})[0-9a-f]{16}-[0-9a-f]{2}$/;

/** The caller's W3C trace with a new span, or a new trace. */
export function continueTrace(incoming: string | string[] | undefined): string {
  const span = randomBytes(8).toString('hex');
  if (typeof incoming !== 'string' || !TRACEPARENT.test(incoming))
    return `00-${randomBytes(16).toString('hex')}-${span}-01`;
  const [version, trace, , flags] = incoming.split('-');
  return `${version}-${trace}-${span}-${flags}`;
}
