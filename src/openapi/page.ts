import { apiKeyOf, DEFAULT_NAMESPACE } from '../words/api-key.ts'
import { escapeHtml } from '../words/escape-html.ts'
import { type Operation, requestLineOf } from '../words/operation.ts'
import { Reply } from '../words/reply.ts'
import type { Part } from './document.ts'

/** Allows requests to this server only. The viewer sets inline styles and uses data: icons. */
const POLICY = [
  "default-src 'none'",
  "script-src 'self'",
  "style-src 'self' 'unsafe-inline'",
  "img-src 'self' data:",
  "connect-src 'self'",
  "base-uri 'none'",
  "form-action 'none'",
  "frame-ancestors 'none'",
].join('; ')

const DOCUMENTS: Readonly<Record<Part, { title: string; path: string }>> = {
  service: { title: 'The service', path: '/openapi.json' },
  control: { title: 'The control plane', path: '/_sandbox/openapi.json' },
}

/** A page with the document of a part where calls can be tried. Without JavaScript it lists the calls. */
export function docsPage(part: Part, operations: readonly Pick<Operation, 'method' | 'path' | 'summary'>[]): Reply {
  const { title, path } = DOCUMENTS[part]
  const rows = operations.map(
    (operation) =>
      `<tr><td><code>${requestLineOf(operation)}</code></td><td>${escapeHtml(operation.summary)}</td></tr>`,
  )
  const html = `<!doctype html>
<html lang="en" data-document="${path}">
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>${title} – messaging sandbox</title>
<link rel="icon" href="data:,">
<link rel="stylesheet" href="/docs/swagger-ui.css">
<style>
  body { margin: 0; font-family: system-ui, sans-serif; background: #fff; color: #222 }
  header, .calls { padding: 1rem 1.25rem; max-width: 1460px; margin: auto; box-sizing: border-box }
  h1 { margin: 0; font-size: 1.5rem }
  nav a { margin-right: 1.5rem; color: #1553b6 }
  td { padding: .2rem 1.5rem .2rem 0; text-align: left; vertical-align: top }
</style>
<header>
  <h1>${title}</h1>
  <nav aria-label="Documents"><a href="/docs">Service</a> <a href="/_sandbox/docs">Control plane</a> <a href="${path}">OpenAPI document</a></nav>
</header>
<noscript>
<main class="calls">
<p>With JavaScript this page shows every field and lets you try each call. These are the calls. The
<a href="${path}">OpenAPI document</a> describes them in full.</p>
<table>
${rows.join('\n')}
</table>
</main>
</noscript>
<div id="docs"></div>
<script src="/docs/swagger-ui-bundle.js"></script>
<script src="/docs/show.js"></script>
</html>
`
  return new Reply(html, { headers: { 'Content-Security-Policy': POLICY, 'X-Content-Type-Options': 'nosniff' } })
}

/**
 * Runs in the page. Disables the viewer's validator, which would call a public server. Entered keys are kept in the tab, for a
 * reload and the other document; the viewer's own option would keep them in the browser, for every later page of this address.
 */
export const PAGE_SCRIPT = `const KEPT = 'authorized'
const keep = ({ authSelectors }) => sessionStorage.setItem(KEPT, JSON.stringify(authSelectors.authorized()))
const kept = sessionStorage.getItem(KEPT)
// None in a shared sandbox, whose keys are secret.
const namespace = new URLSearchParams(location.search).get('namespace') ?? '${DEFAULT_NAMESPACE}'
const ui = SwaggerUIBundle({
  url: document.documentElement.dataset.document,
  domNode: document.getElementById('docs'),
  deepLinking: true,
  docExpansion: 'list',
  defaultModelsExpandDepth: 0,
  displayRequestDuration: true,
  tryItOutEnabled: true,
  validatorUrl: null,
  plugins: [{ statePlugins: { auth: { wrapActions: { persistAuthorizationIfNeeded: (_, system) => () => keep(system) } } } }],
  onComplete: () => kept ?? (namespace && ui.preauthorizeApiKey('apiKey', '${apiKeyOf('')}' + namespace)),
})
if (kept) ui.authActions.restoreAuthorization({ authorized: JSON.parse(kept) })
`
