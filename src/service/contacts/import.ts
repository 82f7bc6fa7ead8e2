import { afterPart, Problem, problem } from '../../words/problem.ts'
import { validate } from '../../words/validate.ts'
import { stopwatch, yieldToRequests } from '../../world/machine-time.ts'
import type { AsyncAction } from '../../world/noun.ts'
import type { World } from '../../world/world.ts'
import { upsertContact } from './actions.ts'
import { ContactRequest, type importContacts, MAX_IMPORTED } from './contract.ts'

/** The longest slice of rows between other requests, machine ms. */
const SLICE_MS = 10

interface ImportResult {
  imported: number
  updated: number
  skipped: number
  errors: { index: number; field: string; message: string }[]
}

/**
 * POST /v1/contacts/import. Rows are processed in order as single posts, so a later row changes what an earlier one
 * made. Slices are committed, so repeating an interrupted import completes it.
 */
export const importAll: AsyncAction<typeof importContacts> = async (world, { body: { contacts }, caller }) => {
  if (contacts.length > MAX_IMPORTED) throw tooMany(contacts.length)
  const outcome: ImportResult = { imported: 0, updated: 0, skipped: 0, errors: [] }
  const { signal } = caller
  for (let next = 0; next < contacts.length; ) {
    try {
      if (signal.aborted) throw problem('shutting_down')
      next = world.transaction(() => takeSlice(world, contacts, next, outcome))
    } catch (error) {
      throw afterPart(error, next, `Rows before index ${next} were imported.`)
    }
    await yieldToRequests()
  }
  return outcome
}

/** Processes rows until the time is up; returns the next index. */
function takeSlice(world: World, contacts: readonly unknown[], from: number, outcome: ImportResult): number {
  const elapsed = stopwatch()
  let next = from
  while (next < contacts.length && elapsed() < SLICE_MS) takeRow(world, contacts[next], next++, outcome)
  return next
}

/** A row is refused before it writes, so other rows of the transaction stay. */
function takeRow(world: World, row: unknown, index: number, outcome: ImportResult) {
  try {
    const { isNew } = upsertContact(world, validate(ContactRequest, row, 'row'), 'imported')
    if (isNew) outcome.imported++
    else outcome.updated++
  } catch (error) {
    if (!(error instanceof Problem) || error.status >= 500) throw error
    outcome.skipped++
    const faults = error.details.map(({ field, message }) => ({ index, field, message }))
    outcome.errors.push(...(faults.length > 0 ? faults : [{ index, field: '', message: error.message }]))
  }
}

const tooMany = (count: number) =>
  problem('limit_exceeded', `One import accepts at most ${MAX_IMPORTED} contacts, not ${count}. Split it.`, {
    details: [{ field: 'contacts', code: 'too_big', message: `must have at most ${MAX_IMPORTED} items` }],
  })
