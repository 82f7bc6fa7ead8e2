import Sqlite from 'better-sqlite3'

/** Copies a real message under new ids, because sending a long log message by message is slow. */
export function lengthen(file: string, upTo: number): string[] {
  const db = new Sqlite(file)
  const columns = (db.pragma('table_info(messages)') as { name: string }[])
    .map(({ name }) => name)
    .filter((name) => !['seq', 'id'].includes(name))
  const have = db.prepare('SELECT count(*) FROM messages').pluck().get() as number
  db.prepare(
    `WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < ?)
     INSERT INTO messages (id, ${columns.join(', ')})
     SELECT 'msg_' || lower(hex(randomblob(4)) || '-' || hex(randomblob(2)) || '-4' || substr(hex(randomblob(2)), 2) || '-8' || substr(hex(randomblob(2)), 2) || '-' || hex(randomblob(6))), ${columns.map((c) => `m.${c}`).join(', ')}
     FROM n, (SELECT * FROM messages WHERE status = 'read' ORDER BY seq LIMIT 1) AS m`,
  ).run(Math.max(1, upTo - have))
  const step = Math.max(1, Math.floor(upTo / 200))
  const ids = db.prepare('SELECT id FROM messages WHERE seq % ? = 0 LIMIT 200').pluck().all(step) as string[]
  db.close()
  return ids
}
