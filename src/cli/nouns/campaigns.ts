import type { Command } from 'commander'
import type { AnswerTo } from '../../client/answers.ts'
import { poll } from '../../client/poll.ts'
import type { NounCommands } from '../generate/noun.ts'
import { progressBar } from '../output/progress.ts'
import { render } from '../output/render.ts'
import { EXIT, type ExitCode, Fault, timedOut } from '../process/exit.ts'
import { callOperation } from '../session/call-operation.ts'
import { type Run, type Session, setAction } from '../session/session.ts'
import { intervalOption } from '../session/watching.ts'
import { durationOption } from '../target/globals.ts'

const args = { id: { describe: 'id of the campaign' } }

export const commands: NounCommands<'campaigns'> = {
  ids: 'sandbox world show lists the ids of campaigns.',
  verbs: {
    // Hand-written below, because it can follow a run.
    status: { skip: true },
    trigger: {
      args,
      done: 'campaign {id} is {status}',
      examples: [
        'sandbox campaigns trigger 00000000-0000-4000-8000-000000000101',
        'sandbox campaigns status 00000000-0000-4000-8000-000000000101 --watch',
      ],
    },
    pause: {
      args,
      done: 'campaign {id} is {status}',
      examples: ['sandbox campaigns pause 00000000-0000-4000-8000-000000000101'],
    },
    resume: {
      args,
      done: 'campaign {id} is {status}',
      examples: ['sandbox campaigns resume 00000000-0000-4000-8000-000000000101'],
    },
    define: {
      done: 'campaign {campaign_id} is defined',
      examples: ['sandbox campaigns define --data campaign.json'],
    },
    show: { args, examples: ['sandbox campaigns show 00000000-0000-4000-8000-000000000101'] },
    run: {
      args,
      done: 'campaign {id} is {status}',
      examples: ['sandbox campaigns run <id>'],
    },
    event: {
      args,
      done: 'the event of campaign {id} has happened',
      examples: ['sandbox campaigns event <id> --contact-id magic-50'],
    },
  },
  handWritten: [addStatus],
}

interface StatusFlags {
  watch?: boolean
  interval: number
  timeout: number
}

type CampaignState = AnswerTo<'campaigns.status'>
type Counts = CampaignState['counts']

function addStatus(group: Command, run: Run) {
  const command = group
    .command('status')
    .description('Show where a campaign stands, or follow it until it rests')
    .argument('<id>', args.id.describe)
    .option('--watch', 'follow the run until it is completed or paused')
    .addOption(intervalOption())
    .addOption(durationOption('--timeout <duration>', 'how long to watch; without end unless given', '0'))
    .addHelpText(
      'after',
      '\nGET /v1/campaigns/{id}/status\n\nWith --watch it exits with 0 when every contact was reached, 7 when some were not or the run was paused, 8 when the time was up.\n\nExample:\n  $ sandbox campaigns status 00000000-0000-4000-8000-000000000101 --watch',
    )
  setAction(command, run, (session, [id], options: StatusFlags) => status(session, id!, options))
}

async function status(session: Session, id: string, flags: StatusFlags): Promise<ExitCode> {
  if (flags.watch) return watch(session, id, flags)
  const state = await look(session, id)
  session.output.data(state, (paint, shown) => render(shown)(paint))
  return EXIT.ok
}

const look = (session: Session, id: string) => callOperation(session, 'campaigns.status', { params: { id } })

/** Reports each change once: a line for programs, a bar for people. */
async function watch(session: Session, id: string, { interval, timeout }: StatusFlags): Promise<ExitCode> {
  const { io, output } = session
  const bar = progressBar(session)
  let told = ''
  let last: CampaignState | undefined
  try {
    await poll({ everyMs: interval, timeoutMs: timeout, signal: io.signal }, async () => {
      last = await look(session, id)
      const text = JSON.stringify(last)
      if (!output.isForPeople && text !== told) output.item(last, () => '')
      told = text
      bar.show(shareOf(last.counts), inWords(last))
      return last.status === 'RUNNING' ? undefined : last
    })
  } finally {
    bar.end()
  }
  return endOf(session, last!, timeout)
}

function endOf({ output }: Session, state: CampaignState, timeout: number): ExitCode {
  if (state.status === 'RUNNING')
    throw timedOut(
      `The campaign is still running after ${timeout / 1000} s.`,
      'If its clock is frozen, move it: sandbox clock advance 1h',
    )
  if (state.status !== 'COMPLETED') throw notCompleted(state)
  output.note((paint) => `${paint.green('✓')} ${inWords(state)}`)
  return EXIT.ok
}

const doneOf = ({ completed, failed, ineligible }: Counts) => completed + failed + ineligible

const shareOf = (counts: Counts) => (counts.total === 0 ? undefined : doneOf(counts) / counts.total)

const inWords = ({ status, counts }: CampaignState) =>
  `${status} ${doneOf(counts)}/${counts.total} · ${counts.completed} completed, ${counts.failed} failed, ${counts.ineligible} ineligible`

const notCompleted = (state: CampaignState) =>
  new Fault(`The campaign is ${inWords(state)}.`, {
    code: 'not_completed',
    exit: EXIT.expectation,
    extra: { campaign_id: state.campaign_id, status: state.status, counts: state.counts },
  })
