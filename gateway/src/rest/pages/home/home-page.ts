import type { FastifyInstance } from 'fastify';
import type { Config } from '../../../config.ts';
import { FACTS } from '../../../schema/facts.ts';
import { styleSheets } from '../assets.ts';
import { examplesScript, filledInNote } from '../fill-in.ts';
import { renderLine, renderMarkdown } from '../guides/markdown.ts';
import { DOCS_POLICY, sendPageOrJson } from '../send-page.ts';
import { NAME, shell } from '../shell.ts';
import { DESCRIPTION } from './description.ts';
import { EXAMPLE_COMMAND } from './example.ts';
import { exampleCard } from './example-card.ts';
import { INTERFACES, PROMISES } from './sections.ts';

export function registerHome(app: FastifyInstance, { sampleKeysFile }: Config): void {
  const json = {
    name: NAME,
    version: '1.0.0',
    description: DESCRIPTION,
    facts: FACTS,
    authentication: 'Authorization: Bearer <ACCESS_TOKEN> on everything under /api and /mcp',
    mcp: '/mcp',
    documentation: '/docs',
    openapi: '/openapi.json',
    sources: '/sources',
  };
  const html = homePage(sampleKeysFile !== '');
  app.get('/', { exposeHeadRoute: true }, (request, reply) =>
    sendPageOrJson(request, reply, json, () => html, DOCS_POLICY),
  );
}

function homePage(hasSampleKeys: boolean): string {
  return shell({
    title: NAME,
    description: DESCRIPTION,
    section: '/',
    layout: 'home',
    head: styleSheets('home.css', 'answer.css') + examplesScript(),
    body: `<section class="hero">
<div class="pitch">
<h1>Ask which companies. Get&nbsp;the&nbsp;evidence.</h1>
<p class="lead">Ask in plain words which companies in Canada and the United States are opening a plant, asking for bids, raising money or
hiring. Each comes with a dated, quoted, linked piece of evidence, and you pay for an answer exactly once.</p>
<p class="actions"><a class="button" href="/explore">Explore</a><a class="button plain" href="/docs/first-search">First search in two minutes</a></p>
</div>
${exampleCard()}
</section>

<section aria-labelledby="promises">
<h2 id="promises">Five things to hold us to</h2>
<ol class="promises">${PROMISES.map(({ title, text, url }) => `<li><h3><a href="${url}">${title}</a></h3><p>${text}</p></li>`).join('')}</ol>
</section>

<section class="try" aria-labelledby="try">
<div>
<h2 id="try">One call</h2>
<p>That is all it takes. The key is a name that you choose for the thing you want: send the call again and you get the same answer, at no charge.</p>
<p><a href="/docs/first-search">From nothing to this answer in two minutes</a></p>
</div>
<div>
${renderMarkdown(`\`\`\`sh\n${EXAMPLE_COMMAND}\n\`\`\``)}
${filledInNote(hasSampleKeys)}</div>
</section>

<section aria-labelledby="ways">
<h2 id="ways">Ways in</h2>
<ul class="cards">${INTERFACES.map(({ title, text, url }) => `<li><a href="${url}"><strong>${title}</strong><span>${text}</span></a></li>`).join('')}</ul>
</section>

<section aria-labelledby="facts" class="facts">
<h2 id="facts">What an answer is not</h2>
<ul>${FACTS.map((fact) => `<li>${renderLine(fact)}</li>`).join('')}</ul>
</section>`,
  });
}
