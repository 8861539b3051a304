import { escapeHtml } from '../html.ts';
import { EXAMPLE } from './example.ts';

const { request, company, domain, observation, excerpt, usage } = EXAMPLE;

export function exampleCard(): string {
  return `<figure class="example">
<p class="asked"><span class="label">Asked</span>${escapeHtml(request.query)}</p>
<article class="answer" aria-label="Example answer">
<header><h2>${escapeHtml(company)}</h2><p class="muted">${escapeHtml(domain)} · ${observation.country}</p></header>
<p class="tags"><span class="tag proxy">${inWords(observation.demand_class)}</span> <span class="tag">${inWords(observation.kind)}</span></p>
<p class="fact">${escapeHtml(observation.observed_fact)}</p>
<blockquote>${markMatches(excerpt, request.query)}</blockquote>
<dl class="details">
${detail('Happened', dayOf(observation.occurred_at))}
${detail('Collected', dayOf(observation.observed_at))}
${detail('Confidence', `${observation.confidence} <span class="muted">text matched by rule</span>`)}
${detail('Source', `${escapeHtml(domain)}<span class="muted">/news/…</span>`)}
</dl>
<p class="price"><span>Price</span> <strong>${usage.request_units} request unit + ${usage.delivered_units} delivered unit</strong> <span>again with the same key: nothing</span></p>
</article>
<figcaption>A real answer from the sample data that comes with the service, about a fictional company.</figcaption>
</figure>`;
}

function detail(name: string, html: string): string {
  return `<div><dt>${name}</dt><dd>${html}</dd></div>`;
}

/** `facility_expansion`, as the explorer shows it. */
function inWords(code: string): string {
  return `${code.charAt(0).toUpperCase()}${code.slice(1).replaceAll('_', ' ')}`;
}

function dayOf(instant: string): string {
  const day = new Intl.DateTimeFormat('en-CA', { dateStyle: 'medium', timeZone: 'UTC' }).format(new Date(instant));
  return `<time datetime="${instant}">${day}</time>`;
}

function markMatches(text: string, query: string): string {
  const words = new Set(query.toLowerCase().split(/\W+/));
  return text
    .split(/\b/)
    .map((part) => (/\w{3}/.test(part) && words.has(part.toLowerCase()) ? `<mark>${part}</mark>` : escapeHtml(part)))
    .join('');
}
