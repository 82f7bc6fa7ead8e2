import { type ChildProcess, execFile, spawn } from 'node:child_process'
import { createInterface } from 'node:readline'
import { promisify } from 'node:util'

/** The way to call `sandbox`: the words before its own, and its environment. */
export interface Sandbox {
  words: readonly [string, ...string[]]
  env: Readonly<Record<string, string>>
  cwd: string
}

/** Runs one command to its end and returns its stdout as JSON or text. Any exit code but 0 is an error. */
export async function answerOf({ words, env, cwd }: Sandbox, ...args: string[]): Promise<unknown> {
  const [file, ...first] = words
  const ending = promisify(execFile)(file, [...first, ...args], { env, cwd, maxBuffer: 1e8 })
  ending.child.stdin!.end()
  const { stdout } = await ending.catch(({ code, stdout, stderr }) => {
    throw new Error(`sandbox ${args.join(' ')} ended with ${code}.\n${stdout}${stderr}`)
  })
  // A stream has a line of JSON for each item; the last one is its end.
  const last = stdout.trimEnd().split('\n').at(-1)!
  return /^[[{]/.test(last) ? JSON.parse(last) : stdout
}

export interface Running {
  /** The line of readiness. */
  first: Record<string, unknown>
  /** Sends SIGTERM and returns the exit code. */
  stop(): Promise<number | null>
}

/** Starts a command that runs until it is stopped, and reads its first line. */
export async function running({ words, env, cwd }: Sandbox, ...args: string[]): Promise<Running> {
  const [file, ...first] = words
  const child = spawn(file, [...first, ...args], { env, cwd, stdio: ['ignore', 'pipe', 'inherit'] })
  for await (const line of createInterface({ input: child.stdout })) {
    child.stdout.resume()
    return {
      first: JSON.parse(line) as Record<string, unknown>,
      stop: () => {
        child.kill('SIGTERM')
        return ended(child)
      },
    }
  }
  throw new Error(`sandbox ${args.join(' ')} ended before it was ready.`)
}

const ended = (child: ChildProcess) =>
  new Promise<number | null>((resolve, reject) => {
    child.once('error', reject)
    if (child.exitCode !== null) resolve(child.exitCode)
    else child.once('close', resolve)
  })
