import type { ChannelType } from '../../words/vocabulary.ts'
import type { Database } from '../../world/storage/database.ts'
import type { Behaviour } from '../carriers/behaviour.ts'
import type { Match } from './contract.ts'

export const tables = `
CREATE TABLE rules (
  id TEXT PRIMARY KEY,
  place INTEGER NOT NULL,
  definition TEXT NOT NULL,
  seen INTEGER NOT NULL DEFAULT 0,
  hits INTEGER NOT NULL DEFAULT 0,
  created_at INTEGER NOT NULL
) STRICT, WITHOUT ROWID;
`

/** The definition of a rule. Delays are in ms. */
export interface RuleDefinition {
  name: string | null
  match: Match
  sets: Behaviour
  times: number | null
  /** Only every nth match. */
  every: number | null
  share: number | null
  /** The channels that match and behaviour leave as possible. */
  channels: readonly ChannelType[]
}

interface Counted {
  seen: number
  hits: number
}

export interface RuleRow extends RuleDefinition, Counted {
  id: string
  created_at: number
}

type Stored = Counted & { id: string; definition: string; created_at: number }

/** Definitions of earlier releases have no `every`. */
const definitionIn = (text: string): RuleDefinition => ({ every: null, ...JSON.parse(text) })

const rowOf = ({ definition, ...row }: Stored): RuleRow => ({ ...row, ...definitionIn(definition) })

export function ruleStore(db: Database) {
  const list = db.all<Stored>('SELECT id, definition, seen, hits, created_at FROM rules ORDER BY place')
  const get = db.one<Stored, [id: string]>('SELECT id, definition, seen, hits, created_at FROM rules WHERE id = ?')
  const counts = db.one<Counted, [id: string]>('SELECT seen, hits FROM rules WHERE id = ?')
  const count = db.run<[hits: number, id: string]>('UPDATE rules SET seen = seen + 1, hits = hits + ? WHERE id = ?')
  // Read at every dispatch; what the rules have counted changes too often to be part of it.
  const definitions = db.cached(() => list().map(({ id, definition }) => ({ id, ...definitionIn(definition) })))
  const append = db.run<[id: string, definition: string, createdAt: number]>(
    'INSERT INTO rules (id, place, definition, created_at) SELECT ?, ifnull(max(place), 0) + 1, ?, ? FROM rules',
    definitions,
  )
  const redefine = db.run<[definition: string, id: string]>('UPDATE rules SET definition = ? WHERE id = ?', definitions)
  const put = db.run<[place: number, id: string]>('UPDATE rules SET place = ? WHERE id = ?', definitions)
  return {
    definitions: (): readonly (RuleDefinition & { id: string })[] => definitions.get(),
    /** Lists the rules in their order. */
    list: (): RuleRow[] => list().map(rowOf),
    get(id: string): RuleRow | undefined {
      const row = get(id)
      return row && rowOf(row)
    },
    counts: (id: string): Counted => counts(id)!,
    count: (id: string, isHit: boolean) => void count(isHit ? 1 : 0, id),
    append: (id: string, definition: RuleDefinition, createdAt: number) =>
      void append(id, JSON.stringify(definition), createdAt),
    redefine: (id: string, definition: RuleDefinition) => void redefine(JSON.stringify(definition), id),
    resetCount: db.run<[id: string]>('UPDATE rules SET seen = 0, hits = 0 WHERE id = ?'),
    arrange(ids: readonly string[]) {
      for (const [i, id] of ids.entries()) put(i + 1, id)
    },
    remove: db.run<[id: string]>('DELETE FROM rules WHERE id = ?', definitions),
    /** Returns how many there were. */
    clear: db.run('DELETE FROM rules', definitions),
  }
}
