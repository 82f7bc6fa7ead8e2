import { usage } from '../process/exit.ts'
import type { Session } from '../session/session.ts'
import { flagName, optionKey } from './flags.ts'
import type { ArgumentOverlay } from './noun.ts'

interface Command {
  params: Readonly<Record<string, string>>
  options: Readonly<Record<string, unknown>>
}

/** The id of a record: the argument, or that of the one record that fits and has the values of the options. */
export async function recordOf(
  session: Session,
  { name, found }: ArgumentOverlay,
  typed: string | undefined,
  { params, options }: Command,
): Promise<string> {
  const fields = found!.fields.map((field) => field.name)
  const chosen = fields.filter((field) => options[optionKey(flagName(field))] !== undefined)
  const flags = fields.map(flagName).join(' and ')
  if (typed !== undefined && chosen.length > 0) throw usage(`Pass <${name}> or ${flags}, not both.`)
  if (typed !== undefined) return typed
  const records = await found!.find(session, params)
  const fitting = records.filter(
    (record) =>
      (chosen.length > 0 || found!.fits(record)) &&
      chosen.every((field) => record[field] === options[optionKey(flagName(field))]),
  )
  if (fitting.length === 1) return String(fitting[0]!.id)
  const listed = (fitting.length > 0 ? fitting : records).map((record) =>
    [record.id, ...fields.map((field) => record[field])].join(' '),
  )
  const shown = listed.length > 0 ? `Records: ${listed.join(', ')}.` : 'There are no records.'
  if (chosen.length === 0)
    throw usage(`Missing <${name}>: ${fitting.length} records fit.`, `Pass its id, or ${flags}. ${shown}`)
  throw usage(`${fitting.length === 0 ? 'No record has' : `${fitting.length} records have`} these values.`, shown)
}
