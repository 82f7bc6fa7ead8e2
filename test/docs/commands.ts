import { execFile } from 'node:child_process'
import { promisify } from 'node:util'
import { sandboxCommand } from '../cli/terminal.ts'
import { folder } from '../folder.ts'

/** The words of each command in shell lines, as a shell splits them. Other lines, such as those that write a file, run. */
export async function commandsIn(lines: string, cwd?: string): Promise<string[][]> {
  const script = `set -e\nnpx() { "$@"; }\nsandbox() { printf '%s\\0' $# "$@"; }\n${lines}`
  const { stdout } = await promisify(execFile)('sh', ['-c', script], { cwd })
  const values = stdout.split('\0').slice(0, -1)
  const commands: string[][] = []
  for (let at = 0; at < values.length; ) {
    const end = at + 1 + Number(values[at])
    commands.push(values.slice(at + 1, end))
    at = end
  }
  return commands
}

interface Ran {
  line: string
  code: number
  stdout: string
  stderr: string
}

interface Place {
  url: string
  cwd?: string
  env?: Record<string, string>
}

/**
 * Runs the commands of shell lines against the sandbox at this URL, one after the other. They run in this process, because
 * each would take a quarter of a second to start.
 */
export async function runCommands(lines: string, { url, cwd, env }: Place): Promise<Ran[]> {
  const place = cwd ?? (await folder())
  const ran: Ran[] = []
  for (const words of await commandsIn(lines, place)) {
    const options = { cwd: place, env: { SANDBOX_BASE_URL: url, ...env }, program: 'npx sandbox' }
    const { code, stdout, stderr } = await sandboxCommand(words, options)
    ran.push({ line: words.join(' '), code, stdout, stderr })
  }
  return ran
}

/** The commands that have failed, or reported something beside their result. */
export const failedOf = (ran: readonly Ran[]): Ran[] => ran.filter(({ code, stderr }) => code !== 0 || stderr !== '')
