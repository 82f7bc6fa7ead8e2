/** The page of a link for the person who opens it. It loads and runs nothing. */
export const linkPage = (title: string, html: string): string => `<!doctype html>
<html lang="en">
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>${title}</title>
<link rel="icon" href="data:,">
<style>
  :root { color-scheme: light dark; font-family: system-ui, sans-serif; line-height: 1.5 }
  main { max-width: 32rem; margin: 20vh auto 0; padding: 0 1.5rem }
  h1 { font-size: 1.5rem }
  button { font: inherit; padding: .5rem 1.5rem }
</style>
<main>
  <h1>${title}</h1>
  ${html}
  <p><small>A page of the messaging sandbox; no real subscription was made.</small></p>
</main>
</html>
`

export const LINK_PAGE_HEADERS = {
  'Content-Security-Policy':
    "default-src 'none'; style-src 'unsafe-inline'; img-src data:; form-action 'self'; frame-ancestors 'none'",
  'Cache-Control': 'no-store',
}
