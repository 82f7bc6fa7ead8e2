import { relative } from 'node:path'
import { stripVTControlCharacters } from 'node:util'
import { USER_AGENT } from '../client/call.ts'
import type { Client } from '../client/client.ts'
import { addToSummary, errorCommand } from '../evidence/github.ts'
import { type Location, locationIn, placeOf, type Test, titleOf } from '../evidence/place.ts'
import { saveEvidence } from '../evidence/save.ts'
import { startOf } from '../evidence/started-at.ts'
import { troubleOf } from '../evidence/trouble.ts'
import { shellPath } from '../words/shell.ts'
import { nextInWords } from './next-in-words.ts'

/** Information of a runner about a failure. */
export interface TestFailure {
  message?: string | undefined
  stack?: string | undefined
}

/** Evidence of a failed test. */
export interface Kept {
  /** The note that is added to the failure. */
  remark: string
  /** The page; undefined if it could not be written. */
  page?: string
}

export interface KeepOptions {
  observer: Client
  folder: string
  test: Test
  failure: TestFailure
  /** Ids of the leases of a test on a shared application, separated by commas. */
  lease?: string | undefined
  /** Address of the emulator, if the world is the test's own. */
  url?: string | undefined
  /** The runner annotates failures on GitHub itself. */
  annotates?: boolean | undefined
  /** A sentence to start with. */
  remark?: string | undefined
}

/** Keeps what happened in the sandbox of a failed test: a page to read and the world to continue from. Never throws. */
export async function keepFailure(options: KeepOptions): Promise<Kept> {
  const { observer, folder, test, failure, lease, annotates } = options
  // Runners colour their messages.
  const error = failure.message === undefined ? undefined : stripVTControlCharacters(failure.message)
  const location = locationIn(failure.stack)
  const remarks = options.remark?.split('\n') ?? []
  const [trouble, due, notCalled] = await Promise.all([
    troubleOf(observer, lease),
    notReached(observer, [error, ...remarks]),
    notCalledAt(observer, options.url),
  ])
  const isExplained = trouble.length > 0 || remarks.length > 0
  const hints = [due, isExplained ? undefined : notCalled].filter((it) => it !== undefined)
  const lines = [...new Set([...remarks, ...trouble, ...hints])]
  // The message of a matcher has them already.
  const news = lines.filter((line) => !error?.includes(line))
  try {
    const { html, snapshot } = await saveEvidence(observer, {
      ...{ folder, name: placeOf(test), title: titleOf(test), error, lease },
      location: location && inWords(location),
      startedAt: startOf(observer),
    })
    const remark = [
      ...news,
      `What happened in this test: ${html}`,
      `Continue from there:        npx sandbox start --memory --snapshot ${shellPath(snapshot)}`,
    ].join('\n')
    await reportToGitHub({ test, error, location, lines, page: html, remark, annotates })
    return { remark, page: html }
  } catch (error) {
    return { remark: [...news, `The page of this test could not be written: ${(error as Error).message}`].join('\n') }
  }
}

/** Work that is due later than this after the end of a test, such as the expiry of a message, rarely explains its failure. */
const NEAR_MS = 3_600_000
/** Failed attempts are reported, and when they are repeated is not what the test waits for. */
const RETRY = 'webhook.attempt'

/** The work that a frozen clock has not reached, unless the failure names it. Never throws. */
async function notReached({ clock }: Client, texts: readonly (string | undefined)[]): Promise<string | undefined> {
  if (texts.some((text) => text?.includes(' is due at '))) return undefined
  const [reading, { due }] = await Promise.all([clock.show(), clock.due()]).catch(
    () => [undefined, { due: [] }] as const,
  )
  const next = due.find(({ what }) => what !== RETRY)
  if (reading?.mode !== 'frozen' || !next || Date.parse(next.at) - Date.parse(reading.now) > NEAR_MS) return undefined
  return nextInWords({ ...reading, next_due_at: next.at }, next.what)
}

/** The application may call another address. A test without one sends by the client of the sandbox. Never throws. */
async function notCalledAt({ logs }: Client, url: string | undefined): Promise<string | undefined> {
  if (url === undefined) return undefined
  const { requests } = await logs.list({ path: '/v1/', full: 'true' }).catch(() => ({ requests: undefined }))
  const isSetUp = requests?.every(
    ({ operation, request }) => operation !== 'messages.send' && request?.headers['user-agent'] === USER_AGENT,
  )
  return isSetUp ? `No call of the application reached this sandbox: does it use the address ${url}?` : undefined
}

const inWords = ({ file, line }: Location) => `${relative(process.cwd(), file)}:${line}`

interface Failed {
  test: Test
  error: string | undefined
  location: Location | undefined
  lines: readonly string[]
  page: string
  remark: string
  annotates: boolean | undefined
}

async function reportToGitHub({ test, error, location, lines, page, remark, annotates }: Failed) {
  const [reason] = error?.split('\n') ?? []
  await addToSummary({ title: titleOf(test), lines: reason ? [reason, ...lines] : lines, page })
  // Runners annotate only errors with a place in a file of the user.
  if (process.env.GITHUB_ACTIONS !== 'true' || (annotates && location !== undefined)) return
  const file = location?.file ?? test.file
  const root = process.env.GITHUB_WORKSPACE || process.cwd()
  const place = { file: file && relative(root, file), line: location?.line ?? test.line }
  const message = [error, remark].filter(Boolean).join('\n\n')
  process.stdout.write(`\n${errorCommand({ title: titleOf(test), message, ...place })}\n`)
}

/**
 * Adds a remark to an error, where its readers find it: some runners show the message, others the stack. One that cannot
 * be changed gets none, and the remark is printed.
 */
export function remark(error: unknown, text: string) {
  const { message, stack } = (error ?? {}) as Partial<Error>
  if (typeof message !== 'string' || !Object.isExtensible(error)) return void process.stderr.write(`${text}\n`)
  const longer = `${message}\n\n${text}`
  // The message of a DOMException, such as that of AbortSignal.timeout(), cannot be assigned.
  const set = (name: string, value: string) =>
    Reflect.defineProperty(error as Error, name, { value, configurable: true, writable: true })
  set('message', longer)
  const longerStack = stack?.replace(message, () => longer)
  if (longerStack !== undefined) set('stack', longerStack)
}
