import type { Timer } from './timer-store.ts'

/** Firings listed in a report; the rest is counted. */
const MAX_LISTED = 10_000

interface Firing {
  at: number
  what: string
  subject: string
}

/** The result of an advance. */
export interface Report {
  fired: Firing[]
  /** By kind. */
  counts: Record<string, number>
  total: number
}

/** Records the advance in progress. */
export class Reporter {
  #report: Report | undefined
  #from = Number.NEGATIVE_INFINITY

  open(from: number): Report {
    this.#from = from
    this.#report = { fired: [], counts: {}, total: 0 }
    return this.#report
  }

  close() {
    this.#report = undefined
  }

  note({ kind: what, subject }: Timer, at: number) {
    if (!this.#report) return
    const { fired, counts } = this.#report
    counts[what] = (counts[what] ?? 0) + 1
    this.#report.total++
    if (fired.length < MAX_LISTED) fired.push({ at, what, subject })
  }

  /** Omits earlier network work, because its progress depends on the machine. */
  noteNetwork(row: Timer, at: number) {
    if (row.due_at > this.#from) this.note(row, at)
  }
}
