import { type Check, groups } from '../../../handlers/verify/check.ts'
import { checks } from '../../../handlers/verify/suite.ts'
import { suggest } from '../../../words/suggest.ts'
import { usage } from '../../process/exit.ts'

/** `accepts` stands for the check of each event: `accepts-message.read` and so on. */
const ACCEPTS = 'accepts'

const selectable = [ACCEPTS, ...groups, ...checks.map(({ name }) => name)]

/** Selects checks by names and groups. */
export function selectChecks({ only, skip = [] }: { only?: string[]; skip?: string[] }): readonly Check[] {
  for (const [flag, names] of Object.entries({ only: only ?? [], skip }))
    for (const name of names)
      if (!selectable.includes(name))
        throw usage(
          `--${flag}: there is no check or group "${name}"${suggest(name, selectable)}`,
          `Groups: ${groups.join(', ')}.`,
        )
  const isNamed = ({ name, group }: Check, names: readonly string[]) =>
    names.includes(name) || names.includes(group) || (names.includes(ACCEPTS) && name.startsWith(`${ACCEPTS}-`))
  const chosen = checks.filter((check) => (!only || isNamed(check, only)) && !isNamed(check, skip))
  if (chosen.length === 0) throw usage('No check is left: --skip takes away all that --only names.')
  return chosen
}
