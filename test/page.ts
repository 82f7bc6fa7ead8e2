import { execFile } from 'node:child_process'
import { readFile, rm, writeFile } from 'node:fs/promises'
import { createServer } from 'node:http'
import { text } from 'node:stream/consumers'
import { promisify } from 'node:util'
import { onTestFinished } from 'vitest'
import { sandboxCommand } from './cli/terminal.ts'
import { folder } from './folder.ts'
import { BIN } from './paths.ts'
import { urlOf } from './url-of.ts'

const ROOT = new URL('../', import.meta.url)

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

/**
 * Runs shell lines as {@link runShell} does, but the command in this process: each line of a page would start a process. The
 * shell passes the arguments on by HTTP, and gets the exit code as the last line.
 */
export async function runCommands(lines: string, url: string): Promise<string> {
  const cwd = await folder()
  const failures: string[] = []
  const commands = createServer(async (req, res) => {
    const argv = (await text(req)).split('\0').slice(0, -1)
    const { code, stdout, stderr } = await sandboxCommand(argv, { cwd, env: { SANDBOX_BASE_URL: url } })
    if (code !== 0) failures.push(stderr)
    res.end(`${stdout}${code}`)
  })
  const call = `printf '%s\\0' "$@" | curl -s --data-binary @- ${await urlOf(commands)}`
  const script = `set -e\nnpx() { shift; out=$(${call}); code="\${out##*[!0-9]}"; printf '%s' "\${out%"$code"}"; return "$code"; }\n${lines}`
  try {
    return (await promisify(execFile)('sh', ['-c', script], { cwd })).stdout
  } catch (error) {
    throw Object.assign(error as Error, { failures })
  }
}

/** The code block after a marker of a page. */
export function blockOf(page: string, marker: string): string {
  const match = new RegExp(`<!-- ${marker} -->\\n\`\`\`\\w+\\n([\\s\\S]*?)\`\`\``).exec(page)
  if (!match) throw new Error(`The page has no block "${marker}".`)
  return match[1]!
}

/** Runs programs in TypeScript as users who have copied them, one after the other in one process. Returns what they print. */
export async function runPrograms(programs: readonly string[]): Promise<string[]> {
  // Inside the package its own name can be imported.
  const files = programs.map((_, i) => new URL(`dist/program-${process.pid}-${i}.ts`, ROOT))
  onTestFinished(async () => {
    for (const file of files) await rm(file, { force: true })
  })
  for (const [i, program] of programs.entries()) await writeFile(files[i]!, program)
  const source = files.map((file) => `await import('${file}')`).join('\n')
  const { stdout } = await promisify(execFile)(process.execPath, ['--input-type=module', '-e', source])
  return stdout.trim().split('\n')
}
