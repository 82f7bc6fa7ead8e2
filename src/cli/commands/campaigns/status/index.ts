import type { Command } from 'commander'
import { poll } from '../../../../waiting/until.ts'
import { printable } from '../../../output/printable.ts'
import { progressBar } from '../../../output/progress.ts'
import { render } from '../../../output/render.ts'
import { EXIT, type ExitCode, timedOut } from '../../../process/exit.ts'
import { describeNextStep } from '../../../session/next-step.ts'
import { type Run, type Session, setAction } from '../../../session/session.ts'
import { intervalOption } from '../../../session/watching.ts'
import { callOperation } from '../../../target/call-operation.ts'
import { durationOption } from '../../../target/globals.ts'
import { type CampaignState, contactsOf, hintOf, inWords, notCompleted, shareOf } from './tell.ts'

interface StatusFlags {
  watch?: boolean
  interval: number
  timeout: number
}

const EXAMPLE = '00000000-0000-4000-8000-000000000101'

export function addStatus(group: Command, run: Run) {
  const command = group
    .command('status')
    .description('Show the status of a campaign, or follow its run')
    .argument('<id>', 'id of the campaign')
    .option('--watch', 'follow the run until it completes or pauses')
    .addOption(intervalOption())
    .addOption(durationOption('--timeout <duration>', 'time limit of --watch; 0 means none', '0'))
    .addHelpText(
      'after',
      `
To count the messages of each step: "sandbox campaigns contacts <id> --query sent".

GET /v1/campaigns/{id}/status

Exit codes of --watch: 0 all contacts completed, 7 some failed or the run was paused, 8 the time is up.

Examples:
  $ sandbox campaigns status ${EXAMPLE} --watch
  $ sandbox campaigns contacts ${EXAMPLE}`,
    )
  setAction(command, run, { effect: 'reads', needs: 'service', exits: ['expectation', 'timedOut'] }, status)
}

async function status(session: Session, [id]: [string], flags: StatusFlags): Promise<ExitCode> {
  if (flags.watch) return watch(session, id, flags)
  const state = await look(session, id)
  session.output.data(state, (paint, shown) => render(shown, paint))
  for (const hint of [hintOf(state), contactsOf(state)])
    if (hint) session.output.note((paint) => paint.dim(`→ ${printable(session.output.withProgramName(hint))}`))
  return EXIT.ok
}

const look = (session: Session, id: string) => callOperation(session, 'campaigns.status', { params: { id } })

/** Reports each change once: a line for programs, a bar for people. */
async function watch(session: Session, id: string, { interval, timeout }: StatusFlags): Promise<ExitCode> {
  const { io, output } = session
  const bar = progressBar(session)
  let printed = ''
  let last: CampaignState | undefined
  try {
    await poll({ everyMs: interval, timeoutMs: timeout, signal: io.signal }, async () => {
      last = await look(session, id)
      const text = JSON.stringify(last)
      if (!output.isForPeople && text !== printed) output.item(last, () => '')
      printed = text
      bar.show(shareOf(last.counts), inWords(last))
      return last.status === 'RUNNING' ? undefined : last
    })
  } finally {
    bar.end()
  }
  return endOf(session, last!, timeout)
}

async function endOf(session: Session, state: CampaignState, timeout: number): Promise<ExitCode> {
  if (state.status === 'RUNNING')
    throw timedOut(
      `The campaign is still running after ${timeout / 1000} s.`,
      await describeNextStep(session, { advance: '1h' }),
    )
  if (state.status !== 'COMPLETED') throw notCompleted(state)
  session.output.note((paint) => `${paint.green('✓')} ${printable(inWords(state))}`)
  return EXIT.ok
}
