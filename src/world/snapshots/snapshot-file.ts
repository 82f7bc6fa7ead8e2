import { problem } from '../../words/problem.ts'
import { type Database, openDatabase } from '../storage/database.ts'
import { withImage, withoutLog } from '../storage/image.ts'
import { metaStore } from '../storage/meta.ts'
import { migrate, SCHEMA_VERSION, SchemaMismatch } from '../storage/schema.ts'
import { isClockState } from '../time/clock.ts'

/** Checks and migrates the bytes of a snapshot file. Refuses other files; `like` is the image of a world. */
export function readImage(bytes: Buffer, like: Buffer): Buffer {
  const image = withoutLog(Buffer.from(bytes))
  if (!image.toString('latin1', 0, 16).startsWith('SQLite format 3\0'))
    throw notASnapshot('it is not an SQLite database')
  try {
    const db = openDatabase({ memory: true, image })
    try {
      return read(db, like)
    } finally {
      db.close()
    }
  } catch (error) {
    if (error instanceof SchemaMismatch) throw otherVersion(error.version)
    if ((error as Error).name === 'SyntaxError') throw notASnapshot('its settings are not JSON')
    if (/^SQLITE_/.test(String((error as { code?: unknown }).code))) throw notASnapshot('it is damaged')
    throw error
  }
}

function read(db: Database, like: Buffer): Buffer {
  if (db.pragma('quick_check(1)') !== 'ok') throw notASnapshot('it is damaged')
  const isOurs = db.prepare("SELECT 1 FROM sqlite_schema WHERE name = 'meta' AND type = 'table'").get() !== undefined
  if (!isOurs) throw notASnapshot('it contains no world')
  migrate(db, 'the file')
  const missing = tablesOf(withImage(like, tablesIn), tablesIn(db))
  if (missing) throw notASnapshot(missing)
  const meta = metaStore(db)
  if (typeof meta.get<string>('seed') !== 'string') throw notASnapshot('it contains no world')
  if (!isClockState(meta.get('clock'))) throw notASnapshot('its clock is invalid')
  return db.serialize()
}

/** Tables with their columns, views and triggers. */
const tablesIn = (db: Database): string[] =>
  db
    .prepare<{ signature: string }>(
      `SELECT s.type || ' ' || s.name || '(' || coalesce(group_concat(c.name ORDER BY c.name), '') || ')' AS signature
       FROM sqlite_schema AS s LEFT JOIN pragma_table_info(s.name) AS c
       WHERE s.type IN ('table', 'view', 'trigger') AND s.name NOT LIKE 'sqlite_%' GROUP BY s.type, s.name`,
    )
    .all()
    .map(({ signature }) => signature)

function tablesOf(expected: readonly string[], found: readonly string[]): string | undefined {
  const [name] = expected.filter((table) => !found.includes(table))
  const [other] = found.filter((table) => !expected.includes(table))
  if (name === undefined && other === undefined) return undefined
  return `its tables are not those of a world (${(name ?? other)!.replace(/\(.*/, '')})`
}

export const otherVersion = (version: number) =>
  notASnapshot(`it has schema version ${version}, and this release reads up to ${SCHEMA_VERSION}`)

const notASnapshot = (why: string) =>
  problem('not_a_snapshot', `The file is not a snapshot of this sandbox: ${why}. Nothing was changed.`)
