import type { FastifyInstance } from 'fastify';
import { FACTS } from '../../schema/facts.ts';
import type { Guide } from './guides/guide.ts';
import { DESCRIPTION } from './home/description.ts';
import { serveContent } from './send-page.ts';
import { NAME } from './shell.ts';

const TYPE = 'text/plain; charset=utf-8';

/** llmstxt.org. */
export function registerLlmsTexts(app: FastifyInstance, guides: readonly Guide[], publicUrl: string): void {
  const base = publicUrl.replace(/\/$/, '');
  const head = `# ${NAME}\n\n> ${DESCRIPTION}\n\n${FACTS.map((fact) => `- ${fact}`).join('\n')}\n`;
  const list = guides.map(({ name, title, summary }) => `- [${title}](${base}/docs/${name}.md): ${summary}`);
  const rest = [
    `- [OpenAPI document](${base}/openapi.json): every route, field, bound and error code`,
    `- [Sources](${base}/sources): licence and attribution of each source, as JSON`,
    `- [All guides in one text](${base}/llms-full.txt)`,
  ];
  const sections = [head, `## Guides\n\n${list.join('\n')}\n`, `## Optional\n\n${rest.join('\n')}\n`];
  serveContent(app, '/llms.txt', { type: TYPE, text: sections.join('\n') });
  serveContent(app, '/llms-full.txt', {
    type: TYPE,
    text: [head, ...guides.map(({ markdown }) => markdown)].join('\n'),
  });
}
