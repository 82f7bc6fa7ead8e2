import { AsyncLocalStorage } from 'node:async_hooks'
import type { Client } from '../client/client.ts'
import { FAILURES_FOLDER, type Test, titleOf } from '../evidence/place.ts'
import { slug } from '../evidence/slug.ts'
import { heldBackTimers, restoreTicks } from '../http/real-ticks.ts'
import { stopwatch } from '../http/stopwatch.ts'
import { within } from '../http/within.ts'
import type { EmailLease, EmailLeaseOptions, PhoneLease, PhoneLeaseOptions } from '../library/lease.ts'
import type { Receiver } from '../library/receiver.ts'
import type { ConnectOptions, Sandbox, SandboxOptions } from '../library/sandbox.ts'
import { definedFields } from '../words/fields.ts'
import { refuseUnknownOptions } from '../words/known-options.ts'
import { AwaitedCalls, following } from './awaited.ts'
import { type Kept, keepFailure, type TestFailure } from './failure.ts'
import { connectHost, startHost, type TestHost } from './host.ts'
import { EndedWorlds } from './late-calls.ts'
import { freshName } from './names.ts'

/** Options of a worker's sandbox: those of createSandbox(), and those of the fixtures. */
export interface SuiteOptions extends SandboxOptions {
  /**
   * Folder for the evidence of failed tests: for each a page of what happened, and its world as a snapshot;
   * `sandbox-failures` by default. `false` keeps nothing.
   */
  failures?: string | false | undefined
  /**
   * Tests share the world of a running emulator, which an application under test uses with one key; `true` takes
   * SANDBOX_BASE_URL and SANDBOX_API_KEY. Each test has the addresses that it leases.
   */
  connect?: true | ConnectOptions | undefined
  /** Options of the lease behind the fixture `phone`; `{ consent: true }` by default. */
  phone?: PhoneLeaseOptions | undefined
  /** Options of the lease behind the fixture `email`; `{ consent: true }` by default. */
  email?: EmailLeaseOptions | undefined
}

/** The fixtures of a test. */
export interface Fixtures {
  /**
   * The test's own: a namespace of the worker's emulator with its world and its clock, deleted after the test. With
   * `connect` the world that all tests share.
   */
  sandbox: Sandbox
  /** A server for webhooks that is subscribed to all events of that world; it starts with the first use. */
  receiver: Receiver
}

/** The addresses of a test, which it leases when it first uses them. */
export interface LeaseFixtures {
  /** A phone number that no other test has, with its events, messages and handset. */
  phone: PhoneLease
  /** An email address that no other test has, with its events, messages and mailbox. */
  email: EmailLease
}

/** The world of one test. */
export interface TestWorld {
  readonly sandbox: Sandbox
  /** Its receiver, which is started at the first use. */
  receiver(): Promise<Receiver>
  phone(): Promise<PhoneLease>
  email(): Promise<EmailLease>
  /** The test has ended without a failure: the error about calls that it did not await; undefined without any. */
  notAwaited(): Error | undefined
  /** Saves the evidence of a failed test; undefined if saving is disabled. */
  keep(failure: TestFailure): Promise<Kept | undefined>
  /** Deletes the world; a second time does nothing. */
  close(): Promise<void>
}

export interface Suite {
  /** Opens a world for a test, and starts the emulator of the worker with the first one. */
  open(test: Test): Promise<TestWorld>
  /** Stops the emulator, if it was started. */
  stop(): Promise<void>
}

/** A test in progress in this worker. Matchers look messages up in its world. */
export interface UnderWay {
  sandbox: Sandbox
  calls: AwaitedCalls
  /** Its page is being written. The body of an aborted test still runs then, perhaps beside the next test. */
  hasEnded?: boolean
}

const underWay = new Set<UnderWay>()

/** The body of a test; `test` is undefined before and after its world. */
export interface BodyContext {
  test?: UnderWay | undefined
  /** Servers that the body has started call from its context, and may serve later tests. */
  hasPassed?: boolean
}

/** The test whose body makes the current call. */
export const bodyContext = new AsyncLocalStorage<BodyContext>()

/** The test of this observer; without one, the test whose body makes this call, or the only one in progress. */
export function testOf(observer?: Client): UnderWay | undefined {
  if (observer) return [...underWay].find(({ sandbox }) => sandbox.observer === observer)
  const own = bodyContext.getStore()
  if (own && !own.hasPassed) return own.test
  const all = inProgress()
  return all.length === 1 ? all[0] : undefined
}

const inProgress = () => [...underWay].filter(({ hasEnded }) => !hasEnded)

/** The worlds that an id without a sandbox may be in: that of the test, or those of all tests in progress. */
export const observersOfCall = (): Client[] => {
  const own = testOf()
  return (own ? [own] : inProgress()).map(({ sandbox }) => sandbox.observer)
}

/** The longest teardown of a test, machine ms; a failed one first writes its page. */
const TEARDOWN_MS = 2_000
/** The part of it for the page, machine ms. */
const PAGE_MS = 1_500
/** Minimum times for the page and for the end, even if earlier steps took too long on a busy machine. */
const LEFT_MS = { page: 1_000, end: 500 }

/** Their values are checked where they are used. */
const OPTIONS: { [Option in keyof Required<SuiteOptions>]: true } = {
  ...{ failures: true, connect: true, phone: true, email: true },
  ...{ clock: true, now: true, world: true, seed: true, port: true, data: true, rateLimits: true, limits: true },
  ...{ maxNamespaces: true, maxOpenNamespaces: true, apiKey: true, checkAnswers: true, onFault: true },
}

/** The error of a test that has exceeded its time limit, in the words of Vitest, Playwright and `bodies()`. */
const TIME_LIMIT = /\btimed out\b|\btimeout\b|did not end in time/i

export interface RunnerTraits {
  /** The function that takes the options. */
  name?: string
  /** The runner annotates failures on GitHub itself. */
  annotates?: boolean
}

export function createSuite(options: SuiteOptions = {}, traits: RunnerTraits = {}): Suite {
  refuseUnknownOptions(options, Object.keys(OPTIONS), traits.name ?? 'withSandbox')
  const { failures = FAILURES_FOLDER, connect, phone, email, ...emulator } = options
  const about = { failures, phone, email, ...traits }
  if (connect !== undefined) return sharedSuite(connect === true ? {} : connect, emulator, about)
  let host: Promise<TestHost> | undefined
  const endedWorlds = new EndedWorlds()
  return {
    async open(test) {
      host ??= startHost(emulator)
      const { sandbox, names } = await host
      const name = freshName(slug(titleOf(test)), names)
      names.add(name)
      await endedWorlds.reuse(sandbox, name)
      const own = sandbox.namespace(name)
      return worldOf(own, test, about, {
        end: () => own.stop(),
        ended(failed) {
          endedWorlds.add(name, titleOf(test))
          // The body of an aborted test still runs, and would disturb the repeated test.
          if (!failed) names.delete(name)
        },
        lateCalls: () => endedWorlds.lateCalls(sandbox),
      })
    },
    // Its tests have reported why it did not start.
    stop: async () => void (await (await host?.catch(() => undefined))?.sandbox.stop()),
  }
}

/** Tests on an emulator that others run: nothing of it ends with a test but the leases. */
function sharedSuite(connect: ConnectOptions, emulator: SandboxOptions, about: About): Suite {
  const [option] = Object.keys(definedFields(emulator))
  if (option !== undefined)
    throw new TypeError(`${option}: cannot be combined with connect, which uses a running emulator.`)
  return {
    open: async (test) => worldOf(await connectHost(connect), test, { ...about, isShared: true }, NOTHING_ENDS),
    stop: async () => {},
  }
}

interface About extends Pick<SuiteOptions, 'phone' | 'email'>, RunnerTraits {
  failures: string | false
  isShared?: boolean
}

interface Ending {
  end(): Promise<void>
  ended(hasFailed: boolean): void
  /** Calls to the worlds of earlier tests, in lines. */
  lateCalls(): Promise<string[]>
}

const NOTHING_ENDS: Ending = { end: async () => {}, ended: () => {}, lateCalls: async () => [] }

function worldOf(bare: Sandbox, test: Test, about: About, { end, ended, lateCalls }: Ending): TestWorld {
  const { observer } = bare
  const calls = new AwaitedCalls()
  const sandbox = following(bare, 'sandbox', calls)
  const entry: UnderWay = { sandbox: bare, calls }
  const own: BodyContext = bodyContext.getStore() ?? {}
  let receiver: Promise<Receiver> | undefined
  const leases = leasesOf(bare, test, about)
  let hasFailed = false
  let closed: Promise<void> | undefined
  let elapsed: (() => number) | undefined
  const close = async () => {
    underWay.delete(entry)
    own.test = undefined
    own.hasPassed = !hasFailed
    // A fault of the test must not keep its receiver from ending. The test may have stopped its sandbox already.
    if (receiver && !about.isShared) await bare.faults.clear().catch(() => {})
    await (await receiver?.catch(() => undefined))?.stop()
    await (about.isShared ? leases.release() : leases.release().catch(() => {}))
    await end()
  }
  underWay.add(entry)
  own.test = entry
  return {
    sandbox,
    receiver: () => {
      receiver ??= bare.receiver()
      return receiver
    },
    phone: async () => following(await leases.phone(), 'phone', calls),
    email: async () => following(await leases.email(), 'email', calls),
    notAwaited: () => calls.missing(),
    async keep(failure) {
      hasFailed = true
      entry.hasEnded = true
      elapsed ??= stopwatch()
      const isLate = TIME_LIMIT.test(failure.message ?? '')
      const ofTest = [restoreTicks(), isLate ? heldBackTimers() : undefined, calls.surelyMissing()?.message]
      const remark = [ofTest, ...(await Promise.all([calls.unfinished(), lateCalls()]))]
        .flat()
        .filter((it) => it && !failure.message?.includes(it))
        .join('\n')
      if (about.failures === false) return remark === '' ? undefined : { remark }
      const { failures: folder, annotates } = about
      const keep = async () => {
        const lease = about.isShared ? await leases.ids() : undefined
        const url = about.isShared ? undefined : bare.url
        return keepFailure({ observer, folder, test, failure, lease, url, annotates, remark: remark || undefined })
      }
      const kept = await within(Math.max(PAGE_MS - elapsed(), LEFT_MS.page), keep())
      const late = `The page of this test could not be written within ${PAGE_MS / 1000} s.`
      return kept ?? { remark: [remark, late].filter(Boolean).join('\n') }
    },
    close() {
      // An emulator that does not answer must not keep the runner.
      restoreTicks()
      const leftMs = Math.max(TEARDOWN_MS - (elapsed?.() ?? 0), LEFT_MS.end)
      closed ??= within(leftMs, close()).then(() => ended(hasFailed))
      return closed
    },
  }
}

/** The addresses of a test, each leased once. */
function leasesOf({ lease }: Sandbox, test: Test, { phone = {}, email = {} }: About) {
  const leases = new Map<'phone' | 'email', Promise<PhoneLease | EmailLease>>()
  const name = titleOf(test).slice(0, 100)
  const once = <L extends PhoneLease | EmailLease>(kind: 'phone' | 'email', take: () => Promise<L>): Promise<L> => {
    if (!leases.has(kind)) leases.set(kind, take())
    return leases.get(kind) as Promise<L>
  }
  const all = async () => (await Promise.allSettled(leases.values())).flatMap((it) => ('value' in it ? [it.value] : []))
  return {
    phone: () => once('phone', () => lease.phone({ consent: true, name, ...definedFields(phone) })),
    email: () => once('email', () => lease.email({ consent: true, name, ...definedFields(email) })),
    /** Separated by commas; undefined if the test leased nothing. */
    ids: async () => (await all()).map(({ id }) => id).join(',') || undefined,
    release: async () => {
      for (const it of await all()) await it.release()
    },
  }
}
