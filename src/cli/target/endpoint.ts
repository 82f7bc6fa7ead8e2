import type { Command } from 'commander'
import { withCheckedAnswers } from '../../client/answer-check.ts'
import type { ClientOptions, Sender } from '../../client/call.ts'
import { isRead, withIdempotencyKey } from '../../client/idempotency-key.ts'
import { withRetries } from '../../client/retry.ts'
import { withGateways, withUnanswered } from '../../client/unanswered.ts'
import { exchange, Unreachable } from '../../http/exchange.ts'
import { isThisMachine } from '../../http/request.ts'
import { apiKeyOf, isPublicKey } from '../../words/api-key.ts'
import { namespaceOfControlToken } from '../../words/control-token.ts'
import { shellWord } from '../../words/shell.ts'
import type { Output } from '../output/output.ts'
import { printable } from '../output/printable.ts'
import { Interrupted } from '../process/exit.ts'
import type { Io } from '../process/io.ts'
import { type Choice, chooseService } from './choice.ts'
import { type KnownToken, knownControlToken } from './control-token.ts'
import { type DryRunFormat, dryRun, logExchanges } from './dry-run.ts'
import { emulatorProbe, isControlCall, restrictControlCalls } from './emulator-only.ts'
import { flagsOf } from './globals.ts'
import { allowsLive, guardService } from './live-guard.ts'
import { hintFor, networkOf } from './network.ts'
import { hintForSilence, type RunningSandbox, runningInWords, runningSandboxes } from './running.ts'

interface Teller {
  io: Io
  output: Output
}

/** The service that a command calls, and how it is reached. */
export interface Endpoint extends ClientOptions {
  apiKey: string
  timeoutMs: number
  send: Sender
  /** For `sandbox status`. */
  choice: Choice
  controlTokenFrom: string | undefined
  /** Set for --dry-run: calls are shown in this format instead of being sent. */
  showing: DryRunFormat | undefined
  /** Probes once, without the key, and caches the answer. */
  isEmulator(): Promise<boolean>
  /** Refuses changes at a service without --live. */
  requireLive(): Promise<void>
  /** The options that lead the next command to the same service, see {@link targetFlags}. */
  targetFlags: string
}

export function endpointOf(command: Command, { io, output }: Teller, hasOwnRetries: boolean): Endpoint {
  const { controlToken: tokenFlag, timeoutMs, retries, showing, ...flags } = flagsOf(command)
  const found = chooseService(io, flags)
  const control = knownControlToken(tokenFlag, found, io)
  const choice = withKeyOfToken(found, control)
  const { baseUrl, apiKey, profile } = choice
  const network = networkOf(io, { ...flags, caFile: flags.caFile ?? profile?.ca_file })
  const wire = wireTo(choice, { io, output }, network)
  const once = withUnanswered(withCheckedAnswers(flags.verbose ? logExchanges(output)(wire) : wire))
  const tried = retries ? (hasOwnRetries ? once : retrying(io, output)(once)) : withoutResend(once)
  const send = withGateways(tried)
  const isEmulator = emulatorProbe({ baseUrl, timeoutMs, network }, send, io.signal, choice.claim)
  const isLive = flags.live || allowsLive(io.env) || showing !== undefined
  const guard = async (isSandbox: () => Promise<boolean>) => {
    if (!isLive) await guardService(choice, isSandbox)
  }
  const restricted = restrictControlCalls(baseUrl, isEmulator)(send)
  const checked = requireLiveForWrites(() => guard(isEmulator))(
    choice.claim ? afterProof(isEmulator)(restricted) : restricted,
  )
  return {
    ...{ baseUrl, apiKey, timeoutMs, network, choice, isEmulator, showing },
    // If nothing answers, other faults of the command are reported first; its calls are guarded again.
    requireLive: () => guard(() => isEmulator().catch(trueIfUnreachable)),
    paths: profile?.paths,
    controlToken: control?.token,
    controlTokenFrom: control?.from,
    targetFlags: targetFlags(choice, flags.live),
    send: withIdempotencyKey(showing ? dryRun(output, showing)(checked) : checked),
  }
}

/** A token of a namespace opens its control plane without a secret key: the default key is that of its namespace. */
function withKeyOfToken(choice: Choice, control: KnownToken | undefined): Choice {
  const namespace = control && namespaceOfControlToken(control.token)
  if (namespace === undefined || choice.apiKeyFrom !== 'default') return choice
  return { ...choice, apiKey: apiKeyOf(namespace), apiKeyFrom: 'control token' }
}

/** Calls under /_sandbox reach a sandbox only, so they change nothing real. */
const requireLiveForWrites =
  (requireLive: () => Promise<void>) =>
  (send: Sender): Sender =>
  async (call) => {
    if (!isRead(call) && !isControlCall(call.operation)) await requireLive()
    return send(call)
  }

/** Sends no key to an address that was only found in a folder, before a sandbox there has proven that the folder is its own. */
const afterProof =
  (isEmulator: () => Promise<boolean>) =>
  (send: Sender): Sender =>
  async (call) => {
    await isEmulator()
    return send(call)
  }

/** Another wait for a silent service would end alike. */
function trueIfUnreachable(error: unknown): true {
  if (error instanceof Unreachable && error.code !== 'ETIMEDOUT') return true
  throw error
}

/** With --no-retry a call is sent once, even where a kept connection breaks. */
const withoutResend =
  (send: Sender): Sender =>
  ({ request, ...call }) =>
    send({ ...call, request: { ...request, mayRepeat: false } })

const retrying = (io: Io, output: Output) =>
  withRetries({
    signal: io.signal,
    onRetry({ because, waitMs, next, of }) {
      const line = { type: 'retry', because, wait_ms: Math.round(waitMs), next, of }
      const text = `${because}; try ${next} of ${of} in ${(waitMs / 1_000).toFixed(1)} s …`
      output.warn(line, (paint) => paint.dim(`  ${printable(text)}`))
    },
  })

/** Opens connections. The first call warns of another machine or sandbox, of --insecure and of other running sandboxes. */
function wireTo(choice: Choice, { io, output }: Teller, network: ReturnType<typeof networkOf>): Sender {
  const others = choice.isGuess ? runningSandboxes(io).filter(({ url }) => url !== choice.baseUrl) : []
  let isFirst = true
  return async (call) => {
    const { request } = call
    const isNew = isFirst
    isFirst = false
    if (isNew) warnOfTarget(choice, output, network)
    try {
      const answer = await exchange(request)
      if (isNew) warnOfOthers(choice, output, others)
      return answer
    } catch (error) {
      if (!(error instanceof Unreachable)) throw error
      // Commands draw conclusions from a service that does not answer, but not from a read that the user has stopped.
      if (io.signal.aborted && isRead(call)) throw new Interrupted()
      const silence = error.code === 'ETIMEDOUT' ? await hintForSilence(io, choice.baseUrl) : undefined
      error.hint = hintFor(error, request.url, network) ?? silence ?? otherSandboxesHint(others)
      throw error
    }
  }
}

/** Without a folder or a name, a user who runs several sandboxes must see which one was chosen. */
function warnOfOthers({ baseUrl, baseUrlFrom }: Choice, output: Output, others: readonly RunningSandbox[]) {
  if (others.length === 0 || baseUrlFrom !== 'default') return
  const message = `This is for ${baseUrl} (${baseUrlFrom}); others run at ${runningInWords(others)}.`
  const value = { type: 'target', base_url: baseUrl, others: others.map(({ url }) => url), message }
  output.warn(value, (paint, shown) => paint.dim(`→ ${shown.message}`))
}

const otherSandboxesHint = (others: readonly RunningSandbox[]) =>
  others.length === 0
    ? undefined
    : `Running: ${runningInWords(others)}. Name one with --base-url, or start one here: sandbox start`

function warnOfTarget(choice: Choice, output: Output, { insecure }: ReturnType<typeof networkOf>) {
  const { baseUrl, profile, killedIn } = choice
  if (killedIn !== undefined) {
    const message = `The sandbox of ${killedIn} was killed, so this is for ${baseUrl}.`
    output.warn({ warning: 'sandbox_killed', message, hint: 'Start it again: sandbox start' })
  }
  if (!isThisMachine(new URL(baseUrl)))
    output.warn({ type: 'target', base_url: baseUrl, profile: profile?.name ?? null }, (paint, shown) =>
      paint.dim(`→ ${baseUrl}${shown.profile === null ? '' : ` (profile ${shown.profile})`}`),
    )
  if (!insecure) return
  const key = baseUrl.startsWith('https:') ? `, so any server that answers as ${baseUrl} gets the key` : ''
  const message = `--insecure: no certificate is checked${key}.`
  output.warn({ warning: 'insecure', message })
}

/**
 * The options by which a command that the user types next reaches the same service, each with a leading blank; empty
 * if it finds the service by itself. Secret keys are never shown.
 */
function targetFlags({ baseUrl, baseUrlFrom, apiKey, apiKeyFrom }: Choice, isLive: boolean): string {
  return [
    ...(baseUrlFrom === '--base-url' ? [`--base-url ${baseUrl}`] : []),
    ...(baseUrlFrom.endsWith('(--profile)') ? [`--profile ${shellWord(baseUrlFrom.split(' ')[1]!)}`] : []),
    ...(apiKeyFrom === '--api-key'
      ? [isPublicKey(apiKey) ? `--api-key ${apiKey}` : '--api-key "$SANDBOX_API_KEY"']
      : []),
    ...(isLive ? ['--live'] : []),
  ]
    .map((flag) => ` ${flag}`)
    .join('')
}
