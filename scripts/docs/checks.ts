import { invariants } from '../../src/handlers/audit/invariants.ts'
import { sections } from '../../src/handlers/explore/belief.ts'
import { checks, docsOf } from '../../src/handlers/verify/suite.ts'
import { code, table } from './table.ts'

/** Lists the checks of verify-handler under their anchors; those of events share one. */
export function checkList(): string {
  const anchorOf = (check: (typeof checks)[number]) => docsOf(check).split('#')[1]!
  const firsts = checks.filter((check, i) => checks.findIndex((other) => anchorOf(other) === anchorOf(check)) === i)
  return firsts.map((check) => [`### ${anchorOf(check)}`, '', ...paragraph(check)].join('\n')).join('\n\n')
}

const paragraph = ({ group, claim, why, remedy }: (typeof checks)[number]) => [
  `${group === 'events' ? 'Answers 2xx to each event of the catalogue, a check for each: `accepts-message.delivered` and so on' : claim}. ${why}`,
  `**Mend it:** ${remedy}`,
]

/** Lists the sections of a truth probe. */
export const sectionTable = (): string =>
  table(
    ['section', 'what it tells'],
    sections.map(({ name, says }) => [code(name), says]),
  )

/** Lists the invariants of an audit. */
export const invariantList = (): string =>
  invariants.map(({ code, claim, remedy }) => `### ${code}\n\n${claim}.\n**Mend it:** ${remedy}`).join('\n\n')
