import type { BrowserContext, ConsoleMessage, Page } from 'playwright-core';
import type { World } from './world.ts';

export interface VisitOptions {
  readonly width?: number;
  readonly height?: number;
  readonly scheme?: 'light' | 'dark';
  /** Statuses, or `network`, that the browser may complain of: what is tried asks for them. */
  readonly expected?: readonly (number | 'network')[] | undefined;
}

/** A person's tab. Whatever no person should have happen to them is kept as a fault. */
export interface Visit extends AsyncDisposable {
  readonly page: Page;
  readonly faults: readonly string[];
  /** An interface of the machine came or went, for which Chromium gives up what is under way: that says nothing of the page. */
  readonly isDisturbed: boolean;
}

/** Opens a tab of its own; `faults` gets console errors, exceptions, requests elsewhere and breaches of the content policy. */
export async function openVisit(world: World, options: VisitOptions = {}): Promise<Visit> {
  const { width = 1280, height = 900, scheme = 'light', expected = [] } = options;
  const context = await world.browser.newContext({
    viewport: { width, height },
    colorScheme: scheme,
    reducedMotion: 'reduce',
    locale: 'en-US',
    permissions: ['clipboard-read', 'clipboard-write'],
  });
  const faults: string[] = [];
  await watch(context, world.baseUrl, expected, (fault) => faults.push(fault));
  return {
    page: await context.newPage(),
    faults,
    get isDisturbed() {
      return faults.some((fault) => fault.includes('net::ERR_NETWORK_CHANGED'));
    },
    [Symbol.asyncDispose]: () => context.close(),
  };
}

async function watch(
  context: BrowserContext,
  origin: string,
  expected: NonNullable<VisitOptions['expected']>,
  fault: (text: string) => void,
): Promise<void> {
  context.on('request', (request) => {
    const url = request.url();
    if (!url.startsWith(`${origin}/`) && !/^(?:data|blob|about):/.test(url)) fault(`a request left for ${url}`);
  });
  context.on('weberror', (error) => fault(`an exception: ${error.error().message}`));
  context.on('console', (message) => {
    if (isComplaint(message) && !isExpected(message.text(), expected))
      fault(`console: ${message.text()} (${message.location().url})`);
  });
  await context.exposeFunction('reportViolation', (text: string) => fault(`the content policy was broken: ${text}`));
  await context.addInitScript({ content: REPORT_VIOLATIONS });
}

const REPORT_VIOLATIONS = `document.addEventListener('securitypolicyviolation', (event) =>
  reportViolation([event.violatedDirective, event.blockedURI, event.sourceFile].join(' ')));`;

function isComplaint(message: ConsoleMessage): boolean {
  return message.type() === 'error' || message.type() === 'warning';
}

/** Chromium writes a line for each answer that is a refusal. */
function isExpected(text: string, expected: NonNullable<VisitOptions['expected']>): boolean {
  const [, status] = /^Failed to load resource: the server responded with a status of (\d+)/.exec(text) ?? [];
  if (status) return expected.includes(Number(status));
  return expected.includes('network') && /^Failed to load resource: net::ERR_/.test(text);
}
