import { invariants } from '../../src/handlers/audit/invariants.ts'
import { sections } from '../../src/handlers/explore/belief.ts'
import { builtInFlows } from '../../src/handlers/explore/flows/index.ts'
import { checks as all, docsOf, preflight } from '../../src/handlers/verify/suite.ts'
import { code, table } from './table.ts'

const checks = [preflight, ...all]

/** Lists the checks of verify-handler under their anchors; those of events share one. */
export function checkList(): string {
  const anchorOf = (check: (typeof checks)[number]) => docsOf(check).split('#')[1]!
  const firsts = checks.filter((check, i) => checks.findIndex((other) => anchorOf(other) === anchorOf(check)) === i)
  return firsts.map((check) => [`### ${anchorOf(check)}`, '', ...paragraph(check)].join('\n')).join('\n\n')
}

const paragraph = ({ name, group, claim, why, remedy }: (typeof checks)[number]) => [
  `${docsOf({ name, group }).endsWith('#accepts') ? 'Answers 2xx to each event of the catalogue, a check for each: `accepts-message.delivered` and so on' : claim}. ${why}`,
  `**Fix:** ${remedy}`,
]

/** Lists the flows of the explorer. */
export const flowTable = () =>
  table(
    ['flow', 'what happens'],
    builtInFlows.map(({ name, summary }) => [code(name), `${summary}.`]),
  )

/** Lists the sections of a truth probe. */
export const sectionTable = (): string =>
  table(
    ['section', 'content'],
    sections.map(({ name, content }) => [code(name), content]),
  )

/** Lists the invariants of an audit. */
export const invariantList = (): string =>
  invariants.map(({ code, claim, remedy }) => `### ${code}\n\n${claim}.\n**Fix:** ${remedy}`).join('\n\n')
