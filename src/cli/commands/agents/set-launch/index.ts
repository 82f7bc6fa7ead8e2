import { type Command, Option } from 'commander'
import type { AnswerTo } from '../../../../client/answers.ts'
import { fieldOf } from '../../../generate/form.ts'
import { render } from '../../../output/render.ts'
import { usage } from '../../../process/exit.ts'
import { type Run, type Session, setAction } from '../../../session/session.ts'
import { callOperation } from '../../../target/call-operation.ts'

interface SetLaunchFlags {
  all?: boolean
  reason?: string
}

export function addSetLaunch(group: Command, run: Run) {
  const command = group
    .command('set-launch')
    .description('Set the launch status of an approved agent on carriers')
    .argument('<id>', 'id of the agent: ag_…')
    .argument('[carrier]', 'name of the carrier; omit it with --all')
    .argument('[status]', fieldOf('agents.setLaunch', 'status').choices!.join(', '))
    .option('--all', 'all carriers of the world')
    .addOption(new Option('--reason <text>', 'reason of REJECTED'))
    .addHelpText('after', NOTES)
  setAction(command, run, { effect: 'writes', needs: 'sandbox', typedAs: { rejection_reason: '--reason' } }, setLaunch)
}

const NOTES = `
With PENDING the carrier decides again, as the world file defines.

PATCH /_sandbox/agents/{id}/launch

Examples:
  $ sandbox agents set-launch ag_live_00000000-0000-4000-8000-000000000006 --all LAUNCHED
  $ sandbox agents set-launch ag_live_00000000-0000-4000-8000-000000000001 nordfunk REJECTED --reason "No opt-out."`

async function setLaunch(
  session: Session,
  [id = '', first, second]: readonly (string | undefined)[],
  { all, reason: rejection_reason }: SetLaunchFlags,
) {
  if (all && second !== undefined) throw usage('Pass a carrier or --all, not both.')
  const status = statusOf(all ? first : second)
  if (!all && first === undefined) throw usage('Missing carrier.', 'Pass its name, or --all.')
  const carriers = all ? await carriersOf(session) : [first!]
  let answer: AnswerTo<'agents.launch'> | undefined
  for (const carrier of carriers)
    answer = await callOperation(session, 'agents.setLaunch', {
      params: { id },
      payload: { carrier, status, ...(rejection_reason === undefined ? {} : { rejection_reason }) },
    })
  session.output.data(answer, (paint, shown) =>
    [`${paint.green('✓')} agent ${id} is ${status} on ${carriers.join(', ')}`, render(shown, paint)].join('\n'),
  )
}

function statusOf(text: string | undefined): string {
  const statuses = fieldOf('agents.setLaunch', 'status').choices!
  if (text !== undefined && statuses.includes(text.toUpperCase())) return text.toUpperCase()
  throw usage(
    text === undefined ? 'Missing launch status.' : `Unknown launch status "${text}".`,
    `Allowed: ${statuses.join(', ')}.`,
  )
}

const carriersOf = async (session: Session) =>
  (await callOperation(session, 'carriers.list', { isLookup: true })).carriers.map(({ name }) => name)
