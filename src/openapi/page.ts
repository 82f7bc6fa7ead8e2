import { Reply } from '../words/reply.ts'

/** Only this server is asked for anything. The viewer sets styles of its own, and its icons are data. */
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

/** A page that shows the document at a path, and lets its reader try each call. */
export function docsPage(document: string): Reply {
  const html = `<!doctype html>
<html lang="en" data-document="${document}">
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>Messaging sandbox</title>
<link rel="icon" href="data:,">
<link rel="stylesheet" href="/docs/swagger-ui.css">
<style>
  body { margin: 0; font-family: system-ui, sans-serif }
  nav { padding: 1rem 1.25rem; max-width: 1460px; margin: auto }
  nav a { margin-right: 1.5rem }
</style>
<nav><a href="/docs">Service</a><a href="/_sandbox/docs">Control plane</a><a href="${document}">OpenAPI document</a></nav>
<main id="docs"></main>
<script src="/docs/swagger-ui-bundle.js"></script>
<script src="/docs/show.js"></script>
</html>
`
  return new Reply(html, { headers: { 'Content-Security-Policy': POLICY, 'X-Content-Type-Options': 'nosniff' } })
}

/** Runs in the page. The viewer would otherwise ask a public server whether the document is valid. */
export const SHOW = `const ui = SwaggerUIBundle({
  url: document.documentElement.dataset.document,
  domNode: document.getElementById('docs'),
  deepLinking: true,
  docExpansion: 'list',
  defaultModelsExpandDepth: 0,
  displayRequestDuration: true,
  tryItOutEnabled: true,
  validatorUrl: null,
  onComplete: () => ui.preauthorizeApiKey('apiKey', 'sk_sandbox_default'),
})
`
