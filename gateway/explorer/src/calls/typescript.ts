import type { Call } from './call.ts';

/** The environment variable `api_key` holds the API key. */
export function asTypeScript(call: Call, baseUrl: string): string {
  return `import { CesClient } from '@ces/client';

const ces = new CesClient({ baseUrl: ${JSON.stringify(baseUrl)}, apiKey: process.env.api_key ?? '' });
${statements(call)}
`;
}

function statements(call: Call): string {
  switch (call.action) {
    case 'search':
      return operation('search', 'searchCompanies', call.input, {
        requestKey: call.requestKey,
        ...(call.background && { background: true }),
      });
    case 'look-up':
      return operation('lookUp', 'lookUpCompanies', call.input, { requestKey: call.requestKey });
    case 'observation':
      return read('observation', `getObservation(${call.id})`);
    case 'operation':
      return `const result = await ces.resume(${call.usageId}).done();\nconsole.log(result);`;
    case 'operations':
      return read('usages', `listUsages(${literal(call.filter)})`);
    case 'statement':
      return read('statement', `getStatement(${literal(call.interval)})`);
    case 'usage':
      return read('report', 'getUsage()');
  }
}

function operation(name: string, method: string, input: object, options: object): string {
  return `const ${name} = ces.${method}(${literal(input)}, ${literal(options)});
const { companies } = await ${name}.done();
console.log(companies, ${name}.units);`;
}

function read(name: string, expression: string): string {
  return `const ${name} = await ces.${expression};\nconsole.log(${name});`;
}

/** JSON is also a TypeScript literal; removes the quotes of names that need none. */
function literal(value: object): string {
  const json = JSON.stringify(value, null, 2);
  return json === '{}' ? '' : json.replace(/^( *)"([A-Za-z_]\w*)":/gm, '$1$2:');
}
