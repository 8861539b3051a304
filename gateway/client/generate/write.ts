import { writeFile } from 'node:fs/promises';
import path from 'node:path';
import { buildDocument } from '@ces/gateway/test-support/openapi';
import { generateTypes } from './generate.ts';

const file = path.join(import.meta.dirname, '../src/generated/openapi.ts');
await writeFile(file, await generateTypes(buildDocument()));
