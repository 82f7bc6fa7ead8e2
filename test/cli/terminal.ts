import { mkdirSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { ExitCode } from '../../src/cli/process/exit.ts'
import type { Io, Question, StopReason } from '../../src/cli/process/io.ts'
import { run } from '../../src/cli/run.ts'
import { BIN } from '../paths.ts'

const OWN = join(tmpdir(), 'messaging-sandbox-tests')
export const CACHES = join(OWN, 'caches')
/**
 * An empty folder to run commands in: one that runs in the checkout finds the sandbox of that folder. Each worker has its
 * own, because a command also finds a sandbox that a test of another worker has started in its folder.
 */
export const NOWHERE = join(OWN, `nowhere-${process.pid}`)
mkdirSync(NOWHERE, { recursive: true })

interface TerminalOptions {
  /** A person uses it. */
  tty?: boolean
  /** The words by which the program was called. */
  program?: string
  /** Its width in columns. */
  columns?: number
  env?: Record<string, string>
  cwd?: string
  stdin?: string
  /** The answers of the person, in order. */
  /** Several for a repeated question. */
  answers?: Record<string, string | string[]>
  /** At the first question the person presses Ctrl-C, which the prompt handles itself. */
  leaves?: boolean
  /** Called with each piece of stdout. */
  onOutput?: (text: string, stop: (reason: StopReason) => void) => void
  /** Called with each piece of stderr. */
  onError?: (text: string, stop: (reason: StopReason) => void) => void
}

interface Ended {
  code: ExitCode
  stdout: string
  stderr: string
  /** The one JSON document on stdout. */
  json: Record<string, unknown>
  /** The last line of JSON on stderr. */
  error: Record<string, unknown>
  /** Each line of stdout as JSON. */
  lines: Record<string, unknown>[]
  questions: string[]
}

/** Runs one command line in this process, as somebody at a terminal or a program does. */
export async function sandboxCommand(argv: readonly string[], options: TerminalOptions = {}): Promise<Ended> {
  const {
    tty = false,
    columns,
    program = 'sandbox',
    env = {},
    cwd = NOWHERE,
    stdin = '',
    answers = {},
    leaves,
    onOutput,
    onError,
  } = options
  const stop = new AbortController()
  const questions: string[] = []
  let stdout = ''
  let stderr = ''
  const io: Io = {
    stdout: {
      isTTY: tty,
      columns,
      write(text) {
        stdout += Buffer.from(text).toString()
        onOutput?.(String(text), (reason) => stop.abort(reason))
      },
    },
    stderr: {
      isTTY: tty,
      write(text) {
        stderr += String(text)
        onError?.(String(text), (reason) => stop.abort(reason))
      },
    },
    stdin: Object.assign(lines(stdin), { isTTY: tty }),
    env: { NO_COLOR: '1', XDG_CACHE_HOME: CACHES, ...env },
    cwd,
    program,
    launcher: [process.execPath, BIN],
    signal: stop.signal,
    spin: async () => () => {},
    async ask({ message }: Question) {
      questions.push(message)
      if (leaves) throw Object.assign(new Error('the prompt was closed'), { name: 'ExitPromptError' })
      const prepared = answers[message]
      const answer = Array.isArray(prepared) ? prepared.shift() : prepared
      if (answer === undefined) throw new Error(`nobody answers "${message}"`)
      return answer
    },
  }
  const code = await run(argv, io)
  const parsed = (text: string) =>
    text
      .trim()
      .split('\n')
      .map((line) => JSON.parse(line) as Record<string, unknown>)
  return {
    code,
    stdout,
    stderr,
    questions: questions,
    get json() {
      return JSON.parse(stdout)
    },
    get error() {
      return parsed(stderr).at(-1)!
    },
    get lines() {
      return parsed(stdout)
    },
  }
}

async function* lines(text: string): AsyncGenerator<Uint8Array> {
  yield Buffer.from(text)
}
