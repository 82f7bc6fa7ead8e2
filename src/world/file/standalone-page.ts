import { readFile } from 'node:fs/promises'
import { escapeHtml } from '../../words/escape-html.ts'
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

/** A page in one file that loads nothing else. It contains its content as data. */
export async function standalonePage({ bundle, title, data, style = '' }: Page): Promise<string> {
  const [css, script] = await Promise.all([bundled(`${bundle}.css`), bundled(`${bundle}.js`)])
  return `<!doctype html><html lang="en"><meta charset="utf-8"><meta name="viewport" content="width=device-width">
<meta http-equiv="Content-Security-Policy" content="${POLICY}">
<title>${escapeHtml(title)}</title>
<style>${css}${style}</style>
<div id="app"></div><script type="application/json" id="shown">${dataOf(data)}</script><script type="module">${script}</script></html>
`
}

/** JSON that cannot end the script element around it. */
export const dataOf = (data: unknown): string => JSON.stringify(data).replaceAll('<', '\\u003c')

/** A built file of src/inspector, from the package, the binary or this checkout. */
async function bundled(name: string): Promise<string> {
  const built = new URL(`../../../dist/inspector/${name}`, import.meta.url)
  return ((await packaged(`inspector/${name}`)) ?? (await readFile(built))).toString()
}
