import { readFile } from 'node:fs/promises'
import { packaged } from './packaged.ts'

const POLICY = "default-src 'none'; script-src 'unsafe-inline'; style-src 'unsafe-inline'"

interface Page {
  /** The bundle of src/inspector that draws it. */
  bundle: 'preview' | 'evidence'
  title: string
  /** The page's data, JSON. */
  data: unknown
  style?: string
}

/** A page in one file, which loads nothing. Content stands in it as data that no `<` can end. */
export async function standalonePage({ bundle, title, data, style = '' }: Page): Promise<string> {
  const [css, script] = await Promise.all([bundled(`${bundle}.css`), bundled(`${bundle}.js`)])
  return `<!doctype html><html lang="en"><meta charset="utf-8"><meta name="viewport" content="width=device-width">
<meta http-equiv="Content-Security-Policy" content="${POLICY}">
<title>${escaped(title)}</title>
<style>${css}${style}</style>
<div id="app"></div><script type="application/json" id="shown">${dataOf(data)}</script><script type="module">${script}</script></html>
`
}

/** Written so that the text of the data cannot end the element it stands in. */
export const dataOf = (data: unknown): string => JSON.stringify(data).replaceAll('<', '\\u003c')

const escaped = (text: string) => text.replaceAll('&', '&amp;').replaceAll('<', '&lt;')

/** A file that the build has made of src/inspector: out of the package or the binary, else of this checkout. */
async function bundled(name: string): Promise<string> {
  const built = new URL(`../../../dist/inspector/${name}`, import.meta.url)
  return ((await packaged(`inspector/${name}`)) ?? (await readFile(built))).toString()
}
