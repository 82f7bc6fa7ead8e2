import { mkdirSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { onTestFinished } from 'vitest'
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
  /** Aborts with the reason for which the command is stopped. */
  signal?: AbortSignal
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
    signal,
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
    signal: signal ? AbortSignal.any([stop.signal, signal]) : stop.signal,
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

/** A command that runs in this process until it is stopped. */
export interface RunningHere {
  /** The nth line of stdout as JSON, once it is there. */
  line(n: number): Promise<Record<string, unknown>>
  stdout(): string
  stderr(): string
  /** Stops it as a signal does that its process gets. */
  stop(reason: StopReason): void
  ended: Promise<ExitCode>
}

/** Starts a command in this process, which costs a tenth of one of its own. It does not outlive the test. */
export function startHere(argv: readonly string[], options: TerminalOptions = {}): RunningHere {
  const left = new AbortController()
  let [stdout, stderr] = ['', '']
  const looks = new Set<() => void>()
  const look = () => {
    for (const one of looks) one()
  }
  let code: ExitCode | undefined
  const ended = sandboxCommand(argv, {
    ...options,
    signal: left.signal,
    onOutput(text) {
      stdout += text
      look()
    },
    onError(text) {
      stderr += text
    },
  }).then((end) => {
    code = end.code
    look()
    return end.code
  })
  const stop = (reason: StopReason) => left.abort(reason)
  onTestFinished(async () => {
    stop('SIGTERM')
    await ended
  })
  return {
    ended,
    stop,
    stdout: () => stdout,
    stderr: () => stderr,
    line: (n) =>
      new Promise((resolve, reject) => {
        const one = () => {
          const whole = stdout.split('\n').slice(0, -1)
          if (whole.length >= n) resolve(JSON.parse(whole[n - 1]!))
          else if (code !== undefined) reject(new Error(`ended with ${code}: ${stderr}`))
          else return
          looks.delete(one)
        }
        looks.add(one)
        one()
      }),
  }
}

async function* lines(text: string): AsyncGenerator<Uint8Array> {
  yield Buffer.from(text)
}
