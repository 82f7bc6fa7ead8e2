import { readFile } from 'node:fs/promises'
import { problem } from '../words/problem.ts'
import { packaged } from '../world/file/packaged.ts'
import { PAGE_SCRIPT } from './page.ts'

/** The viewer's files, which scripts/build.ts copies beside the bundle. */
export const VIEWER_FILES = ['swagger-ui.css', 'swagger-ui-bundle.js'] as const

const TYPES: Readonly<Record<string, string>> = {
  css: 'text/css; charset=utf-8',
  js: 'text/javascript; charset=utf-8',
}

export async function viewerFile(name: string): Promise<{ bytes: string; type: string }> {
  const type = TYPES[name.split('.').at(-1)!] ?? ''
  if (name === 'show.js') return { bytes: PAGE_SCRIPT, type }
  if (!VIEWER_FILES.some((file) => file === name)) throw problem('not_found', `The pages have no file ${name}.`)
  const bytes = (await packaged(`docs/${name}`)) ?? (await readFile(viewerPath(name)))
  return { bytes: bytes.toString(), type }
}

/** The place of a viewer file in a checkout. */
export const viewerPath = (name: string): URL => new URL(import.meta.resolve(`swagger-ui-dist/${name}`))
