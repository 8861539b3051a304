import type { Browser, BrowserContext, BrowserContextOptions, ConsoleMessage, Page } from 'playwright-core';

export interface VisitOptions extends BrowserContextOptions {
  /** Statuses, or `network`, whose console errors the test provokes. */
  readonly expected?: readonly (number | 'network')[] | undefined;
}

export interface Visit extends AsyncDisposable {
  readonly page: Page;
  readonly faults: readonly string[];
  /**
   * A network interface of the machine changed, so Chromium aborted requests. The page is not at
   * fault.
   */
  readonly isDisturbed: boolean;
}

/**
 * Opens a new tab. `faults` collects console errors, exceptions, foreign requests and CSP
 * violations.
 */
export async function openVisit(
  { browser, baseUrl }: { readonly browser: Browser; readonly baseUrl: string },
  { expected = [], ...options }: VisitOptions = {},
): Promise<Visit> {
  const context = await browser.newContext({
    viewport: { width: 1280, height: 900 },
    reducedMotion: 'reduce',
    locale: 'en-US',
    permissions: ['clipboard-read', 'clipboard-write'],
    ...options,
  });
  const faults: string[] = [];
  await watch(context, baseUrl, expected, (fault) => faults.push(fault));
  return {
    page: await context.newPage(),
    faults,
    get isDisturbed() {
      return faults.some((fault) => fault.includes('net::ERR_NETWORK_CHANGED'));
    },
    [Symbol.asyncDispose]: () => context.close(),
  };
}

/** Opens a page of the gateway in a new tab, with all that it loads. */
export async function visitPage(browser: Browser, url: string, options: BrowserContextOptions = {}): Promise<Visit> {
  const motion = { reducedMotion: 'no-preference' } as const;
  const visit = await openVisit({ browser, baseUrl: new URL(url).origin }, { ...motion, ...options });
  await visit.page.goto(url, { waitUntil: 'networkidle' });
  return visit;
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
  reportViolation([event.violatedDirective, event.blockedURI, event.sourceFile, event.sample].join(' ')));`;

function isComplaint(message: ConsoleMessage): boolean {
  return message.type() === 'error' || message.type() === 'warning';
}

function isExpected(text: string, expected: NonNullable<VisitOptions['expected']>): boolean {
  const [, status] = /^Failed to load resource: the server responded with a status of (\d+)/.exec(text) ?? [];
  if (status) return expected.includes(Number(status));
  return expected.includes('network') && /^Failed to load resource: net::ERR_/.test(text);
}
