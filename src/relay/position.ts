/** The progress of a reader that handles events concurrently. */
export class Position {
  /** Events that were read and are not handled, in the order of the log. */
  readonly #open = new Set<number>()
  /** The log was read up to here. */
  read: number
  /** The newest known position. */
  last: number
  /** The log that the positions belong to. */
  readonly log: string

  constructor(log: string, read: number, last: number) {
    this.log = log
    this.read = read
    this.last = last
  }

  reach(seq: number) {
    this.read = Math.max(this.read, seq)
    this.last = Math.max(this.last, seq)
  }

  begin(seq: number) {
    this.#open.add(seq)
    this.reach(seq)
  }

  end(seq: number) {
    this.#open.delete(seq)
  }

  /** Everything up to here is handled. */
  get done(): number {
    const [first] = this.#open
    return first === undefined ? this.read : first - 1
  }

  /** The number of unhandled positions. */
  get lag(): number {
    return this.last - this.done
  }
}
