import { parseArgs } from 'node:util';
import { StartupError } from '@ces/chassis/service/lifecycle';

export interface CommandLine {
  readonly detach: boolean;
  readonly fresh: boolean;
  readonly sample: boolean;
  readonly live: boolean;
  readonly trace: boolean;
  readonly port: number | undefined;
  readonly settings: Readonly<Record<string, string>>;
}

const ENGINES = ['postgres', 'opensearch'];

export const USAGE = `npm start -- [--detach] [--port N] [--fresh] [--live] [--no-sample] [--trace] [--engine ENGINE]
  --detach     run in the background, return when ready; stop it with npm run stop
  --port N     port of the gateway (default: 8080 or the next free port; 0: free ports for all services)
  --fresh      delete the data of earlier starts
  --live       load no sample data: read every source that needs no key, now and on its schedule
  --no-sample  do not load sample data
  --trace      write spans to traces.jsonl; show a request with npx ces trace ID
  --engine ENGINE       search engine: postgres (default) or opensearch
  --opensearch-url URL  addresses of OpenSearch nodes, separated by commas (default: CES_SEARCH_OPENSEARCH_URL)
Settings: CES_DATA_DIR (default .local), CES_PORT, NATS_URL, CES_<SERVICE>_DATABASE_URL, and all settings of npx ces config.`;

export function parseCommandLine(parameters: readonly string[]): CommandLine | undefined {
  const { help, detach, fresh, live, sample, trace, port, engine, 'opensearch-url': openSearchUrl } = parse(parameters);
  if (help) return undefined;
  return {
    ...{ detach, fresh, live, trace, sample: sample && !live },
    port: port === undefined ? undefined : toPort(port),
    settings: engineSettings(engine, openSearchUrl),
  };
}

function parse(parameters: readonly string[]) {
  try {
    return parseArgs({
      args: [...parameters],
      allowNegative: true,
      options: {
        help: { type: 'boolean', short: 'h', default: false },
        detach: { type: 'boolean', default: false },
        fresh: { type: 'boolean', default: false },
        live: { type: 'boolean', default: false },
        sample: { type: 'boolean', default: true },
        trace: { type: 'boolean', default: false },
        port: { type: 'string' },
        engine: { type: 'string' },
        'opensearch-url': { type: 'string' },
        report: { type: 'boolean', default: false },
      },
    }).values;
  } catch (error) {
    const [reason] = (error as Error).message.split('. ');
    throw new StartupError(
      `${reason}: the options are --detach, --port N, --fresh, --live, --no-sample, --trace, --engine ENGINE and --opensearch-url URL.`,
    );
  }
}

function toPort(text: string): number {
  const port = Number(text);
  if (/^\d+$/.test(text) && port < 65_536) return port;
  throw new StartupError('--port must be a whole number from 0 to 65535; 0: free ports.');
}

/** Does not check the address of the engine: the search service does. */
function engineSettings(engine: string | undefined, openSearchUrl: string | undefined): Record<string, string> {
  if (engine !== undefined && !ENGINES.includes(engine))
    throw new StartupError(`--engine must be one of ${ENGINES.join(', ')}.`);
  if (openSearchUrl !== undefined && engine !== 'opensearch')
    throw new StartupError('--opensearch-url needs --engine opensearch.');
  return {
    ...(engine !== undefined && { CES_SEARCH_ENGINE: engine }),
    ...(openSearchUrl !== undefined && { CES_SEARCH_OPENSEARCH_URL: openSearchUrl }),
  };
}
