import type { OwnRateLimits } from '../controls/world/rate-limits.contract.ts'
import type { Band } from '../words/operation.ts'
import { problem } from '../words/problem.ts'
import { machineNow } from '../world/machine-time.ts'

/** A fixed window on the machine's clock, since clients wait in real time. */
const WINDOW_MS = 60_000

/** Requests per key and window. */
const DEFAULT_LIMITS: Readonly<Record<Band, number>> = {
  send: 6_000,
  read: 12_000,
  agents: 600,
  billing: 600,
  other: 6_000,
}

interface RateLimitInfo {
  limit: number
  remaining: number
  /** End of the window in Unix seconds. */
  resetAt: number
}

interface LimitTerms {
  enabled: boolean
  limits: Record<Band, number>
}

/** Limits of one key, which its tier raises and the control plane may replace. */
export interface Allowance {
  factor?: number | undefined
  own?: OwnRateLimits | undefined
}

/** Counts requests by key and band (interface §8). */
export class RateLimits {
  /** Requests in the current window; it is the same for all keys. */
  readonly #used = new Map<string, number>()
  #opensAt = 0
  readonly #terms: LimitTerms

  constructor({
    enabled = true,
    limits = {},
  }: { enabled?: boolean; limits?: Partial<Record<Band, number>> | undefined } = {}) {
    this.#terms = { enabled, limits: { ...DEFAULT_LIMITS, ...limits } }
  }

  /** Returns the terms for a key with settings of its own. */
  termsWith({ enabled = this.#terms.enabled, limits }: OwnRateLimits): LimitTerms {
    return { enabled, limits: { ...this.#terms.limits, ...limits } }
  }

  limitOf(band: Band, { factor = 1, own = {} }: Allowance): number {
    return (own.limits?.[band] ?? this.#terms.limits[band]) * factor
  }

  /** Counts one request (none for observers), or reverts one. */
  take(
    key: string,
    band: Band,
    { factor = 1, own = {} }: Allowance = {},
    requests = 1,
  ): RateLimitInfo & { refused: boolean } {
    const now = machineNow()
    const opensAt = now - (now % WINDOW_MS)
    if (opensAt !== this.#opensAt) this.#used.clear()
    this.#opensAt = opensAt
    const name = `${band} ${key}`
    const before = this.#used.get(name) ?? 0
    const limit = this.limitOf(band, { factor, own })
    const refused = requests > 0 && (own.enabled ?? this.#terms.enabled) && before >= limit
    const used = refused ? before : Math.max(0, before + requests)
    this.#used.set(name, used)
    return { limit, remaining: Math.max(0, limit - used), resetAt: (opensAt + WINDOW_MS) / 1000, refused }
  }
}

export function rateLimitProblem({ limit, resetAt }: RateLimitInfo) {
  const retry_after = Math.max(1, Math.ceil(resetAt - machineNow() / 1000))
  return problem(
    'rate_limit_exceeded',
    `More than ${limit} requests of this kind in one minute. Wait ${retry_after} s, then back off with jitter.`,
    { retry_after },
  )
}
