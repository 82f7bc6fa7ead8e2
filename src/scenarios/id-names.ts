import { mapTexts, textsIn } from '../words/texts.ts'
import { UUID } from '../words/uuid.ts'
import { escaped } from './template.ts'

const ID = new RegExp(`^(?:[a-z]+_)*${UUID}$`)

export const isId = (text: string): boolean => ID.test(text)

const idsIn = (value: unknown) => [...textsIn(value)].filter(({ text }) => isId(text))

/** Names the ids of a recording. An id is an answer's where it first appears in one, otherwise it exists at the start. */
export class IdNames {
  /** Ids that exist from the start. */
  readonly vars = new Map<string, string>()
  readonly #byId = new Map<string, string>()
  readonly #sentIds = new Set<string>()
  readonly #saved = new Set<string>()

  constructor(sent: readonly unknown[]) {
    for (const { text } of idsIn(sent)) this.#sentIds.add(text)
  }

  /** The value with its ids as variables; one that no answer gave out becomes a variable of the file. */
  replace(value: unknown): unknown {
    return mapTexts(value, (text, field) => (isId(text) ? `$${this.#nameOf(text, field)}` : escaped(text)))
  }

  #nameOf(id: string, field: string): string {
    const existing = this.#byId.get(id)
    if (existing !== undefined) return existing
    const name = this.#fresh(kindOf(id, field))
    this.#byId.set(id, name)
    this.vars.set(name, id)
    return name
  }

  /** Ids in an answer that a later call uses: variable to path. */
  save(answer: unknown): Record<string, string> {
    const saves: Record<string, string> = {}
    for (const { text: id, path, field } of idsIn(answer)) {
      if (this.#byId.has(id) || !this.#sentIds.has(id)) continue
      const name = this.#fresh(kindOf(id, field))
      this.#byId.set(id, name)
      this.#saved.add(name)
      saves[name] = path
    }
    return saves
  }

  #fresh(kind: string): string {
    const isTaken = (name: string) => this.vars.has(name) || this.#saved.has(name)
    for (let n = 1; ; n++) {
      const name = n === 1 ? kind : `${kind}_${n}`
      if (!isTaken(name)) return name
    }
  }
}

const PREFIXES: Readonly<Record<string, string>> = {
  ag_draft: 'agent',
  ag_live: 'agent',
  c: 'contact',
  ch: 'channel',
  cr: 'record',
  evt: 'event',
  flt: 'fault',
  inv: 'invoice',
  msg: 'message',
  rule: 'rule',
  run: 'run',
  tpl: 'template',
}

const kindOf = (id: string, field: string) =>
  PREFIXES[id.slice(0, Math.max(0, id.length - 37))] ?? (field.replace(/_id$/, '').replace(/\W/g, '') || 'id')
