/** How many firings a report lists; the rest is counted. */
const MAX_LISTED = 10_000

export interface Firing {
  at: number
  what: string
  subject: string
}

/** What an advance has done. */
export interface Report {
  fired: Firing[]
  total: number
}

/** Writes the report of the advance that is under way, if one is. */
export class Reporter {
  #report: Report | undefined
  #from = Number.NEGATIVE_INFINITY

  /** Starts a report of an advance from an instant. */
  open(from: number): Report {
    this.#from = from
    this.#report = { fired: [], total: 0 }
    return this.#report
  }

  close() {
    this.#report = undefined
  }

  note(firing: Firing) {
    if (!this.#report) return
    this.#report.total++
    if (this.#report.fired.length < MAX_LISTED) this.#report.fired.push(firing)
  }

  /** How far network work had come when the advance began is a matter of the machine, and in no report. */
  noteNetwork(dueAt: number, firing: Firing) {
    if (dueAt > this.#from) this.note(firing)
  }
}
