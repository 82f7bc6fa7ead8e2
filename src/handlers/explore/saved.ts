import { z } from 'zod'
import { validate } from '../../words/validate.ts'
import { Perturbation, type Schedule } from './schedule.ts'

/** A schedule of a flow as a file holds it. */
const Saved = z.strictObject({
  flow: z.string().describe('Name of the flow.'),
  draw: z.string().describe('What the choices of the flow are drawn from.'),
  events: z.array(z.int().min(0)).min(1).describe('Which of its events are delivered.'),
  perturbations: z.array(Perturbation).describe('What befalls them.'),
})
export interface SavedSchedule extends Schedule {
  flow: string
  draw: string
}

export const savedFrom = (value: unknown): SavedSchedule => validate(Saved, value, 'schedule') as SavedSchedule

const quoted = (text: string) => `'${text.replaceAll('\\', '\\\\').replaceAll("'", "\\'").replaceAll('\n', '\\n')}'`

/** A URL, or a line of shell. */
export type Lever = { url: string } | { command: string }

/** Where a test finds the application. */
export interface Place {
  handler: string
  truth: Lever
  restart?: Lever | undefined
  rotate?: Lever | undefined
}

/** The same as a test of vitest, which fails as long as the handler does. */
export function testOf(saved: SavedSchedule, title: string, place: Place): string {
  const { handler, truth, restart, rotate } = place
  const needs = (kind: string) => saved.perturbations.some((perturbation) => perturbation.kind === kind)
  const fields = [
    ['handler', quoted(handler)],
    ['truth', said(truth, '', (run) => `JSON.parse(${run})`)],
    ['secret', 'process.env.SANDBOX_WEBHOOK_SECRET'],
    ...(needs('restart') ? [['restart', said(restart, '')]] : []),
    ...(needs('rotation') ? [['rotate', said(rotate, 'secret')]] : []),
    ['schedule', JSON.stringify(saved, null, 2).replace(/\n/g, '\n    ')],
  ]
  const body = fields.map(([name, code]) => `    ${name}: ${code},`).join('\n')
  return `${body.includes('execSync') ? "import { execSync } from 'node:child_process'\n" : ''}import { explore } from 'messaging-sandbox'
import { expect, test } from 'vitest'

test(${quoted(title)}, async () => {
  const { failure } = await explore({
${body}
  })
  expect(failure?.story).toBeUndefined()
})
`
}

/** A lever as code. One that the command line worked by itself is for the test to say. */
function said(lever: Lever | undefined, given: '' | 'secret', take = (run: string) => run): string {
  if (lever === undefined) return `(${given}) => { throw new Error('say here how your application is started anew') }`
  if ('url' in lever) return quoted(lever.url)
  const env = given === '' ? '' : ', env: { ...process.env, SANDBOX_WEBHOOK_SECRET: secret }'
  return `(${given}) => ${take(`execSync(${quoted(lever.command)}, { encoding: 'utf8'${env} })`)}`
}
