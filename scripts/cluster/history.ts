/** The answers that callers got, against what the worlds contain in the end. */

interface Acknowledged {
  readonly namespace: string
  readonly key: string
  readonly messageId: string
}

interface SeenEvent {
  readonly seq: number
  readonly id: string
}

export class History {
  readonly #acknowledged: Acknowledged[] = []
  readonly #events = new Map<string, Map<number, string>>()
  readonly findings: string[] = []

  get acknowledged(): number {
    return this.#acknowledged.length
  }

  get eventsSeen(): number {
    return [...this.#events.values()].reduce((sum, seen) => sum + seen.size, 0)
  }

  sent(entry: Acknowledged) {
    this.#acknowledged.push(entry)
  }

  saw(namespace: string, { seq, id }: SeenEvent) {
    const seen = this.#events.get(namespace) ?? new Map<number, string>()
    this.#events.set(namespace, seen)
    const before = seen.get(seq)
    if (before !== undefined && before !== id)
      this.findings.push(`${namespace}: event ${seq} was ${before} and is ${id}`)
    seen.set(seq, id)
  }

  /** Compares with a world: all its messages, events and transactions. */
  check(namespace: string, world: FinalWorld) {
    const find = (text: string) => this.findings.push(`${namespace}: ${text}`)
    const acknowledged = this.#acknowledged.filter((entry) => entry.namespace === namespace)
    const ids = new Set(world.messages)
    const acknowledgedIds = new Set(acknowledged.map(({ messageId }) => messageId))
    for (const { messageId, key } of acknowledged)
      if (!ids.has(messageId)) find(`message ${messageId} of ${key} is lost`)
    if (acknowledgedIds.size !== acknowledged.length)
      find(`${acknowledged.length - acknowledgedIds.size} message ids were given twice`)
    if (ids.size !== world.messages.length) find(`${world.messages.length - ids.size} messages have the same id`)
    if (ids.size !== acknowledgedIds.size) find(`${ids.size} messages, but ${acknowledgedIds.size} sends`)
    const events = new Map(world.events.map(({ seq, id }) => [seq, id]))
    for (const [seq, id] of this.#events.get(namespace) ?? [])
      if (seq >= world.firstSeq && events.get(seq) !== id)
        find(`event ${seq} ${id} was seen and is ${events.get(seq) ?? 'gone'}`)
    if (new Set(events.values()).size !== events.size) find('two events have the same id')
    for (const type of ['hold', 'charge', 'release']) {
      const of = world.transactions.filter((one) => one.type === type).map(({ message_id }) => message_id)
      if (new Set(of).size !== of.length) find(`${of.length - new Set(of).size} messages have more than one ${type}`)
    }
    const sumOf = (type: string) =>
      world.transactions.filter((one) => one.type === type).reduce((sum, { amount }) => sum + amount, 0)
    const expected = sumOf('opening') - sumOf('charge')
    if (Math.abs(expected - world.total) > 1e-6)
      find(`the balance is ${world.total}, and by its transactions ${expected}`)
  }
}

export interface FinalWorld {
  readonly messages: readonly string[]
  readonly events: readonly SeenEvent[]
  readonly firstSeq: number
  readonly transactions: readonly { type: string; amount: number; message_id: string | null }[]
  readonly total: number
}
