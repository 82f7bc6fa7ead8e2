import { execFile } from 'node:child_process'
import { readFile } from 'node:fs/promises'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { folder } from './folder.ts'

const ROOT = new URL('../', import.meta.url)
const BIN = fileURLToPath(new URL('bin/sandbox.js', ROOT))

/** The text of a page, such as README.md or docs/rules.md. */
export const readPage = (path: string): Promise<string> => readFile(new URL(path, ROOT), 'utf8')

/** The content of the shell blocks of a page, or of a part of one. */
export const shellBlocks = (page: string): string[] =>
  [...page.matchAll(/```sh\n([\s\S]*?)```/g)].map((match) => match[1]!)

/**
 * Runs shell lines unchanged, in an empty folder and with the sandbox at this URL, until one fails. Returns what they print.
 * Only npx is replaced, because it takes half a second to look the command up.
 */
export async function runShell(lines: string, url: string): Promise<string> {
  const script = `set -e\nnpx() { shift; "${process.execPath}" "${BIN}" "$@"; }\n${lines}`
  const { stdout } = await promisify(execFile)('sh', ['-c', script], {
    cwd: await folder(),
    env: { ...process.env, SANDBOX_BASE_URL: url },
  })
  return stdout
}
