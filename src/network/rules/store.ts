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
  const list = db.prepare<Stored>('SELECT id, definition, seen, hits, created_at FROM rules ORDER BY place')
  const get = db.prepare<Stored>('SELECT id, definition, seen, hits, created_at FROM rules WHERE id = ?')
  const counts = db.prepare<Counted>('SELECT seen, hits FROM rules WHERE id = ?')
  const count = db.prepare('UPDATE rules SET seen = seen + 1, hits = hits + ? WHERE id = ?')
  const append = db.prepare(
    'INSERT INTO rules (id, place, definition, created_at) SELECT ?, ifnull(max(place), 0) + 1, ?, ? FROM rules',
  )
  const redefine = db.prepare('UPDATE rules SET definition = ? WHERE id = ?')
  const restart = db.prepare('UPDATE rules SET seen = 0, hits = 0 WHERE id = ?')
  const put = db.prepare('UPDATE rules SET place = ? WHERE id = ?')
  const remove = db.prepare('DELETE FROM rules WHERE id = ?')
  const clear = db.prepare('DELETE FROM rules')
  // Read at every dispatch; what the rules have counted changes too often to be part of it.
  const definitions = db.cached(() => list.all().map(({ id, definition }) => ({ id, ...definitionIn(definition) })))
  return {
    definitions: (): readonly (RuleDefinition & { id: string })[] => definitions.get(),
    /** Lists the rules in their order. */
    list: (): RuleRow[] => list.all().map(rowOf),
    get(id: string): RuleRow | undefined {
      const row = get.get(id)
      return row && rowOf(row)
    },
    counts: (id: string): Counted => counts.get(id)!,
    count: (id: string, isHit: boolean) => void count.run(isHit ? 1 : 0, id),
    append(id: string, definition: RuleDefinition, createdAt: number) {
      append.run(id, JSON.stringify(definition), createdAt)
      definitions.invalidate()
    },
    redefine(id: string, definition: RuleDefinition) {
      redefine.run(JSON.stringify(definition), id)
      definitions.invalidate()
    },
    resetCount: (id: string) => void restart.run(id),
    arrange(ids: readonly string[]) {
      for (const [i, id] of ids.entries()) put.run(i + 1, id)
      definitions.invalidate()
    },
    remove(id: string) {
      remove.run(id)
      definitions.invalidate()
    },
    clear(): number {
      definitions.invalidate()
      return clear.run().changes
    },
  }
}
