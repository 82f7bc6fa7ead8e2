import type { ConnectionSettings } from '../../http/request.ts'
import type { Application } from './application.ts'
import type { Belief } from './belief.ts'
import type { Remembered } from './differences.ts'
import type { FlowSandbox } from './flow-sandbox.ts'
import type { Records } from './records.ts'

/** Signing secrets. */
export interface Secrets {
  readonly first: string
  /** The secret before the last rotation. */
  old: string
  now: string
}

/** State that the plays of an exploration share. */
export interface PlayContext {
  application: Application
  readBelief: () => Promise<Belief>
  flowSandbox: FlowSandbox
  secret: Secrets
  timeoutMs: number
  /** Additional headers of each delivery. */
  headers: Readonly<Record<string, string>> | undefined
  network: ConnectionSettings | undefined
  /** Time without any change after which a wrong belief is judged, machine ms. */
  settleMs: number
  isSubscribed(name: string): boolean
  /** For a handler at a URL: whether it has ever answered, whether it is down now, and the time since its last start. */
  life: { hasAnswered: boolean; isDown: boolean; upMs: () => number }
  /** Observations of the application. */
  seen: {
    /** Its pace, and whether it calls the sandbox, are not known yet. */
    isNew: boolean
    /** It has called the sandbox. */
    calls: boolean
    /** Draws of flows about whose people it has made calls. */
    calledFor: Set<string>
    /** The sandbox has accepted a message from it. */
    sends: boolean
    /** The longest time without change while it was still working with nothing pending, machine ms; it fades. A guess at first. */
    lagMs: number
    longestLagMs: number
    /** The same whether or not something was pending. */
    longestWorkMs: number
    /** The longest time in which it was right again after a failed call; 0 if unknown. */
    longestRetryMs: number
    /** After a failed call, it has tried nothing again in all the time that it had. */
    hasStalled: boolean
    /** It has met people of an earlier exploration, in which years may have passed. */
    hasEarlierRun: boolean
    /** What was not judged when the search ended. */
    unsettled?: string
    /** The sections of its beliefs, and each of its counters. */
    parts: Set<string>
    /** The sections among them by which it can be wrong. */
    sections: Set<string>
    /** Events of others change its counters. */
    otherTraffic: boolean
    /** The timestamp of the newest event that it has got. */
    newestMs: number
  }
  /** The last durations of answers. */
  durations: number[]
  /** The number of deliveries so far. */
  delivered: number
  /** What it believed before the first delivery of the search, and the event that it has accepted in the preflight. */
  beginning?: { belief: Belief; accepted?: string } | undefined
  /** Numbers of stops so far: each comes at another instant of the work. */
  kills: { count: number; restarts: number }
  /** Its beliefs at the end of earlier plays; limited in number. */
  remembered: Remembered[]
  records: Records
  signal?: AbortSignal | undefined
}

/** The median of the last durations of answers. */
export const usualAnswerMs = ({ durations }: PlayContext): number =>
  durations.toSorted((a, b) => a - b)[Math.floor(durations.length / 2)] ?? 0

/** It has called the sandbox, or that is not known yet. */
export const mayCall = ({ seen }: PlayContext): boolean => seen.calls || seen.isNew
