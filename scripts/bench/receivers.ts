import { readFile, writeFile } from 'node:fs/promises'
import type { Application } from '../../src/handlers/explore/application.ts'
import { explore } from '../../src/handlers/explore/explore.ts'
import type { ExploreOptions } from '../../src/handlers/explore/options.ts'

const {
  receivers,
  applicationOf,
}: { receivers: Record<string, unknown>; applicationOf: (name: string) => Application } = await import(
  new URL('../../fixtures/handlers/receivers.mjs', import.meta.url).href
)

/** The columns of the table. */
export const GROUPS: Readonly<Record<string, NonNullable<ExploreOptions['disturbances']>>> = {
  repeated: ['duplicate', 'replay', 'lost-answer', 'history'],
  disordered: ['delay', 'unavailable'],
  'at once': ['timeout', 'together'],
  restart: ['restart'],
  kill: ['kill'],
  'forged, unusual, unknown': ['forgery', 'spelling', 'unknown', 'new-value'],
}
const FLOWS = ['open-conversation']
const DOCS = 'docs/handlers.md'

/** Whether a receiver survives all schedules of a group. */
export async function survives(name: string, disturbances: ExploreOptions['disturbances']): Promise<boolean> {
  const { failure } = await explore({
    ...applicationOf(name),
    ...{ flows: FLOWS, disturbances, schedules: 40, seed: 'receivers', settleMs: 30, idleSeconds: 0 },
  })
  return failure === null
}

/** Explores every receiver under every group of disturbances, and writes the table into the docs. Returns its rows. */
export async function tabulate(): Promise<string[]> {
  const rows = []
  for (const name of Object.keys(receivers)) {
    const cells = []
    for (const group of Object.values(GROUPS)) cells.push((await survives(name, group)) ? 'yes' : '**no**')
    rows.push(`| ${name} | ${cells.join(' | ')} |`)
  }
  const columns = Object.keys(GROUPS)
  const table = [`| receiver | ${columns.join(' | ')} |`, `| --- |${' --- |'.repeat(columns.length)}`, ...rows]
  const page = await readFile(DOCS, 'utf8')
  const block = /(?<=<!-- bench: receivers -->\n)[\s\S]*(?=<!-- end of receivers -->)/
  await writeFile(DOCS, page.replace(block, `\n${table.join('\n')}\n\n`))
  return rows
}
