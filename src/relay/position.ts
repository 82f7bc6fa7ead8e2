/** How far a reader of a log has come, where events are dealt with side by side. */
export class Position {
  /** What was read and is not dealt with, in the order of the log. */
  readonly #open = new Set<number>()
  /** Everything up to here was read, or is none of what was asked for. */
  read: number
  /** Position of the newest event that is known of. */
  last: number
  /** Which log it is a position of. */
  readonly log: string

  constructor(log: string, read: number, last: number) {
    this.log = log
    this.read = read
    this.last = last
  }

  /** The log has come to here. */
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

  /** Everything up to here is dealt with. */
  get done(): number {
    const [first] = this.#open
    return first === undefined ? this.read : first - 1
  }

  /** How many positions of the log are not dealt with. */
  get lag(): number {
    return this.last - this.done
  }
}
