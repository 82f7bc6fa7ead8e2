import type { AnswerTo } from '../../../../client/answers.ts'
import type { Paint } from '../../../output/paint.ts'
import type { Session } from '../../../session/session.ts'
import type { ContactFileRow } from './row.ts'

export interface ImportReport extends Omit<AnswerTo<'contacts.import'>, 'errors'> {
  errors: (ContactFileRow['place'] & { field: string; message: string })[]
}

const MAX_SHOWN = 50

export function inWords({ imported, updated, skipped, errors }: ImportReport, paint: Paint): string {
  const mark = skipped > 0 ? paint.yellow('!') : paint.green('✓')
  return [
    `${mark} ${imported} new, ${updated} updated, ${skipped > 0 ? paint.red(`${skipped} refused`) : 'none refused'}`,
    ...errors.slice(0, MAX_SHOWN).map((error) => {
      const where = 'line' in error ? `line ${error.line}` : `contacts[${error.index}]`
      return `  ${paint.bold(where)}  ${[error.field, error.message].filter(Boolean).join(': ')}`
    }),
    ...(errors.length > MAX_SHOWN ? [paint.dim(`  … and ${errors.length - MAX_SHOWN} more; --json lists all`)] : []),
  ].join('\n')
}

export const doneOf = ({ imported, updated, skipped }: ImportReport) => imported + updated + skipped

export function warnOfRest({ output }: Session, { errors: _, ...done }: ImportReport) {
  const message = `The import stopped early: ${doneOf({ ...done, errors: [] })} rows. Run it again: existing contacts are only updated.`
  output.warn({ warning: 'import_broke_off', message, ...done })
}
