import { writeFile } from 'node:fs/promises';
import path from 'node:path';
import { startGateway } from '../../test-support/gateway.ts';

// `npm run contracts:release` runs this; subscribers then rely on the document.
await using gateway = await startGateway({});
const document: unknown = await (await fetch(`${gateway.url}/openapi.json`)).json();
const file = path.join(import.meta.dirname, '../../released/openapi.json');
await writeFile(file, `${JSON.stringify(document, undefined, 1)}\n`);
