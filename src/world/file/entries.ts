import { brokenField, brokenFields, refusedBy } from '../../words/broken-fields.ts'
import type { Detail, Problem } from '../../words/problem.ts'

/** Runs all attempts and reports their refusals together. */
export function collect(attempts: readonly (() => void)[]) {
  refuse(attempts.flatMap((attempt) => refusedBy(attempt)))
}

function refuse(details: Detail[]) {
  if (details.length > 0) throw brokenFields(details, 'world file')
}

/** Loads list entries one by one; faults are reported by place: `contacts[3].email`. */
export function loadEach<T>(path: string, entries: readonly T[], load: (entry: T, index: number) => void) {
  const attempts = entries.map((entry, i) => () => {
    try {
      load(entry, i)
    } catch (error) {
      throw duplicateEntry(error, entry, entries, path) ?? error
    }
  })
  refuse(attempts.flatMap((attempt, i) => refusedBy(attempt, `${path}[${i}]`)))
}

/** Turns a UNIQUE violation into a fault of the file: two entries that must differ. */
function duplicateEntry(
  error: unknown,
  entry: unknown,
  entries: readonly unknown[],
  path: string,
): Problem | undefined {
  const { code, message } = error as { code?: unknown; message: string }
  if (code !== 'SQLITE_CONSTRAINT_UNIQUE' && code !== 'SQLITE_CONSTRAINT_PRIMARYKEY') return undefined
  const columns = [...message.matchAll(/\.(\w+)/g)].map((match) => match[1]!)
  const fields = columns.filter((column) => fieldOf(entry, column) !== undefined)
  const first = entries.findIndex((other) =>
    fields.every((field) => same(fieldOf(other, field), fieldOf(entry, field))),
  )
  const also = first === -1 || entries[first] === entry ? 'another entry has' : `${path}[${first}] has`
  const what = fields.length > 1 ? `the same ${fields.join(' and ')}` : 'the same value'
  return brokenField(fields.at(-1) ?? columns.at(-1)!, 'duplicate', `${also} ${what}`)
}

const fieldOf = (entry: unknown, field: string): unknown => (entry as Record<string, unknown>)[field]

const same = (a: unknown, b: unknown) => String(a).toLowerCase() === String(b).toLowerCase()
