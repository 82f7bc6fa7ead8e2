import { type ChildProcess, spawn } from 'node:child_process'
import { createInterface } from 'node:readline'

/** The way to call `sandbox`: the words before its own, and its environment. */
export interface Sandbox {
  words: readonly [string, ...string[]]
  env: Readonly<Record<string, string>>
  cwd: string
}

/** Runs one command to its end and returns its stdout as JSON or text. Any exit code but 0 is an error. */
export async function answerOf(sandbox: Sandbox, ...args: string[]): Promise<unknown> {
  const child = begin(sandbox, args)
  let out = ''
  let err = ''
  child.stdout!.setEncoding('utf8').on('data', (text: string) => {
    out += text
  })
  child.stderr!.setEncoding('utf8').on('data', (text: string) => {
    err += text
  })
  const code = await ended(child)
  if (code !== 0) throw new Error(`sandbox ${args.join(' ')} ended with ${code}.\n${out}${err}`)
  // A stream has a line of JSON for each item; the last one is its end.
  const last = out.trimEnd().split('\n').at(-1)!
  return /^[[{]/.test(last) ? JSON.parse(last) : out
}

export interface Running {
  /** The line of readiness. */
  first: Record<string, unknown>
  /** Sends SIGTERM and returns the exit code. */
  stop(): Promise<number | null>
}

/** Starts a command that runs until it is stopped, and reads its first line. */
export async function running(sandbox: Sandbox, ...args: string[]): Promise<Running> {
  const child = begin(sandbox, args)
  child.stderr!.pipe(process.stderr)
  for await (const line of createInterface({ input: child.stdout! })) {
    child.stdout!.resume()
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

function begin({ words: [file, ...words], env, cwd }: Sandbox, args: string[]): ChildProcess {
  return spawn(file, [...words, ...args], { env, cwd, stdio: ['ignore', 'pipe', 'pipe'] })
}

const ended = (child: ChildProcess) =>
  new Promise<number | null>((resolve, reject) => {
    child.once('error', reject)
    if (child.exitCode !== null) resolve(child.exitCode)
    else child.once('close', resolve)
  })
